import type { SpanLayer } from "../../slice/span-layers.ts";

/** The pixels of a layer that are not solid, as spans. */
export function emptyOf({ index, rowStarts, starts, ends }: SpanLayer, columns: number): SpanLayer {
  const rows = rowStarts.length - 1;
  const emptyRowStarts = new Uint32Array(rows + 1);
  const emptyStarts = new Uint16Array(starts.length + rows);
  const emptyEnds = new Uint16Array(starts.length + rows);
  let count = 0;
  const push = (start: number, end: number): void => {
    if (start === end) return;
    emptyStarts[count] = start;
    emptyEnds[count++] = end;
  };
  for (let row = 0; row < rows; row++) {
    let start = 0;
    for (let i = rowStarts[row]; i < rowStarts[row + 1]; i++) {
      push(start, starts[i]);
      start = ends[i];
    }
    push(start, columns);
    emptyRowStarts[row + 1] = count;
  }
  return {
    index,
    rowStarts: emptyRowStarts,
    starts: emptyStarts.subarray(0, count),
    ends: emptyEnds.subarray(0, count),
  };
}
