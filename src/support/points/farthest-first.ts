/**
 * Calls `place` for the pixel of greatest need, which shall lower the need there, until no pixel needs more than 1. `needOf`
 * may only fall. Of equal ones the first comes first.
 */
export function farthestFirst(
  pixels: readonly number[],
  needOf: (pixel: number) => number,
  place: (pixel: number) => void,
): void {
  const heap: Entry[] = pixels.map((pixel, order) => ({ order, need: needOf(pixel) })).filter(({ need }) => need > 1);
  for (let at = heap.length >> 1; at >= 0; at--) sink(heap, at);
  while (heap.length > 0) {
    const top = heap[0];
    const need = needOf(pixels[top.order]);
    if (need === top.need) place(pixels[top.order]);
    else if (need > 1) heap[0] = { ...top, need };
    else {
      heap[0] = heap.at(-1)!;
      heap.pop();
    }
    sink(heap, 0);
  }
}

interface Entry {
  readonly order: number;
  readonly need: number;
}

const isBefore = (a: Entry, b: Entry): boolean => a.need > b.need || (a.need === b.need && a.order < b.order);

function sink(heap: Entry[], from: number): void {
  for (let at = from; ;) {
    let first = at;
    for (const child of [2 * at + 1, 2 * at + 2]) {
      if (child < heap.length && isBefore(heap[child], heap[first])) first = child;
    }
    if (first === at) return;
    [heap[at], heap[first]] = [heap[first], heap[at]];
    at = first;
  }
}
