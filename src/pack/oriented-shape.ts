import type { GridSize } from "../geometry/distance-transform.ts";
import type { PartField } from "./part-shape.ts";
import type { AxisTurn } from "./turns.ts";

/** A rotated field: sizes of the rotated grid, the index of its first voxel, and the steps in the field along its axes. */
interface TurnedAxes extends GridSize {
  readonly first: number;
  readonly strideX: number;
  readonly strideY: number;
  readonly strideZ: number;
}

export function turnedAxes({ columns, rows, layers }: GridSize, { axes, signs }: AxisTurn): TurnedAxes {
  const sizes = [columns, rows, layers];
  const steps = [1, columns, columns * rows];
  const [strideX, strideY, strideZ] = axes.map((axis, i) => signs[i] * steps[axis]);
  const first = axes.reduce<number>((sum, axis, i) => sum + (signs[i] < 0 ? (sizes[axis] - 1) * steps[axis] : 0), 0);
  return { columns: sizes[axes[0]], rows: sizes[axes[1]], layers: sizes[axes[2]], first, strideX, strideY, strideZ };
}

/**
 * The cells of the chamber that a part covers in one orientation. A cell is 2 × 2 × 2 voxels of the field. Sizes are those of the box of
 * the covered cells.
 */
export interface OrientedShape extends GridSize {
  /** Runs of covered cells along x: x, y, z, length of each; early ones are long and far apart. */
  readonly runs: Int32Array;
  /** x, y and lowest z of each column of cells that has a covered one. */
  readonly bottoms: Int32Array;
  /** Vector from the first corner of the box of covered cells to the centre of the part's box, in cells. */
  readonly toCentre: readonly [number, number, number];
  /** Mean height of the covered cells above the box. */
  readonly centroid: number;
  /** Covered cells in each layer. */
  readonly areas: Int32Array;
}

/** The longest run that two lookups in a tray test: see `tray.ts`. */
const MAX_RUN = 255;

export function orientedShape(field: PartField, turn: AxisTurn): OrientedShape {
  const cells = { columns: field.columns / 2, rows: field.rows / 2, layers: field.layers / 2 };
  const { columns: cellsX, rows: cellsY, layers: cellsZ, first, strideX, strideY, strideZ } = turnedAxes(cells, turn);
  const { covered } = field;
  const found: number[] = [];
  const bottoms: number[] = [];
  const hasBottom = new Uint8Array(cellsX * cellsY);
  const areas = new Int32Array(cellsZ);
  let [lowX, lowY, lowZ] = [cellsX, cellsY, cellsZ];
  let [highX, highY, highZ] = [0, 0, 0];
  let [count, moment] = [0, 0];
  for (let z = 0; z < cellsZ; z++) {
    for (let y = 0; y < cellsY; y++) {
      const row = first + y * strideY + z * strideZ;
      const before = found.length;
      for (let x = 0; x < cellsX; x++) {
        if (covered[row + x * strideX] === 0) continue;
        const from = x;
        for (; x < cellsX && x - from < MAX_RUN && covered[row + x * strideX] === 1; x++) {
          if (hasBottom[y * cellsX + x] === 1) continue;
          hasBottom[y * cellsX + x] = 1;
          bottoms.push(x, y, z);
        }
        const length = x - from;
        x--;
        found.push(from, y, z, length);
        lowX = Math.min(lowX, from);
        highX = Math.max(highX, from + length);
        areas[z] += length;
        count += length;
        moment += length * (z + 0.5);
      }
      if (found.length === before) continue;
      lowY = Math.min(lowY, y);
      lowZ = Math.min(lowZ, z);
      highY = Math.max(highY, y + 1);
      highZ = z + 1;
    }
  }
  return {
    columns: highX - lowX,
    rows: highY - lowY,
    layers: highZ - lowZ,
    runs: sortedRuns(moved(found, 4, lowX, lowY, lowZ)),
    bottoms: moved(bottoms, 3, lowX, lowY, lowZ),
    toCentre: [cellsX / 2 - lowX, cellsY / 2 - lowY, cellsZ / 2 - lowZ],
    centroid: moment / count - lowZ,
    areas: areas.slice(lowZ, highZ),
  };
}

/** Records of `size` numbers that begin with x, y, z, from another origin. */
function moved(records: readonly number[], size: number, x: number, y: number, z: number): Int32Array {
  const numbers = Int32Array.from(records);
  for (let at = 0; at < numbers.length; at += size) {
    numbers[at] -= x;
    numbers[at + 1] -= y;
    numbers[at + 2] -= z;
  }
  return numbers;
}

/** Fractional parts of its multiples are spread evenly (the golden ratio). */
const GOLDEN = 0.6180339887498949;
/** Number of steps to which fractions are rounded, and upper limit of indices, so that both form one number for sorting. */
const FRACTIONS = 2 ** 30;
const INDICES = 2 ** 22;

/** Long runs first, with consecutive ones far apart: few lookups then suffice to show that a place is not free. */
function sortedRuns(runs: Int32Array): Int32Array {
  const count = runs.length / 4;
  const order = Float64Array.from({ length: count }, (_, i) => (MAX_RUN - runs[4 * i + 3]) * INDICES + i).sort();
  const half = count >> 1;
  const spread = Float64Array.from(
    { length: half },
    (_, i) => Math.floor(((i * GOLDEN) % 1) * FRACTIONS) * INDICES + i,
  );
  const rank = spread.sort();
  const sorted = new Int32Array(runs.length);
  for (let i = 0; i < count; i++) {
    const run = order[i < half ? rank[i] % INDICES : i] % INDICES;
    for (let k = 0; k < 4; k++) sorted[4 * i + k] = runs[4 * run + k];
  }
  return sorted;
}
