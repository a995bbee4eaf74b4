import { memoize } from "../../core/memoize.ts";
import { type Vec3, distance } from "../../geometry/vector.ts";
import { distanceToSurface } from "../../mesh/bvh/closest-point.ts";
import { MAX_WIDENING_MM, type RoutingSpace, isBallInVolume, isPathClear } from "./clearance.ts";
import { CLEARANCE_MM, TWIG_RADIUS_MM, isSteep } from "./support-tree.ts";

/**
 * The shortest path of a twig from a point close to the model down to the ground, without the point itself: nodes of a lattice, the
 * last with only air below. Undefined if the model encloses the point.
 */
export const pathToGround = (space: RoutingSpace, from: Vec3): Vec3[] | undefined => pathFinderOf(space)(from);

/** Most models need no path around them, so the lattice is made on first use. */
const pathFinderOf = memoize((space: RoutingSpace) => newPathFinder(space));

/** Cells of the lattice at most; around larger models cells are larger. */
const MAX_CELLS = 500_000;
const CELLS_PER_CHECK = 256;
const MIN_CELL_MM = 1;
/** Around the box of the model: more than the reach of a tip. */
const MARGIN_MM = 4;

/**
 * Steps of a path in cells, z downward: straight down, at 45° to four sides, along the diagonals as flat as cells
 * allow.
 */
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

const REACH_MM = TWIG_RADIUS_MM + CLEARANCE_MM + MAX_WIDENING_MM;

/** State of a cell: its paths are unknown, being searched, known. */
const [UNSEEN, SEEN, SOLVED] = [0, 1, 2];
/** In place of the index of a step: the path ends with a vertical drop; there is no path. */
const [DROP, NONE] = [254, 255];

/**
 * Dynamic programming on a lattice around the box of a model, from the ground to its top. All steps lead down, so the
 * shortest path from a cell follows from those of cells below: cells that can be reached are collected downward, path
 * lengths are computed upward. Results are kept for later points.
 */
function newPathFinder(space: RoutingSpace): (from: Vec3) => Vec3[] | undefined {
  // The box of the root is the model's. Cube roots are rounded: engines differ in their last bits.
  const { boxes } = space.bvh;
  const size = [0, 1].map((axis) => boxes[3 + axis] - boxes[axis] + 2 * MARGIN_MM);
  const heightMm = Math.max(1, boxes[5] - space.groundMm + 1);
  const cellMm = Math.max(MIN_CELL_MM, Math.fround(Math.cbrt((size[0] * size[1] * heightMm) / MAX_CELLS)));
  const [nx, ny, nz] = [size[0], size[1], heightMm].map((length) => Math.ceil(length / cellMm) + 1);
  const [x0, y0] = [boxes[0] - MARGIN_MM, boxes[1] - MARGIN_MM];
  const state = new Uint8Array(nx * ny * nz);
  const bestStep = new Uint8Array(nx * ny * nz);
  const lengths = new Float64Array(nx * ny * nz);
  const clearances = new Float32Array(nx * ny * nz).fill(-1);
  /** For each column, the highest layer known to be clear down to the ground, and the lowest known not to be. */
  const clearTo = new Int32Array(nx * ny).fill(-1);
  const blockedFrom = new Int32Array(nx * ny).fill(nz);

  const placeOf = (cell: number): Vec3 => {
    const column = cell % (nx * ny);
    const layer = (cell - column) / (nx * ny);
    return [x0 + (column % nx) * cellMm, y0 + Math.floor(column / nx) * cellMm, space.groundMm + layer * cellMm];
  };

  /** Distance of the model from a cell, up to what matters; 0 where a twig does not fit. */
  const clearanceAt = (cell: number): number => {
    if (clearances[cell] < 0) {
      const centre = placeOf(cell);
      const distanceMm = distanceToSurface(space.bvh, centre, REACH_MM + 2 * cellMm);
      const fits = distanceMm >= REACH_MM && isBallInVolume(space, { centre, radiusMm: TWIG_RADIUS_MM });
      clearances[cell] = fits ? distanceMm : 0;
    }
    return clearances[cell];
  };

  const canDrop = (cell: number): boolean => {
    const column = cell % (nx * ny);
    const layer = (cell - column) / (nx * ny);
    if (layer <= clearTo[column]) return true;
    if (layer >= blockedFrom[column]) return false;
    const isFree = isPathClear(space, placeOf(cell), placeOf(column), REACH_MM);
    if (isFree) clearTo[column] = layer;
    else blockedFrom[column] = layer;
    return isFree;
  };

  /** The cell that a step leads to; −1 where it leaves the lattice or passes too close to the model. */
  const cellAfter = (cell: number, step: number): number => {
    const [dx, dy, dz] = STEPS[step];
    const column = cell % (nx * ny);
    const x = (column % nx) + dx;
    const y = Math.floor(column / nx) + dy;
    const next = cell + dx + dy * nx - dz * nx * ny;
    if (x < 0 || x >= nx || y < 0 || y >= ny || next < 0 || clearanceAt(next) === 0) return -1;
    // Between two cells the model is at least as far as from either, less the way to it.
    const bound = (clearanceAt(cell) + clearanceAt(next) - STEP_LENGTHS[step] * cellMm) / 2;
    return bound >= REACH_MM || isPathClear(space, placeOf(cell), placeOf(next), REACH_MM) ? next : -1;
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
        if (i % CELLS_PER_CHECK === 0) space.checkCancelled();
        if (canDrop(cell)) {
          state[cell] = SOLVED;
          bestStep[cell] = DROP;
          lengths[cell] = layer * cellMm;
          continue;
        }
        for (let step = 0; step < STEPS.length; step++) {
          const next = cellAfter(cell, step);
          if (next >= 0) see(next);
        }
      }
    }
    for (const [i, cell] of layers.flat().entries()) {
      if (i % CELLS_PER_CHECK === 0) space.checkCancelled();
      if (state[cell] === SOLVED) continue;
      state[cell] = SOLVED;
      bestStep[cell] = NONE;
      lengths[cell] = Infinity;
      for (let step = 0; step < STEPS.length; step++) {
        const next = cellAfter(cell, step);
        if (next < 0) continue;
        const length = STEP_LENGTHS[step] * cellMm + lengths[next];
        if (length >= lengths[cell]) continue;
        lengths[cell] = length;
        bestStep[cell] = step;
      }
    }
  };

  /** The cells below a point that a twig can reach in one step. */
  const cellsBelow = (from: Vec3): number[] => {
    const [i, j] = [Math.floor((from[0] - x0) / cellMm), Math.floor((from[1] - y0) / cellMm)];
    const k = Math.floor((from[2] - space.groundMm) / cellMm);
    const cells: number[] = [];
    for (let layer = Math.min(nz - 1, k); layer >= Math.max(0, k - 2); layer--) {
      for (let y = Math.max(0, j - 1); y <= Math.min(ny - 1, j + 2); y++) {
        for (let x = Math.max(0, i - 1); x <= Math.min(nx - 1, i + 2); x++) {
          const cell = x + nx * (y + ny * layer);
          if (!isSteep(from, placeOf(cell)) || clearanceAt(cell) === 0) continue;
          if (isPathClear(space, from, placeOf(cell), REACH_MM - MAX_WIDENING_MM)) cells.push(cell);
        }
      }
    }
    return cells;
  };

  return (from) => {
    const cells = cellsBelow(from);
    solve(cells);
    let best = -1;
    let least = Infinity;
    for (const cell of cells) {
      const length = distance(from, placeOf(cell)) + lengths[cell];
      if (length >= least) continue;
      least = length;
      best = cell;
    }
    if (best < 0) return undefined;
    const path = [placeOf(best)];
    for (let cell = best; bestStep[cell] !== DROP; path.push(placeOf(cell))) cell = cellAfter(cell, bestStep[cell]);
    return path;
  };
}
