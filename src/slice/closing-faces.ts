import type { LayerRuns } from "./rasterise-layer.ts";
import type { WrittenRuns } from "./written-runs.ts";

/** A layer by volume, and the pictures of the areas at its middle and at those of the layers before and after it. */
export interface LayerInStack {
  readonly volume: LayerRuns;
  readonly area: LayerRuns;
  readonly before: LayerRuns;
  readonly after: LayerRuns;
}

/** The runs of a row that are passed from left to right. */
interface Cursor {
  readonly runs: LayerRuns;
  /** The run at or after the present pixel, and the one after the last of the row. */
  run: number;
  runEnd: number;
  /** The value of the present pixel, and the end of the pixels that have it. */
  value: number;
  end: number;
}

/**
 * Writes the greys of a layer by volume: each pixel has its volume, but the area at the middle of the layer where the part closes, which
 * is where the next layer has less of the pixel than the one before. No later layer shines on such a face, so that its greys would cure
 * as a loose skin, or not at all.
 */
export function writeOpenVolume({ volume, area, before, after }: LayerInStack, written: WrittenRuns): void {
  const { width, height } = volume;
  const lists = [volume, area, before, after];
  written.reserve(lists.reduce((sum, { rowStarts }) => sum + 2 * rowStarts[height], height));
  const [v, a, b, n] = lists.map((runs): Cursor => ({ runs, run: 0, runEnd: 0, value: 0, end: 0 }));
  for (let row = 0; row < height; row++) {
    for (const cursor of [v, a, b, n]) beginRow(cursor, row);
    for (let at = 0; at < width;) {
      if (v.end <= at) advance(v, at, width);
      if (a.end <= at) advance(a, at, width);
      if (b.end <= at) advance(b, at, width);
      if (n.end <= at) advance(n, at, width);
      const end = Math.min(v.end, a.end, b.end, n.end);
      const value = n.value < b.value ? a.value : v.value;
      if (value > 0) written.add(at, end, value);
      at = end;
    }
    written.endRow(row);
  }
}

function beginRow(cursor: Cursor, row: number): void {
  cursor.run = cursor.runs.rowStarts[row];
  cursor.runEnd = cursor.runs.rowStarts[row + 1];
  cursor.end = 0;
}

/** Moves to the pixel `at`, at which the last value ends. */
function advance(cursor: Cursor, at: number, width: number): void {
  const { starts, ends, values } = cursor.runs;
  const { run } = cursor;
  const isGap = run === cursor.runEnd || starts[run] > at;
  cursor.value = isGap ? 0 : values[run];
  cursor.end = run === cursor.runEnd ? width : isGap ? starts[run] : ends[run];
  if (!isGap) cursor.run++;
}
