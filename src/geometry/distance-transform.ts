import type { Progress } from "../core/progress.ts";

// Exact Euclidean distance and feature transforms of voxel grids, and of pixels where there is one layer. Each axis is processed in
// turn: rows by two sweeps, then columns and layers by the lower envelope of parabolas.

/** The size of a grid of voxels. Voxel (x, y, z) has the index (z · rows + y) · columns + x. */
export interface GridSize {
  readonly columns: number;
  readonly rows: number;
  readonly layers: number;
}

export const voxelCount = ({ columns, rows, layers }: GridSize): number => columns * rows * layers;

/** Squared distances in voxels. */
export type SquaredDistances = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/**
 * The distance transform: the squared distance, in voxels, from the centre of each voxel to the centre of the nearest seed. Exact up
 * to `limit` voxels, and `limit`² if no seed is nearer. `limit` is an integer, at most 20,000. Takes 2 bytes for each voxel if the
 * limit is at most 255, else 4. Time is proportional to the number of voxels. Source: {@link newLowerEnvelope}.
 */
export function squaredDistances(
  isSeed: Uint8Array,
  size: GridSize,
  limit: number,
  progress: Progress,
): SquaredDistances {
  const most = limit * limit;
  const squares = most < 2 ** 16 ? new Uint16Array(voxelCount(size)) : new Uint32Array(voxelCount(size));
  const longest = Math.max(size.rows, size.layers);
  const { lowest, find } = newLowerEnvelope(longest);
  const heights = new Int32Array(COLUMNS_AT_ONCE * longest);
  const hasNear = new Uint8Array(COLUMNS_AT_ONCE);
  sweepAxes(size, progress, {
    row: (first) => distancesAlongRow(isSeed, squares, first, size.columns, limit),
    lines(x, _, row, length, stride) {
      const count = Math.min(COLUMNS_AT_ONCE, size.columns - x);
      hasNear.fill(0);
      for (let i = 0, at = row + x; i < length; i++, at += stride) {
        for (let k = 0; k < count; k++) {
          const square = squares[at + k];
          heights[k * longest + i] = square < most ? square : FAR;
          if (square < most) hasNear[k] = 1;
        }
      }
      for (let k = 0; k < count; k++) {
        if (hasNear[k] === 0) continue;
        const line = k * longest;
        find(heights, line, length);
        for (let i = 0, at = row + x + k; i < length; i++, at += stride) {
          const from = lowest[i];
          const square = heights[line + from] + (i - from) * (i - from);
          squares[at] = square < most ? square : most;
        }
      }
    },
  });
  return squares;
}

function distancesAlongRow(
  isSeed: Uint8Array,
  squares: SquaredDistances,
  first: number,
  columns: number,
  limit: number,
): void {
  let distance = limit;
  for (let at = first; at < first + columns; at++) {
    distance = isSeed[at] === 0 ? (distance < limit ? distance + 1 : limit) : 0;
    squares[at] = distance * distance;
  }
  distance = limit;
  for (let at = first + columns - 1; at >= first; at--) {
    distance = isSeed[at] === 0 ? (distance < limit ? distance + 1 : limit) : 0;
    const square = distance * distance;
    if (square < squares[at]) squares[at] = square;
  }
}

/** A voxel without a seed. */
export const NO_SEED = 0xffff_ffff;

/**
 * The feature transform: sets each voxel to the index of its nearest seed if that is at most `limit` voxels away. `seeds` has the
 * index of the seed in each voxel or {@link NO_SEED}, `places` x, y and z of each seed; a grid has at most 65,536 voxels along an
 * axis. The choice between equally near seeds is deterministic. Works in place: 4 bytes for each voxel. Source: {@link
 * newLowerEnvelope}.
 */
export function featureTransform(
  seeds: Uint32Array,
  places: Uint16Array,
  size: GridSize,
  limit: number,
  progress: Progress,
): void {
  const most = Math.floor(limit * limit);
  const longest = Math.max(size.rows, size.layers);
  const { lowest, find } = newLowerEnvelope(longest);
  const heights = new Int32Array(COLUMNS_AT_ONCE * longest);
  const labels = new Uint32Array(heights.length);
  const hasSeed = new Uint8Array(COLUMNS_AT_ONCE);
  sweepAxes(size, progress, {
    row: (first) => featuresAlongRow(seeds, places, first, size.columns, Math.floor(limit)),
    lines(x, y, row, length, stride) {
      const count = Math.min(COLUMNS_AT_ONCE, size.columns - x);
      hasSeed.fill(0);
      for (let i = 0, at = row + x; i < length; i++, at += stride) {
        for (let k = 0; k < count; k++) {
          const label = seeds[at + k];
          let height = FAR;
          if (label !== NO_SEED) {
            const dx = x + k - places[3 * label];
            const dy = y === undefined ? 0 : y - places[3 * label + 1];
            height = dx * dx + dy * dy;
            hasSeed[k] = 1;
          }
          heights[k * longest + i] = height;
          labels[k * longest + i] = label;
        }
      }
      for (let k = 0; k < count; k++) {
        if (hasSeed[k] === 0) continue;
        const line = k * longest;
        find(heights, line, length);
        for (let i = 0, at = row + x + k; i < length; i++, at += stride) {
          const from = lowest[i];
          const isNear = heights[line + from] + (i - from) * (i - from) <= most;
          seeds[at] = isNear ? labels[line + from] : NO_SEED;
        }
      }
    },
  });
}

function featuresAlongRow(
  seeds: Uint32Array,
  places: Uint16Array,
  first: number,
  columns: number,
  reach: number,
): void {
  let near = NO_SEED;
  let age = reach;
  for (let at = first; at < first + columns; at++) {
    if (seeds[at] !== NO_SEED) {
      near = seeds[at];
      age = 0;
    } else if (++age <= reach) seeds[at] = near;
  }
  near = NO_SEED;
  age = reach;
  for (let x = columns - 1; x >= 0; x--) {
    const at = first + x;
    const label = seeds[at];
    // A voxel whose seed has the same x is the seed itself; the forward sweep has set the others.
    if (label !== NO_SEED && places[3 * label] === x) {
      near = label;
      age = 0;
    } else if (++age <= reach && (label === NO_SEED || age < x - places[3 * label])) seeds[at] = near;
  }
}

/** Adjacent columns that are processed together: their voxels share cache lines. */
const COLUMNS_AT_ONCE = 32;

/** The work along the axes of a grid. */
interface AxisSweeps {
  /** Processes the row of voxels that begins at index `first`. */
  row(first: number): void;
  /**
   * Processes up to {@link COLUMNS_AT_ONCE} adjacent lines of `length` voxels, `stride` apart, from column `x` on. `row` is the index
   * of the first voxel of their first row. `y` is undefined for lines along the columns of a layer, else the row of lines across layers.
   */
  lines(x: number, y: number | undefined, row: number, length: number, stride: number): void;
}

function sweepAxes({ columns, rows, layers }: GridSize, progress: Progress, { row, lines }: AxisSweeps): void {
  const alongX = progress.part(0, 0.2);
  for (let z = 0; z < layers; z++) {
    alongX.report(z / layers);
    for (let y = 0; y < rows; y++) row((z * rows + y) * columns);
  }
  const alongY = progress.part(0.2, 0.6);
  for (let z = 0; z < layers; z++) {
    alongY.report(z / layers);
    for (let x = 0; x < columns; x += COLUMNS_AT_ONCE) lines(x, undefined, z * rows * columns, rows, columns);
  }
  if (layers === 1) return;
  const alongZ = progress.part(0.6, 1);
  for (let y = 0; y < rows; y++) {
    alongZ.report(y / rows);
    for (let x = 0; x < columns; x += COLUMNS_AT_ONCE) lines(x, y, y * columns, layers, rows * columns);
  }
}

/** The height of a parabola that does not exist; more than any squared distance. */
const FAR = 2 ** 30;

/** The lower envelope of parabolas along a line of cells. */
interface LowerEnvelope {
  /** For each cell, the cell whose parabola is lowest there, the first of equals; −1 for all cells if there is no parabola. */
  readonly lowest: Int32Array;
  /**
   * Computes `lowest` for `length` cells. The parabola of cell i is heights[first + i] + (x − i)²; the height {@link FAR} means no
   * parabola.
   */
  readonly find: (heights: Int32Array, first: number, length: number) => void;
}

/**
 * The envelope for lines of up to `capacity` cells. Computed with integers, so the result is exact. Source: A. Meijster, J. Roerdink,
 * W. Hesselink, "A general algorithm for computing distance transforms in linear time" (2000), second phase.
 */
function newLowerEnvelope(capacity: number): LowerEnvelope {
  const lowest = new Int32Array(capacity);
  /** The parabolas of the envelope from left to right, and for each the first cell at which it is lowest. */
  const parabolas = new Int32Array(capacity);
  const froms = new Int32Array(capacity);
  const find = (heights: Int32Array, first: number, length: number): void => {
    let top = -1;
    for (let i = 0; i < length; i++) {
      const height = heights[first + i];
      if (height === FAR) continue;
      let from = 0;
      for (; top >= 0; top--) {
        const known = parabolas[top];
        // The older parabola is lowest somewhere unless the new one is lower from its first cell on.
        const rise = i * i - known * known + height - heights[first + known];
        if (rise >= 2 * (i - known) * froms[top]) {
          from = 1 + ((rise / (2 * (i - known))) | 0);
          break;
        }
      }
      if (from >= length) continue;
      parabolas[++top] = i;
      froms[top] = from;
    }
    if (top < 0) {
      lowest.fill(-1, 0, length);
      return;
    }
    for (let cell = length - 1; cell >= 0; cell--) {
      lowest[cell] = parabolas[top];
      if (cell === froms[top]) top--;
    }
  };
  return { lowest, find };
}
