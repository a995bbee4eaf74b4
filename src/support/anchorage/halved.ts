import type { SpanLayer } from "../../slice/span-layers.ts";

/** The same layer in pixels of twice the size: solid where any of the four that one is made of is. The rows are even in number. */
export function halved({ index, rowStarts, starts, ends }: SpanLayer): SpanLayer {
  const rows = (rowStarts.length - 1) / 2;
  const halves = new Uint32Array(rows + 1);
  const firsts = new Uint16Array(starts.length);
  const lasts = new Uint16Array(starts.length);
  let count = 0;
  for (let row = 0; row < rows; row++) {
    let a = rowStarts[2 * row];
    let b = rowStarts[2 * row + 1];
    const [endA, endB] = [b, rowStarts[2 * row + 2]];
    while (a < endA || b < endB) {
      const next = b === endB || (a < endA && starts[a] <= starts[b]) ? a++ : b++;
      const first = starts[next] >> 1;
      const last = (ends[next] + 1) >> 1;
      if (count > halves[row] && first <= lasts[count - 1]) lasts[count - 1] = Math.max(lasts[count - 1], last);
      else {
        firsts[count] = first;
        lasts[count++] = last;
      }
    }
    halves[row + 1] = count;
  }
  return { index, rowStarts: halves, starts: firsts.slice(0, count), ends: lasts.slice(0, count) };
}
