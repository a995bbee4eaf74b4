import type { Watch } from "../../core/watch.ts";
import { cellsOf, cornerOffsets } from "./cell-vertex.ts";
import { blockNumbers, blocksAlong, type Field } from "./field.ts";

/** Of the six faces of a cell the four corners in a row around each. */
const FACES = [
  [0, 1, 3, 2],
  [4, 5, 7, 6],
  [0, 1, 5, 4],
  [2, 3, 7, 6],
  [0, 2, 6, 4],
  [1, 3, 7, 5],
] as const;

/**
 * 1 for each set of corners of a cell across which the boundary of the voxels would not be a surface: two of them meet at an edge
 * alone, or at a corner alone. Source: L. Latecki, "3D well-composed pictures" (1997).
 */
const IS_CRITICAL = Uint8Array.from({ length: 256 }, (_, corners) => {
  const has = (corner: number): boolean => ((corners >> corner) & 1) === 1;
  const isFaceCritical = FACES.some(([a, b, c, d]) => has(a) === has(c) && has(b) === has(d) && has(a) !== has(b));
  const isPair = (set: number): boolean => [0, 1, 2, 3].some((corner) => set === ((1 << corner) | (1 << (7 - corner))));
  return isFaceCritical || isPair(corners) || isPair(corners ^ 255) ? 1 : 0;
});

/**
 * Takes voxels with values from 0 up away, the weakest of those in question first, until the boundary of the others is a surface that
 * meets itself at no edge and no corner. Voxels taken away get the value −1.
 */
export function makeWellComposed(field: Field, watch: Watch): void {
  const { columns, rows, layers, values, isCrossed } = field;
  const { cornersOf } = cellsOf(values, field, 0);
  const offsets = cornerOffsets(field);
  const waiting: number[] = [];
  const [blocksX, blocksY] = [blocksAlong(columns), blocksAlong(rows)];
  const numberOf = blockNumbers(field);

  const settle = (cell: number): void => {
    while (IS_CRITICAL[cornersOf(cell)] === 1) {
      let weakest = -1;
      for (const offset of offsets) {
        const value = values[cell + offset];
        if (value >= 0 && (weakest < 0 || value < values[weakest])) weakest = cell + offset;
      }
      values[weakest] = -1;
      for (const offset of offsets) {
        waiting.push(weakest - offset);
        isCrossed[numberOf(weakest - offset)] = 1;
      }
    }
  };
  for (let z = 0; z + 1 < layers; z++) {
    watch.report(z / layers);
    for (let y = 0; y + 1 < rows; y++) {
      const blockRow = ((z >> 1) * blocksY + (y >> 1)) * blocksX;
      for (let x = 0; x + 1 < columns; x++) {
        if (isCrossed[blockRow + (x >> 1)] === 0) {
          x |= 1;
          continue;
        }
        const cell = (z * rows + y) * columns + x;
        if (IS_CRITICAL[cornersOf(cell)] === 0) continue;
        waiting.push(cell);
        while (waiting.length > 0) settle(waiting.pop()!);
      }
    }
  }
}
