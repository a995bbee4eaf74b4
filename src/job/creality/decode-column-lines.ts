import type { ErrorFactory } from "../../core/api-error.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import type { RunsBuilder } from "../runs-builder.ts";
import { LINE_BYTES } from "./cxdlp-layout.ts";

/** Lines of equal pixels in columns, sorted by column and then from the top down. */
interface SortedLines {
  readonly columns: Uint16Array;
  readonly firsts: Uint16Array;
  readonly lasts: Uint16Array;
  readonly values: Uint8Array;
}

/**
 * Decodes the lines of a layer. Throws the error of `refuse` for lines beyond the picture and for lines that overlap. Takes time in
 * proportion to the lines and the runs, not to the pixels.
 */
export function decodeColumnLines(
  data: Uint8Array,
  [width, height]: readonly [columns: number, rows: number],
  into: RunsBuilder,
  refuse: ErrorFactory,
): LayerRuns {
  const lines = readLines(data, width, height, refuse);
  const begins = byRow(lines.firsts, height, 0);
  const ends = byRow(lines.lasts, height, 1);
  let row = newRow(width);
  let next = newRow(width);
  const changes = { columns: new Uint16Array(width), values: new Uint8Array(width) };
  into.begin();
  for (let y = 0; y < height; y++) {
    const count = changesOfRow(lines, begins, ends, y, changes);
    if (count > 0) {
      overlay(row, changes.columns, changes.values, count, width, next);
      [row, next] = [next, row];
    }
    for (let i = 0; i < row.count; i++) into.add(row.values[i], row.ends[i] - (i > 0 ? row.ends[i - 1] : 0));
  }
  return into.finish();
}

function readLines(data: Uint8Array, width: number, height: number, refuse: ErrorFactory): SortedLines {
  const count = data.length / LINE_BYTES;
  const lines = {
    columns: new Uint16Array(count),
    firsts: new Uint16Array(count),
    lasts: new Uint16Array(count),
    values: new Uint8Array(count),
  };
  let column = 0;
  let after = 0;
  for (let i = 0, at = 0; i < count; i++, at += LINE_BYTES) {
    const first = (data[at] << 5) | (data[at + 1] >> 3);
    const last = ((data[at + 1] & 7) << 10) | (data[at + 2] << 2) | (data[at + 3] >> 6);
    const here = ((data[at + 3] & 63) << 8) | data[at + 4];
    if (here !== column) after = 0;
    if (here < column || first < after || last < first || here >= width || last >= height) {
      throw refuse("the lines of one of its pictures overlap or leave it; take another copy of it");
    }
    column = here;
    after = last + 1;
    lines.columns[i] = here;
    lines.firsts[i] = first;
    lines.lasts[i] = last;
    lines.values[i] = data[at + 5];
  }
  return lines;
}

/** Indices of lines by row, each row in the order of columns. Those of row y are `lines[starts[y]]` to before `starts[y + 1]`. */
interface RowIndex {
  readonly starts: Uint32Array;
  readonly lines: Uint32Array;
}

/** `shift` is added to each row; rows beyond the picture are left out. */
function byRow(rows: Uint16Array, height: number, shift: number): RowIndex {
  const starts = new Uint32Array(height + 2);
  for (let i = 0; i < rows.length; i++) starts[rows[i] + shift + 1]++;
  for (let y = 0; y <= height; y++) starts[y + 1] += starts[y];
  const places = starts.slice();
  const lines = new Uint32Array(rows.length);
  for (let i = 0; i < rows.length; i++) lines[places[rows[i] + shift]++] = i;
  return { starts, lines };
}

const NO_COLUMN = 0xffff;

/** Writes the columns that change in row y, ascending, with their new values. Returns their number. */
function changesOfRow(
  { columns, values }: SortedLines,
  begins: RowIndex,
  ends: RowIndex,
  y: number,
  changes: { columns: Uint16Array; values: Uint8Array },
): number {
  let b = begins.starts[y];
  let e = ends.starts[y];
  let count = 0;
  const bEnd = begins.starts[y + 1];
  const eEnd = ends.starts[y + 1];
  while (b < bEnd || e < eEnd) {
    const beginning = b < bEnd ? columns[begins.lines[b]] : NO_COLUMN;
    const ending = e < eEnd ? columns[ends.lines[e]] : NO_COLUMN;
    changes.columns[count] = beginning <= ending ? beginning : ending;
    changes.values[count++] = beginning <= ending ? values[begins.lines[b]] : 0;
    if (beginning <= ending) b++;
    if (ending <= beginning) e++;
  }
  return count;
}

/** A row as pieces of one value, from the first column on; neighbouring pieces differ. */
interface Row {
  count: number;
  readonly ends: Uint16Array;
  readonly values: Uint8Array;
}

function newRow(width: number): Row {
  const row = { count: 1, ends: new Uint16Array(width), values: new Uint8Array(width) };
  row.ends[0] = width;
  return row;
}

/** The row with new values in some columns, ascending. */
function overlay(row: Row, columns: Uint16Array, values: Uint8Array, count: number, width: number, into: Row): void {
  into.count = 0;
  let [piece, change] = [0, 0];
  for (let column = 0; column < width;) {
    while (row.ends[piece] <= column) piece++;
    const isChanged = change < count && columns[change] === column;
    const nextChange = change < count ? columns[change] : width;
    const end = isChanged ? column + 1 : Math.min(row.ends[piece], nextChange);
    const value = isChanged ? values[change++] : row.values[piece];
    if (into.count > 0 && into.values[into.count - 1] === value) into.ends[into.count - 1] = end;
    else {
      into.ends[into.count] = end;
      into.values[into.count++] = value;
    }
    column = end;
  }
}
