import { memoize } from "../../core/memoize.ts";
import { type Vec3, distance } from "../../geometry/vector.ts";
import { distanceToSurface } from "../../mesh/bvh/closest-point.ts";
import { MAX_WIDENING_MM, type RoutingSpace, isBallInVolume, isPathClear } from "./clearance.ts";
import { CLEARANCE_MM, TWIG_RADIUS_MM, isSteep } from "./support-tree.ts";

/**
 * The shortest path of a twig from a point close to the model down to the ground, without the point itself: nodes of a lattice, the
 * last with only air below. Undefined if the model encloses the point.
 */
export const pathToGround = (space: RoutingSpace, from: Vec3): Vec3[] | undefined => pathFinderOf(space).pathFrom(from);

/** Most models need no path around them, so the lattice is made on first use. */
const pathFinderOf = memoize((space: RoutingSpace) => new PathFinder(space));

/** Cells of the lattice at most; around larger models cells are larger. */
const MAX_CELLS = 500_000;
const CELLS_PER_CHECK = 256;
const MIN_CELL_MM = 1;
/** Margin of the lattice around the box of the model: more than the reach of a tip. */
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
/** Special values for the index of a step: the path ends with a vertical drop; there is no path. */
const [DROP, NONE] = [254, 255];

/**
 * Dynamic programming on a lattice around the box of a model, from the ground to its top. All steps lead down, so the
 * shortest path from a cell follows from those of cells below: cells that can be reached are collected downward, path
 * lengths are computed upward. Results are kept for later points.
 */
class PathFinder {
  readonly #space: RoutingSpace;
  readonly #cellMm: number;
  /** Number of cells along x, y and z. */
  readonly #size: readonly [nx: number, ny: number, nz: number];
  /** The corner of the lattice. */
  readonly #origin: readonly [x: number, y: number];
  readonly #state: Uint8Array;
  readonly #bestStep: Uint8Array;
  readonly #lengths: Float64Array;
  readonly #clearances: Float32Array;
  /** For each column, the highest layer known to be clear down to the ground, and the lowest known not to be. */
  readonly #clearTo: Int32Array;
  readonly #blockedFrom: Int32Array;

  constructor(space: RoutingSpace) {
    // The box of the root is the model's. Cube roots are rounded: engines differ in their last bits.
    const { boxes } = space.bvh;
    const size = [0, 1].map((axis) => boxes[3 + axis] - boxes[axis] + 2 * MARGIN_MM);
    const heightMm = Math.max(1, boxes[5] - space.groundMm + 1);
    const cellMm = Math.max(MIN_CELL_MM, Math.fround(Math.cbrt((size[0] * size[1] * heightMm) / MAX_CELLS)));
    const [nx, ny, nz] = [size[0], size[1], heightMm].map((length) => Math.ceil(length / cellMm) + 1);
    this.#space = space;
    this.#cellMm = cellMm;
    this.#size = [nx, ny, nz];
    this.#origin = [boxes[0] - MARGIN_MM, boxes[1] - MARGIN_MM];
    this.#state = new Uint8Array(nx * ny * nz);
    this.#bestStep = new Uint8Array(nx * ny * nz);
    this.#lengths = new Float64Array(nx * ny * nz);
    this.#clearances = new Float32Array(nx * ny * nz).fill(-1);
    this.#clearTo = new Int32Array(nx * ny).fill(-1);
    this.#blockedFrom = new Int32Array(nx * ny).fill(nz);
  }

  /** The shortest path from a point to the ground; undefined if there is none. */
  pathFrom(from: Vec3): Vec3[] | undefined {
    const cells = this.#cellsBelow(from);
    this.#collectReachable(cells);
    let best = -1;
    let least = Infinity;
    for (const cell of cells) {
      const length = distance(from, this.#placeOf(cell)) + this.#lengths[cell];
      if (length >= least) continue;
      least = length;
      best = cell;
    }
    if (best < 0) return undefined;
    const path = [this.#placeOf(best)];
    for (let cell = best; this.#bestStep[cell] !== DROP; path.push(this.#placeOf(cell))) {
      cell = this.#cellAfter(cell, this.#bestStep[cell]);
    }
    return path;
  }

  #placeOf(cell: number): Vec3 {
    const [nx, ny] = this.#size;
    const [x0, y0] = this.#origin;
    const cellMm = this.#cellMm;
    const column = cell % (nx * ny);
    const layer = (cell - column) / (nx * ny);
    return [x0 + (column % nx) * cellMm, y0 + Math.floor(column / nx) * cellMm, this.#space.groundMm + layer * cellMm];
  }

  /** Distance of a cell from the model, up to a limit beyond which it does not matter; 0 if a twig does not fit. */
  #clearanceAt(cell: number): number {
    const clearances = this.#clearances;
    if (clearances[cell] < 0) {
      const centre = this.#placeOf(cell);
      const distanceMm = distanceToSurface(this.#space.bvh, centre, REACH_MM + 2 * this.#cellMm);
      const fits = distanceMm >= REACH_MM && isBallInVolume(this.#space, { centre, radiusMm: TWIG_RADIUS_MM });
      clearances[cell] = fits ? distanceMm : 0;
    }
    return clearances[cell];
  }

  #canDrop(cell: number): boolean {
    const [nx, ny] = this.#size;
    const column = cell % (nx * ny);
    const layer = (cell - column) / (nx * ny);
    if (layer <= this.#clearTo[column]) return true;
    if (layer >= this.#blockedFrom[column]) return false;
    const isFree = isPathClear(this.#space, this.#placeOf(cell), this.#placeOf(column), REACH_MM);
    if (isFree) this.#clearTo[column] = layer;
    else this.#blockedFrom[column] = layer;
    return isFree;
  }

  /** The cell to which a step leads; −1 if it leaves the lattice or passes too close to the model. */
  #cellAfter(cell: number, step: number): number {
    const [nx, ny] = this.#size;
    const [dx, dy, dz] = STEPS[step];
    const column = cell % (nx * ny);
    const x = (column % nx) + dx;
    const y = Math.floor(column / nx) + dy;
    const next = cell + dx + dy * nx - dz * nx * ny;
    if (x < 0 || x >= nx || y < 0 || y >= ny || next < 0 || this.#clearanceAt(next) === 0) return -1;
    // No point between two cells is nearer to the model than this bound, by the triangle inequality.
    const bound = (this.#clearanceAt(cell) + this.#clearanceAt(next) - STEP_LENGTHS[step] * this.#cellMm) / 2;
    const isClear = bound >= REACH_MM || isPathClear(this.#space, this.#placeOf(cell), this.#placeOf(next), REACH_MM);
    return isClear ? next : -1;
  }

  /** Finds the cells that can be reached from some cells, and the lengths of their paths. */
  #collectReachable(cells: readonly number[]): void {
    const [nx, ny, nz] = this.#size;
    const state = this.#state;
    const layers: number[][] = Array.from({ length: nz }, () => []);
    const see = (cell: number): void => {
      if (state[cell] !== UNSEEN) return;
      state[cell] = SEEN;
      layers[Math.floor(cell / (nx * ny))].push(cell);
    };
    for (const cell of cells) see(cell);
    for (let layer = nz - 1; layer >= 0; layer--) {
      for (const [i, cell] of layers[layer].entries()) {
        if (i % CELLS_PER_CHECK === 0) this.#space.checkCancelled();
        if (this.#canDrop(cell)) {
          state[cell] = SOLVED;
          this.#bestStep[cell] = DROP;
          this.#lengths[cell] = layer * this.#cellMm;
          continue;
        }
        for (let step = 0; step < STEPS.length; step++) {
          const next = this.#cellAfter(cell, step);
          if (next >= 0) see(next);
        }
      }
    }
    for (const [i, cell] of layers.flat().entries()) {
      if (i % CELLS_PER_CHECK === 0) this.#space.checkCancelled();
      if (state[cell] !== SOLVED) this.#solve(cell);
    }
  }

  /** Finds the best step from a cell, given the path lengths of all cells below. */
  #solve(cell: number): void {
    const lengths = this.#lengths;
    const bestStep = this.#bestStep;
    this.#state[cell] = SOLVED;
    bestStep[cell] = NONE;
    lengths[cell] = Infinity;
    for (let step = 0; step < STEPS.length; step++) {
      const next = this.#cellAfter(cell, step);
      if (next < 0) continue;
      const length = STEP_LENGTHS[step] * this.#cellMm + lengths[next];
      if (length >= lengths[cell]) continue;
      lengths[cell] = length;
      bestStep[cell] = step;
    }
  }

  /** The cells below a point that a twig can reach in one step. */
  #cellsBelow(from: Vec3): number[] {
    const [nx, ny, nz] = this.#size;
    const [x0, y0] = this.#origin;
    const [i, j] = [Math.floor((from[0] - x0) / this.#cellMm), Math.floor((from[1] - y0) / this.#cellMm)];
    const k = Math.floor((from[2] - this.#space.groundMm) / this.#cellMm);
    const cells: number[] = [];
    for (let layer = Math.min(nz - 1, k); layer >= Math.max(0, k - 2); layer--) {
      for (let y = Math.max(0, j - 1); y <= Math.min(ny - 1, j + 2); y++) {
        for (let x = Math.max(0, i - 1); x <= Math.min(nx - 1, i + 2); x++) {
          const cell = x + nx * (y + ny * layer);
          if (!isSteep(from, this.#placeOf(cell)) || this.#clearanceAt(cell) === 0) continue;
          if (isPathClear(this.#space, from, this.#placeOf(cell), REACH_MM - MAX_WIDENING_MM)) cells.push(cell);
        }
      }
    }
    return cells;
  }
}
