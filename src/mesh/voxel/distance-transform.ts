import type { Watch } from "../../core/watch.ts";
import { type GridSize, voxelCount } from "./grid-size.ts";
import { FAR, newEnvelope } from "./lower-envelope.ts";

/** Squared distances in voxels. */
export type SquaredDistances = Uint16Array<ArrayBuffer> | Uint32Array<ArrayBuffer>;

/** Columns of voxels that are worked on at once: neighbours in memory, a cache line or two of them. */
const COLUMNS_AT_ONCE = 32;

/**
 * The squared distance, in voxels, from the middle of each voxel to that of the nearest seed: exact up to `limit` voxels, and
 * `limit`² where the nearest is as far or farther. `limit` is a whole number, at most 20,000. Takes 2 bytes for each voxel where
 * the limit is at most 255, else 4; time grows with the voxels alone, and what is far from all seeds takes least. Source: as
 * of {@link newEnvelope}.
 */
export function squaredDistances(isSeed: Uint8Array, size: GridSize, limit: number, watch: Watch): SquaredDistances {
  const { columns, rows, layers } = size;
  const most = limit * limit;
  const squares = most < 2 ** 16 ? new Uint16Array(voxelCount(size)) : new Uint32Array(voxelCount(size));
  const inRow = watch.part(0, 0.2);
  for (let z = 0; z < layers; z++) {
    inRow.report(z / layers);
    for (let y = 0; y < rows; y++) alongRow(isSeed, squares, (z * rows + y) * columns, columns, limit);
  }
  const lowerLine = newLineWork(Math.max(rows, layers), most);
  const inLayer = watch.part(0.2, 0.6);
  for (let z = 0; z < layers; z++) {
    inLayer.report(z / layers);
    const first = z * rows * columns;
    for (let x = 0; x < columns; x += COLUMNS_AT_ONCE) {
      lowerLine(squares, first + x, Math.min(COLUMNS_AT_ONCE, columns - x), rows, columns);
    }
  }
  const across = watch.part(0.6, 1);
  for (let y = 0; y < rows; y++) {
    across.report(y / rows);
    for (let x = 0; x < columns; x += COLUMNS_AT_ONCE) {
      lowerLine(squares, y * columns + x, Math.min(COLUMNS_AT_ONCE, columns - x), layers, rows * columns);
    }
  }
  return squares;
}

function alongRow(isSeed: Uint8Array, squares: SquaredDistances, first: number, columns: number, limit: number): void {
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

/** Works `count` neighbouring lines of `length` voxels, `stride` apart, over; the first begins at `first`. */
type LineWork = (squares: SquaredDistances, first: number, count: number, length: number, stride: number) => void;

function newLineWork(longest: number, most: number): LineWork {
  const { lowest, find } = newEnvelope(longest);
  const lines = new Int32Array(COLUMNS_AT_ONCE * longest);
  const nears = new Uint8Array(COLUMNS_AT_ONCE);
  return (squares, first, count, length, stride) => {
    nears.fill(0);
    for (let i = 0, at = first; i < length; i++, at += stride) {
      for (let k = 0; k < count; k++) {
        const square = squares[at + k];
        lines[k * longest + i] = square < most ? square : FAR;
        if (square < most) nears[k] = 1;
      }
    }
    for (let k = 0; k < count; k++) {
      if (nears[k] === 0) continue;
      const line = k * longest;
      find(lines, line, length);
      for (let i = 0, at = first + k; i < length; i++, at += stride) {
        const from = lowest[i];
        const square = lines[line + from] + (i - from) * (i - from);
        squares[at] = square < most ? square : most;
      }
    }
  };
}
