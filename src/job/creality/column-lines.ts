import { ensureCapacity } from "../../core/typed-arrays.ts";
import type { LayerRuns } from "../../slice/rasterise-layer.ts";
import { forRowPieces } from "../row-pieces.ts";

/** Bytes of a line: 13 bits for its first row, 13 for its last one, 14 for its column, and 8 for its value, highest bits first. */
export const LINE_BYTES = 6;
export const MAX_COLUMNS = 2 ** 14;
export const MAX_ROWS = 2 ** 13;

/** Lines of equal pixels in columns, in any order. */
interface Lines {
  count: number;
  columns: Uint16Array<ArrayBuffer>;
  firsts: Uint16Array<ArrayBuffer>;
  lasts: Uint16Array<ArrayBuffer>;
  values: Uint8Array<ArrayBuffer>;
}

/** Overwritten by the next layer. */
const lines: Lines = {
  count: 0,
  columns: new Uint16Array(),
  firsts: new Uint16Array(),
  lasts: new Uint16Array(),
  values: new Uint8Array(),
};

/**
 * The pixels of a layer that are not black, as lines of equal pixels in columns, column by column. Takes time in proportion to the
 * runs of the layer and to the lines, not to the pixels.
 */
export function encodeColumnLines(layer: LayerRuns): Uint8Array {
  const { width, height } = layer;
  lines.count = 0;
  const firstRows = new Uint16Array(width);
  for (let row = 0; row <= height; row++) {
    forRowPieces(layer, row, (from, to, above, here) => {
      if (above === here) return;
      if (above > 0) addLines(firstRows, from, to, row - 1, above);
      if (here > 0) firstRows.fill(row, from, to);
    });
  }
  return packedByColumn(width);
}

/** Adds the lines of some columns that end at one row. */
function addLines(firstRows: Uint16Array, from: number, to: number, last: number, value: number): void {
  const end = lines.count + to - from;
  if (end > lines.values.length) {
    lines.columns = ensureCapacity(lines.columns, end);
    lines.firsts = ensureCapacity(lines.firsts, end);
    lines.lasts = ensureCapacity(lines.lasts, end);
    lines.values = ensureCapacity(lines.values, end);
  }
  for (let column = from, i = lines.count; column < to; column++, i++) {
    lines.columns[i] = column;
    lines.firsts[i] = firstRows[column];
    lines.lasts[i] = last;
    lines.values[i] = value;
  }
  lines.count = end;
}

/** The bytes of the lines, sorted by column: those of a column were added from the top down. */
function packedByColumn(width: number): Uint8Array {
  const { count, columns, firsts, lasts, values } = lines;
  const places = new Uint32Array(width + 1);
  for (let i = 0; i < count; i++) places[columns[i] + 1]++;
  for (let column = 0; column < width; column++) places[column + 1] += places[column];
  const bytes = new Uint8Array(LINE_BYTES * count);
  for (let i = 0; i < count; i++) {
    const column = columns[i];
    const first = firsts[i];
    const last = lasts[i];
    const at = LINE_BYTES * places[column]++;
    bytes[at] = first >> 5;
    bytes[at + 1] = (first << 3) | (last >> 10);
    bytes[at + 2] = last >> 2;
    bytes[at + 3] = (last << 6) | (column >> 8);
    bytes[at + 4] = column;
    bytes[at + 5] = values[i];
  }
  return bytes;
}
