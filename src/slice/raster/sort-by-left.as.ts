// AssemblyScript, part of the kernel `raster-kernel.as.ts`: the order of the pieces of a row.

/** Two halves of 16 bytes for each number. */
export let sortScratch: usize;

/** Up to this count an insertion sort is the fastest. */
const MAX_INSERTION_SORT: i32 = 24;
/** Longer lists are sorted in steps of 2⁻²⁰ pixels. */
const STEPS_PER_PIXEL: f64 = 1_048_576;
/** Below this count and this distance in pixels. */
const MAX_STEPPED: i32 = 1 << 16;
const MAX_SORTABLE_X: f64 = 131_072;

/** Sorts `count` numbers and the members at the same places by the numbers, at a resolution of 2⁻²⁰ pixels. Equal ones stay in order. */
export function sortByLeft(numbers: usize, members: usize, count: i32): void {
  if (count <= MAX_INSERTION_SORT) insertionSort(numbers, members, count);
  else mergeSort(numbers, members, count);
}

function insertionSort(numbers: usize, members: usize, count: i32): void {
  for (let i = 1; i < count; i++) {
    const number = load<f64>(numbers + (i << 3));
    const member = load<u32>(members + (i << 2));
    let hole = i;
    for (; hole > 0; hole--) {
      const before = load<f64>(numbers + ((hole - 1) << 3));
      if (!(before > number)) break;
      store<f64>(numbers + (hole << 3), before);
      store<u32>(members + (hole << 2), load<u32>(members + ((hole - 1) << 2)));
    }
    store<f64>(numbers + (hole << 3), number);
    store<u32>(members + (hole << 2), member);
  }
}

/** From pairs of runs, doubling their length: the keys and the old places, 12 bytes each, move between two halves of the scratch memory. */
function mergeSort(numbers: usize, members: usize, count: i32): void {
  const isStepped = count < MAX_STEPPED && areNear(numbers, count);
  let from = sortScratch;
  let to = from + 16 * <usize>count;
  for (let i = 0; i < count; i++) {
    const number = load<f64>(numbers + (i << 3));
    store<f64>(from + (i << 4), isStepped ? floor(number * STEPS_PER_PIXEL) : number);
    store<i32>(from + (i << 4), i, 8);
  }
  for (let length = 1; length < count; length <<= 1) {
    for (let start = 0; start < count; start += length << 1) {
      merge(from, to, start, min(count, start + length), min(count, start + (length << 1)));
    }
    const held = from;
    from = to;
    to = held;
  }
  // The other half keeps the old order, while the new one is written.
  for (let i = 0; i < count; i++) {
    store<f64>(to + (i << 4), load<f64>(numbers + (i << 3)));
    store<u32>(to + (i << 4), load<u32>(members + (i << 2)), 8);
  }
  for (let i = 0; i < count; i++) {
    const old = to + (load<i32>(from + (i << 4), 8) << 4);
    store<f64>(numbers + (i << 3), load<f64>(old));
    store<u32>(members + (i << 2), load<u32>(old, 8));
  }
}

function merge(from: usize, to: usize, start: i32, middle: i32, end: i32): void {
  let a = start;
  let b = middle;
  for (let i = start; i < end; i++) {
    const takesFirst = a < middle && (b >= end || load<f64>(from + (a << 4)) <= load<f64>(from + (b << 4)));
    const taken = from + ((takesFirst ? a++ : b++) << 4);
    store<f64>(to + (i << 4), load<f64>(taken));
    store<i32>(to + (i << 4), load<i32>(taken, 8), 8);
  }
}

function areNear(numbers: usize, count: i32): bool {
  for (let i = 0; i < count; i++) if (abs(load<f64>(numbers + (i << 3))) >= MAX_SORTABLE_X) return false;
  return true;
}
