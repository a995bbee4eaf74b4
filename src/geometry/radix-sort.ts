import type { Progress } from "../core/progress.ts";
import { releaseArrays } from "../core/typed-arrays.ts";

/** Up to this many keys an insertion sort is faster. */
const INSERTION_LIMIT = 32;
/** From this number of keys on, wide digits are faster: fewer passes outweigh the larger table of counts. */
const WIDE_DIGIT_LIMIT = 8192;
const WIDE_BITS = 11;
const NARROW_BITS = 8;

/** Sorts the range `from` ≤ i < `to` of `keys`, ascending and stable, and permutes the same range of `values` with it. */
export type RadixSort = (keys: Uint32Array, values: Uint32Array, from: number, to: number) => void;

/** A least-significant-digit radix sort with scratch memory for ranges of up to `capacity` keys. */
export function newRadixSort(capacity: number): RadixSort {
  const scratch = capacity > INSERTION_LIMIT ? capacity : 0;
  const spare: Columns = { keys: new Uint32Array(scratch), values: new Uint32Array(scratch), from: 0 };
  const counts = new Uint32Array(1 << WIDE_BITS);

  return (keys, values, from, to) => {
    const size = to - from;
    if (size <= INSERTION_LIMIT) return insertionSort(keys, values, from, to);
    const differing = differingBits(keys, from, to);
    const bits = size < WIDE_DIGIT_LIMIT ? NARROW_BITS : WIDE_BITS;
    const mask = (1 << bits) - 1;
    const own: Columns = { keys, values, from };
    let [source, target] = [own, spare];
    for (let shift = 0; shift < 32; shift += bits) {
      if (((differing >>> shift) & mask) === 0) continue;
      scatter(source, target, size, shift, mask, counts);
      [source, target] = [target, source];
    }
    if (source === own) return;
    keys.set(spare.keys.subarray(0, size), from);
    values.set(spare.values.subarray(0, size), from);
  };
}

interface Columns {
  readonly keys: Uint32Array;
  readonly values: Uint32Array;
  readonly from: number;
}

/** The bits in which the keys differ; 0 when they are sorted already. */
function differingBits(keys: Uint32Array, from: number, to: number): number {
  let anyBits = 0;
  let allBits = -1;
  let ascends = true;
  let last = 0;
  for (let i = from; i < to; i++) {
    const key = keys[i];
    anyBits |= key;
    allBits &= key;
    if (key < last) ascends = false;
    last = key;
  }
  return ascends ? 0 : anyBits & ~allBits;
}

function scatter(a: Columns, b: Columns, size: number, shift: number, mask: number, counts: Uint32Array): void {
  const { keys, values, from } = a;
  const { keys: outKeys, values: outValues } = b;
  counts.fill(0, 0, mask + 1);
  for (let i = from; i < from + size; i++) counts[(keys[i] >>> shift) & mask]++;
  let next = b.from;
  for (let digit = 0; digit <= mask; digit++) {
    const count = counts[digit];
    counts[digit] = next;
    next += count;
  }
  for (let i = from; i < from + size; i++) {
    const key = keys[i];
    const place = counts[(key >>> shift) & mask]++;
    outKeys[place] = key;
    outValues[place] = values[i];
  }
}

function insertionSort(keys: Uint32Array, values: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const key = keys[i];
    const value = values[i];
    let hole = i;
    for (; hole > from && keys[hole - 1] > key; hole--) {
      keys[hole] = keys[hole - 1];
      values[hole] = values[hole - 1];
    }
    keys[hole] = key;
    values[hole] = value;
  }
}

const STEPS_PER_REPORT = 65_536;

/**
 * Sorts `order`, a list of indices of triples, in place, lexicographically and stable. Triple i is `triples[3i]`, `[3i+1]`, `[3i+2]`.
 */
export function sortTriples(triples: Uint32Array, order: Uint32Array, progress: Progress): void {
  const keys = new Uint32Array(order.length);
  const sort = newRadixSort(order.length);
  let nextReport = STEPS_PER_REPORT;

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
        progress.report(end / order.length);
        nextReport = end + STEPS_PER_REPORT;
      }
      start = end;
    }
  };
  sortFrom(0, 0, order.length);
  releaseArrays(keys);
}

/** Whether triples i and j are equal. */
export const sameTriple = (triples: Uint32Array, i: number, j: number): boolean =>
  triples[3 * i] === triples[3 * j] &&
  triples[3 * i + 1] === triples[3 * j + 1] &&
  triples[3 * i + 2] === triples[3 * j + 2];
