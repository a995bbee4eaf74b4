import type { GridSize } from "../geometry/distance-transform.ts";
import type { PartField } from "./part-shape.ts";
import type { AxisTurn } from "./turns.ts";

/** A field turned: sizes of the turned grid, the index of its first voxel, and the steps in the field along its axes. */
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
  /** x, y and lowest z of each column of cells in which any is covered. */
  readonly bottoms: Int32Array;
  /** From the first corner of the box of covered cells to the centre of the part's box, in cells. */
  readonly toCentre: readonly [number, number, number];
  /** Mean height of the covered cells above the box. */
  readonly centroid: number;
  /** Covered cells in each layer. */
  readonly areas: Int32Array;
}

/** The longest run that two looks at a tray test: see `tray.ts`. */
const MAX_RUN = 255;

export function orientedShape(field: PartField, turn: AxisTurn): OrientedShape {
  const cells = { columns: field.columns / 2, rows: field.rows / 2, layers: field.layers / 2 };
  const { columns: cellsX, rows: cellsY, layers: cellsZ, first, strideX, strideY, strideZ } = turnedAxes(cells, turn);
  const { covered } = field;
  const found: number[] = [];
  const bottoms = new Map<number, number>();
  const lowest = [cellsX, cellsY, cellsZ];
  const highest = [0, 0, 0];
  const areas = new Int32Array(cellsZ);
  let [count, moment] = [0, 0];
  for (let z = 0; z < cellsZ; z++) {
    for (let y = 0; y < cellsY; y++) {
      const row = first + y * strideY + z * strideZ;
      for (let x = 0; x < cellsX; x++) {
        if (covered[row + x * strideX] === 0) continue;
        const from = x;
        for (; x < cellsX && x - from < MAX_RUN && covered[row + x * strideX] === 1; x++) {
          const column = y * cellsX + x;
          if (!bottoms.has(column)) bottoms.set(column, z);
        }
        const length = x - from;
        x--;
        found.push(from, y, z, length);
        lowest[0] = Math.min(lowest[0], from);
        lowest[1] = Math.min(lowest[1], y);
        lowest[2] = Math.min(lowest[2], z);
        highest[0] = Math.max(highest[0], from + length);
        highest[1] = Math.max(highest[1], y + 1);
        highest[2] = Math.max(highest[2], z + 1);
        areas[z] += length;
        count += length;
        moment += length * (z + 0.5);
      }
    }
  }
  const [lowX, lowY, lowZ] = lowest;
  return {
    columns: highest[0] - lowX,
    rows: highest[1] - lowY,
    layers: highest[2] - lowZ,
    runs: sortedRuns(Int32Array.from(found, (value, i) => value - (i % 4 === 3 ? 0 : lowest[i % 4]))),
    bottoms: Int32Array.from(
      [...bottoms].flatMap(([column, z]) => [(column % cellsX) - lowX, Math.floor(column / cellsX) - lowY, z - lowZ]),
    ),
    toCentre: [cellsX / 2 - lowX, cellsY / 2 - lowY, cellsZ / 2 - lowZ],
    centroid: moment / count - lowZ,
    areas: areas.slice(lowZ, highest[2]),
  };
}

/** The fractional part of multiples of this are spread evenly (the golden ratio). */
const GOLDEN = 0.6180339887498949;

/** Long runs first, of which neighbours in the order lie far apart: so few looks suffice to see that no place is free. */
function sortedRuns(runs: Int32Array): Int32Array {
  const order = Array.from({ length: runs.length / 4 }, (_, i) => i).sort(
    (a, b) => runs[4 * b + 3] - runs[4 * a + 3] || a - b,
  );
  const half = order.length >> 1;
  const keys = order.map((_, i) => (i < half ? (i * GOLDEN) % 1 : 1 + i));
  const spread = order.map((_, i) => i).sort((a, b) => keys[a] - keys[b]);
  return Int32Array.from(spread.flatMap((i) => [...runs.subarray(4 * order[i], 4 * order[i] + 4)]));
}
