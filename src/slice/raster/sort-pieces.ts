/** Up to so many, an insertion sort is the fastest. */
const FEW = 24;
/** Keys are sorted with their index in the low bits: left ends are told apart to 2⁻²⁰ of a pixel. */
const INDEX_BITS = 2 ** 16;
const STEPS_PER_PIXEL = 2 ** 20;
/** Keys are whole numbers that a double holds exactly, which left ends farther out than this would not be. Pixels. */
const FAR = 2 ** 53 / (INDEX_BITS * STEPS_PER_PIXEL);

/** Sorts the first `count` of `members` and of their left ends, by the left ends. */
export function sortByLeft(lefts: Float64Array, members: Int32Array, count: number): void {
  if (count <= FEW) insertionSort(lefts, members, count);
  else if (count < INDEX_BITS && areNear(lefts, count)) sortKeys(lefts, members, count);
  else sortIndices(lefts, members, count);
}

function insertionSort(lefts: Float64Array, members: Int32Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const left = lefts[i];
    const member = members[i];
    let hole = i;
    for (; hole > 0 && lefts[hole - 1] > left; hole--) {
      lefts[hole] = lefts[hole - 1];
      members[hole] = members[hole - 1];
    }
    lefts[hole] = left;
    members[hole] = member;
  }
}

function areNear(lefts: Float64Array, count: number): boolean {
  for (let i = 0; i < count; i++) if (Math.abs(lefts[i]) >= FAR) return false;
  return true;
}

/** The native sort of plain numbers is many times faster than one that calls back. */
function sortKeys(lefts: Float64Array, members: Int32Array, count: number): void {
  const keys = new Float64Array(count);
  for (let i = 0; i < count; i++) keys[i] = Math.floor(lefts[i] * STEPS_PER_PIXEL) * INDEX_BITS + i;
  keys.sort();
  takeOrder(
    lefts,
    members,
    keys.map((key) => key - Math.floor(key / INDEX_BITS) * INDEX_BITS),
  );
}

function sortIndices(lefts: Float64Array, members: Int32Array, count: number): void {
  const order = Float64Array.from({ length: count }, (_, i) => i);
  takeOrder(
    lefts,
    members,
    order.sort((a, b) => lefts[a] - lefts[b] || a - b),
  );
}

function takeOrder(lefts: Float64Array, members: Int32Array, order: Float64Array): void {
  const oldLefts = lefts.slice(0, order.length);
  const oldMembers = members.slice(0, order.length);
  for (let i = 0; i < order.length; i++) {
    lefts[i] = oldLefts[order[i]];
    members[i] = oldMembers[order[i]];
  }
}
