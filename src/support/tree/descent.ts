import type { Vec3 } from "../../core/geometry.ts";
import { once } from "../../core/once.ts";
import { distanceTo } from "../../mesh/bvh/nearest-point.ts";
import { distanceMm, isSteep } from "./ball.ts";
import { GAP_MM, TWIG_MM } from "./measures.ts";
import { ballFits, isClear, type Space, WIDENING_MM } from "./space.ts";

/** Ways for twigs from anywhere beside a model down to the ground, worked out where they are asked for and kept. */
export interface Descent {
  /** The shortest way from a place on the lattice, without the place itself; none where the model encloses it. */
  from(place: Vec3): Vec3[] | undefined;
}

/** The ways around the model of a space; most models have no need of one. */
export const descentOf = once((space: Space) => newDescent(space));

/** What a lattice may hold; its cells are larger where a model is. */
const MOST_CELLS = 500_000;
const CELLS_PER_CHECK = 256;
const LEAST_CELL_MM = 1;
/** Around the model's box: beyond the reach of a tip. */
const MARGIN_MM = 4;

/** Steps of a way in cells: straight down, at 45° to four sides, along the diagonals as flat as cells allow. */
const STEPS = [
  [0, 0, 1],
  [1, 0, 1],
  [-1, 0, 1],
  [0, 1, 1],
  [0, -1, 1],
  [1, 1, 2],
  [-1, 1, 2],
  [1, -1, 2],
  [-1, -1, 2],
] as const;
const STEP_LENGTHS = STEPS.map(([x, y, z]) => Math.sqrt(x * x + y * y + z * z));

const REACH_MM = TWIG_MM + GAP_MM + WIDENING_MM;

/** What is known of a cell: nothing, that ways from it are being looked for, that they are known. */
const [UNSEEN, SEEN, SOLVED] = [0, 1, 2];
/** In place of a step: the way ends straight down, or there is none. */
const [DROP, NONE] = [254, 255];

/**
 * A lattice around the box of a model, from the ground to its top. All steps lead down, so the shortest ways from a
 * cell are those from the cells below it: it is filled from the cells asked for downward, and the lengths from below
 * upward.
 */
function newDescent(space: Space): Descent {
  // The root's box is the model's. Roots are rounded: engines differ in their last bits.
  const { boxes } = space.facets;
  const size = [0, 1].map((axis) => boxes[3 + axis] - boxes[axis] + 2 * MARGIN_MM);
  const heightMm = Math.max(1, boxes[5] - space.groundMm + 1);
  const cellMm = Math.max(LEAST_CELL_MM, Math.fround(Math.cbrt((size[0] * size[1] * heightMm) / MOST_CELLS)));
  const [nx, ny, nz] = [size[0], size[1], heightMm].map((length) => Math.ceil(length / cellMm) + 1);
  const [x0, y0] = [boxes[0] - MARGIN_MM, boxes[1] - MARGIN_MM];
  const state = new Uint8Array(nx * ny * nz);
  const step = new Uint8Array(nx * ny * nz);
  const lengths = new Float64Array(nx * ny * nz);
  const room = new Float32Array(nx * ny * nz).fill(-1);
  /** Of each column the highest layer known to be clear down to the ground, and the lowest known not to be. */
  const clear = new Int32Array(nx * ny).fill(-1);
  const blocked = new Int32Array(nx * ny).fill(nz);

  const placeOf = (cell: number): Vec3 => {
    const column = cell % (nx * ny);
    const layer = (cell - column) / (nx * ny);
    return [x0 + (column % nx) * cellMm, y0 + Math.floor(column / nx) * cellMm, space.groundMm + layer * cellMm];
  };

  /** How far the model is away from a cell, as far as that is of use; 0 where there is no room for a twig. */
  const roomAt = (cell: number): number => {
    if (room[cell] < 0) {
      const place = placeOf(cell);
      const away = distanceTo(space.facets, place, REACH_MM + 2 * cellMm);
      room[cell] = away >= REACH_MM && ballFits(space, { place, radiusMm: TWIG_MM }) ? away : 0;
    }
    return room[cell];
  };

  const dropsFrom = (cell: number): boolean => {
    const column = cell % (nx * ny);
    const layer = (cell - column) / (nx * ny);
    if (layer <= clear[column]) return true;
    if (layer >= blocked[column]) return false;
    const isFree = isClear(space, placeOf(cell), placeOf(column), REACH_MM);
    if (isFree) clear[column] = layer;
    else blocked[column] = layer;
    return isFree;
  };

  /** The cell that a step leads to, −1 where it leads out of the lattice or through the model. */
  const after = (cell: number, number: number): number => {
    const [dx, dy, dz] = STEPS[number];
    const column = cell % (nx * ny);
    const x = (column % nx) + dx;
    const y = Math.floor(column / nx) + dy;
    const next = cell + dx + dy * nx - dz * nx * ny;
    if (x < 0 || x >= nx || y < 0 || y >= ny || next < 0 || roomAt(next) === 0) return -1;
    // The model is as far from any point between two cells as from either, less the way to it.
    const surely = (roomAt(cell) + roomAt(next) - STEP_LENGTHS[number] * cellMm) / 2;
    return surely >= REACH_MM || isClear(space, placeOf(cell), placeOf(next), REACH_MM) ? next : -1;
  };

  const solve = (cells: readonly number[]): void => {
    const layers: number[][] = Array.from({ length: nz }, () => []);
    const see = (cell: number): void => {
      if (state[cell] !== UNSEEN) return;
      state[cell] = SEEN;
      layers[Math.floor(cell / (nx * ny))].push(cell);
    };
    for (const cell of cells) see(cell);
    for (let layer = nz - 1; layer >= 0; layer--) {
      for (const [i, cell] of layers[layer].entries()) {
        if (i % CELLS_PER_CHECK === 0) space.checkIn();
        if (dropsFrom(cell)) {
          state[cell] = SOLVED;
          step[cell] = DROP;
          lengths[cell] = layer * cellMm;
          continue;
        }
        for (let number = 0; number < STEPS.length; number++) {
          const next = after(cell, number);
          if (next >= 0) see(next);
        }
      }
    }
    for (const [i, cell] of layers.flat().entries()) {
      if (i % CELLS_PER_CHECK === 0) space.checkIn();
      if (state[cell] === SOLVED) continue;
      state[cell] = SOLVED;
      step[cell] = NONE;
      lengths[cell] = Infinity;
      for (let number = 0; number < STEPS.length; number++) {
        const next = after(cell, number);
        if (next < 0) continue;
        const length = STEP_LENGTHS[number] * cellMm + lengths[next];
        if (length >= lengths[cell]) continue;
        lengths[cell] = length;
        step[cell] = number;
      }
    }
  };

  /** Cells below a place that a twig can go to at once. */
  const cellsBelow = (place: Vec3): number[] => {
    const [i, j] = [Math.floor((place[0] - x0) / cellMm), Math.floor((place[1] - y0) / cellMm)];
    const k = Math.floor((place[2] - space.groundMm) / cellMm);
    const cells: number[] = [];
    for (let layer = Math.min(nz - 1, k); layer >= Math.max(0, k - 2); layer--) {
      for (let y = Math.max(0, j - 1); y <= Math.min(ny - 1, j + 2); y++) {
        for (let x = Math.max(0, i - 1); x <= Math.min(nx - 1, i + 2); x++) {
          const cell = x + nx * (y + ny * layer);
          if (!isSteep(place, placeOf(cell)) || roomAt(cell) === 0) continue;
          if (isClear(space, place, placeOf(cell), REACH_MM - WIDENING_MM)) cells.push(cell);
        }
      }
    }
    return cells;
  };

  return {
    from(place) {
      const cells = cellsBelow(place);
      solve(cells);
      let best = -1;
      let least = Infinity;
      for (const cell of cells) {
        const length = distanceMm(place, placeOf(cell)) + lengths[cell];
        if (length >= least) continue;
        least = length;
        best = cell;
      }
      if (best < 0) return undefined;
      const places = [placeOf(best)];
      for (let cell = best; step[cell] !== DROP; places.push(placeOf(cell))) cell = after(cell, step[cell]);
      return places;
    },
  };
}
