/** Below this many keys a straight insertion sort is faster than counting digits. */
const INSERTION_LIMIT = 32;
/** From this many keys on, wide digits win: fewer passes for a larger table of counts. */
const WIDE_DIGIT_LIMIT = 8192;
const WIDE_BITS = 11;
const NARROW_BITS = 8;

/** Stably sorts the range `from` ≤ i < `to` of `keys`, ascending, and the same range of `values` along with it. */
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

/** The bits in which the keys differ; none when they ascend already, so that nothing is left to sort. */
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
