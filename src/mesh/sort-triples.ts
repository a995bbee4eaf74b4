import type { Watch } from "../core/watch.ts";
import { newRadixSort } from "./radix-sort.ts";

const WATCH_STEPS = 65_536;

/**
 * Sorts `order`, in place, so that the triples it names ascend lexicographically; equal triples keep their order.
 * Triple i is `triples[3i]`, `[3i+1]`, `[3i+2]`.
 */
export function sortTriples(triples: Uint32Array, order: Uint32Array, watch: Watch): void {
  const keys = new Uint32Array(order.length);
  const sort = newRadixSort(order.length);
  let nextReport = WATCH_STEPS;

  const sortFrom = (column: number, from: number, to: number): void => {
    for (let i = from; i < to; i++) keys[i] = triples[3 * order[i] + column];
    sort(keys, order, from, to);
    if (column === 2) return;
    for (let start = from; start < to;) {
      const key = keys[start];
      let end = start + 1;
      while (end < to && keys[end] === key) end++;
      if (end - start > 1) sortFrom(column + 1, start, end);
      if (end >= nextReport) {
        watch.report(end / order.length);
        nextReport = end + WATCH_STEPS;
      }
      start = end;
    }
  };
  sortFrom(0, 0, order.length);
}

/** Whether triples i and j are the same. */
export const sameTriple = (triples: Uint32Array, i: number, j: number): boolean =>
  triples[3 * i] === triples[3 * j] &&
  triples[3 * i + 1] === triples[3 * j + 1] &&
  triples[3 * i + 2] === triples[3 * j + 2];
