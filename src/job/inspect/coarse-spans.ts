import { ensureCapacity } from "../../core/typed-arrays.ts";
import type { SpanLayer } from "../../geometry/spans.ts";

/** A grid of larger, square pixels over the pictures of a job, with one empty pixel on each side. */
export interface CoarseGrid {
  readonly columns: number;
  readonly rows: number;
  readonly pixelMm: number;
  /** The coarse column of each column of a picture, and the coarse row of each row: those that contain its middle. */
  readonly columnOf: Uint16Array;
  readonly rowOf: Uint16Array;
}

/** The grid of `pixelMm` over pictures whose pixels are not larger. */
export function coarseGrid(
  [columns, rows]: readonly [number, number],
  [acrossMm, downMm]: readonly [number, number],
  pixelMm: number,
): CoarseGrid {
  const coarseOf = (count: number, sizeMm: number): Uint16Array =>
    Uint16Array.from({ length: count }, (_, at) => 1 + Math.floor(((at + 0.5) * sizeMm) / pixelMm));
  const [columnOf, rowOf] = [coarseOf(columns, acrossMm), coarseOf(rows, downMm)];
  return { columns: (columnOf.at(-1) ?? 0) + 2, rows: (rowOf.at(-1) ?? 0) + 2, pixelMm, columnOf, rowOf };
}

/** Spans of the coarse row that is built, those of the layer so far; reused from layer to layer. */
let known = { starts: new Uint16Array(256), ends: new Uint16Array(256) };
let found = { starts: new Uint16Array(1024), ends: new Uint16Array(1024) };

const withRoom = (spans: typeof known, length: number): typeof known => ({
  starts: ensureCapacity(spans.starts, length),
  ends: ensureCapacity(spans.ends, length),
});

/** The layer on a coarser grid: a coarse pixel is solid if it contains the middle of a solid pixel. */
export function coarsen({ index, rowStarts, starts, ends }: SpanLayer, grid: CoarseGrid): SpanLayer {
  const coarseRowStarts = new Uint32Array(grid.rows + 1);
  const { columnOf, rowOf } = grid;
  let [count, coarseRow] = [0, 0];
  for (let row = 0; row < rowOf.length; row++) {
    const [from, end] = [rowStarts[row], rowStarts[row + 1]];
    if (from === end) continue;
    while (coarseRow < rowOf[row]) coarseRowStarts[++coarseRow] = count;
    found = withRoom(found, count + end - from);
    count = addRow(coarseRowStarts[coarseRow], count, { starts, ends, from, end }, columnOf);
  }
  while (coarseRow < grid.rows) coarseRowStarts[++coarseRow] = count;
  return { index, rowStarts: coarseRowStarts, starts: found.starts.slice(0, count), ends: found.ends.slice(0, count) };
}

interface FineRow extends Pick<SpanLayer, "starts" | "ends"> {
  readonly from: number;
  readonly end: number;
}

/** Unites the spans `rowStart` to before `count` of `found` with those of a row. Returns the number of spans of `found`. */
function addRow(rowStart: number, count: number, { starts, ends, from, end }: FineRow, columnOf: Uint16Array): number {
  const { starts: firsts, ends: lasts } = found;
  const knownCount = count - rowStart;
  known = withRoom(known, knownCount);
  for (let k = 0; k < knownCount; k++) {
    known.starts[k] = firsts[rowStart + k];
    known.ends[k] = lasts[rowStart + k];
  }
  let united = rowStart;
  let last = -1;
  for (let own = from, old = 0; own < end || old < knownCount;) {
    const ownStart = own < end ? columnOf[starts[own]] : Infinity;
    const isOld = old < knownCount && known.starts[old] <= ownStart;
    const start = isOld ? known.starts[old] : ownStart;
    const stop = isOld ? known.ends[old++] : columnOf[ends[own++] - 1] + 1;
    if (start > last) {
      firsts[united] = start;
      lasts[united++] = stop;
      last = stop;
    } else if (stop > last) {
      lasts[united - 1] = stop;
      last = stop;
    }
  }
  return united;
}
