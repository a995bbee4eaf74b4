/**
 * Calls `place` for the pixel of greatest need, which shall lower the need there, until no pixel needs more than 1. `needOf`
 * may only fall. Of equal ones the first comes first.
 */
export function farthestFirst(
  pixels: readonly number[],
  needOf: (pixel: number) => number,
  place: (pixel: number) => void,
): void {
  const needs = Float64Array.from(pixels, needOf);
  /** Places in `pixels`, the one of greatest need first. */
  const heap = pixels.map((_, order) => order).filter((order) => needs[order] > 1);
  for (let at = (heap.length >> 1) - 1; at >= 0; at--) sink(heap, needs, at);
  while (heap.length > 0) {
    const top = heap[0];
    const need = needOf(pixels[top]);
    if (need === needs[top]) place(pixels[top]);
    else if (need > 1) needs[top] = need;
    else {
      const last = heap.pop()!;
      if (heap.length > 0) heap[0] = last;
    }
    sink(heap, needs, 0);
  }
}

function sink(heap: number[], needs: Float64Array, from: number): void {
  const order = heap[from];
  let at = from;
  for (let child = 2 * at + 1; child < heap.length; child = 2 * at + 1) {
    if (child + 1 < heap.length && isBefore(heap[child + 1], heap[child], needs)) child++;
    if (!isBefore(heap[child], order, needs)) break;
    heap[at] = heap[child];
    at = child;
  }
  if (at > from) heap[at] = order;
}

const isBefore = (a: number, b: number, needs: Float64Array): boolean =>
  needs[a] > needs[b] || (needs[a] === needs[b] && a < b);
