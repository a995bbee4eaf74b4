import type { SpanLayer } from "../../geometry/spans.ts";

/** The pixels of a layer, and those at most `distance` columns and rows from them. The arrays are in shared memory. */
export function grownSpans(
  { index, rowStarts, starts, ends }: SpanLayer,
  columns: number,
  distance: number,
): SpanLayer {
  const rows = rowStarts.length - 1;
  const grownRowStarts = new Uint32Array(new SharedArrayBuffer(4 * (rows + 1)));
  const grown: number[] = [];
  for (let row = 0; row < rows; row++) {
    const [first, last] = [Math.max(0, row - distance), Math.min(rows - 1, row + distance)];
    if (rowStarts[first] < rowStarts[last + 1]) addUnion(first, last, grown);
    grownRowStarts[row + 1] = grown.length / 2;
  }
  const shared = new Uint16Array(new SharedArrayBuffer(2 * grown.length));
  const half = grown.length / 2;
  for (let span = 0; span < half; span++) {
    shared[span] = Math.max(0, grown[2 * span] - distance);
    shared[half + span] = Math.min(columns, grown[2 * span + 1] + distance);
  }
  return { index, rowStarts: grownRowStarts, starts: shared.subarray(0, half), ends: shared.subarray(half) };

  /** Adds starts and ends of the spans of rows together; those that are near enough to touch once grown are one. */
  function addUnion(first: number, last: number, union: number[]): void {
    const next = Array.from({ length: last - first + 1 }, (_, k) => rowStarts[first + k]);
    const rowFirst = union.length;
    for (;;) {
      let least = -1;
      next.forEach((span, k) => {
        if (span === rowStarts[first + k + 1]) return;
        if (least < 0 || starts[span] < starts[next[least]]) least = k;
      });
      if (least < 0) return;
      const span = next[least]++;
      if (union.length > rowFirst && starts[span] <= union[union.length - 1] + 2 * distance) {
        union[union.length - 1] = Math.max(union[union.length - 1], ends[span]);
      } else union.push(starts[span], ends[span]);
    }
  }
}
