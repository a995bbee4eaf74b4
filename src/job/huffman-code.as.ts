// AssemblyScript, part of the kernel `layer-kernel.as.ts`.

/** Symbols of the largest code: literals, the end of a block and match lengths of deflate (RFC 1951, section 3.2.5). */
export const MAX_SYMBOLS: i32 = 286;
const MAX_CODE_LENGTH: usize = 15;

/** Memory that {@link setCodeLengths} overwrites: the eight bytes of a key, a weight and an inner weight for each symbol, then the tree. */
export let scratch: usize;
/** Bytes of each of the first three arrays. */
const ARRAY_BYTES: usize = 8 * MAX_SYMBOLS;

/** Memory that {@link setCodes} overwrites: 2 bytes for each length of a code. */
export let nextCodes: usize;

/**
 * Sets the codes, the first bit lowest, of the canonical Huffman code (RFC 1951, section 3.2.2) with these lengths. Symbols with length 0
 * have no code.
 */
export function setCodes(lengths: usize, symbols: i32, codes: usize): void {
  memory.fill(nextCodes, 0, 2 * (MAX_CODE_LENGTH + 2));
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = <usize>load<u8>(lengths + symbol);
    if (length > 0) increase(nextCodes + ((length + 1) << 1));
  }
  // The number of codes of the length before, then the first code of a length.
  let first: u32 = 0;
  for (let length: usize = 1; length <= MAX_CODE_LENGTH; length++) {
    first = (first + load<u16>(nextCodes + (length << 1))) << 1;
    store<u16>(nextCodes + (length << 1), first);
  }
  for (let symbol = 0; symbol < symbols; symbol++) {
    const length = <usize>load<u8>(lengths + symbol);
    if (length === 0) continue;
    const code = increase(nextCodes + (length << 1));
    store<u16>(codes + (symbol << 1), reverseBits(code, <i32>length));
  }
}

/** Adds 1 to a number of 2 bytes, and returns it as it was. */
function increase(at: usize): u32 {
  const before = <u32>load<u16>(at);
  store<u16>(at, before + 1);
  return before;
}

function reverseBits(code: u32, length: i32): u32 {
  let reversed: u32 = 0;
  for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
  return reversed;
}

/**
 * Sets the code lengths of symbols with these counts, at most `limit`; 0 for symbols with count 0. At least two symbols and at most
 * 2^limit have a count above 0. The code is complete and optimal (D. A. Huffman, "A method for the construction of minimum-redundancy
 * codes", 1952), except where the optimal code exceeds the limit: then the counts are halved, rounded up, until it does not.
 */
export function setCodeLengths(counts: usize, symbols: i32, limit: i32, lengths: usize): void {
  const keys = scratch;
  const weights = scratch + ARRAY_BYTES;
  const leaves = gatherKeys(counts, symbols);
  sort(keys, leaves);
  for (let i = 0; i < leaves; i++) {
    store<u64>(weights + (i << 3), load<u64>(keys + (i << 3)) / <u64>symbols);
  }
  while (setDepths(leaves) > limit) {
    for (let i = 0; i < leaves; i++) {
      store<u64>(weights + (i << 3), (load<u64>(weights + (i << 3)) + 1) >> 1);
    }
  }
  memory.fill(lengths, 0, symbols);
  for (let i = 0; i < leaves; i++) {
    const symbol = <usize>(load<u64>(keys + (i << 3)) % <u64>symbols);
    store<u8>(lengths + symbol, leafDepth(i, leaves));
  }
}

/** Keys of the symbols with a count above 0, whose order is that of the counts, then of the symbols. Returns their number. */
function gatherKeys(counts: usize, symbols: i32): i32 {
  let size = 0;
  for (let symbol = 0; symbol < symbols; symbol++) {
    const count = <u64>load<u32>(counts + (symbol << 2));
    if (count > 0) store<u64>(scratch + (size++ << 3), count * <u64>symbols + <u64>symbol);
  }
  return size;
}

/** Shell sort with the gaps of M. Ciura, "Best Increments for the Average Case of Shellsort" (2001). */
function sort(keys: usize, count: i32): void {
  sortWithGap(keys, count, 132);
  sortWithGap(keys, count, 57);
  sortWithGap(keys, count, 23);
  sortWithGap(keys, count, 10);
  sortWithGap(keys, count, 4);
  sortWithGap(keys, count, 1);
}

function sortWithGap(keys: usize, count: i32, gap: i32): void {
  for (let i = gap; i < count; i++) {
    const key = load<u64>(keys + (i << 3));
    let hole = i;
    for (; hole >= gap && load<u64>(keys + ((hole - gap) << 3)) > key; hole -= gap) {
      store<u64>(keys + (hole << 3), load<u64>(keys + ((hole - gap) << 3)));
    }
    store<u64>(keys + (hole << 3), key);
  }
}

/** Joins leaves with ascending weights to a Huffman tree, and returns the depth of the first leaf, which is the deepest. */
function setDepths(leaves: i32): i32 {
  const inner = leaves - 1;
  const weights = scratch + ARRAY_BYTES;
  const innerWeights = weights + ARRAY_BYTES;
  const parents = innerWeights + ARRAY_BYTES;
  memory.fill(innerWeights, 0, inner << 3);
  // Two ascending queues, of leaves and of inner nodes: the two lightest nodes are always at their heads.
  let leaf = 0;
  let node = 0;
  for (let made = 0; made < inner; made++) {
    const at = innerWeights + (made << 3);
    for (let child = 0; child < 2; child++) {
      const isLeaf =
        node === made || (leaf < leaves && load<u64>(weights + (leaf << 3)) <= load<u64>(innerWeights + (node << 3)));
      store<u64>(at, load<u64>(at) + load<u64>((isLeaf ? weights + (leaf << 3) : innerWeights + (node << 3))));
      const joined = isLeaf ? leaf++ : leaves + node++;
      store<u16>(parents + (joined << 1), made);
    }
  }
  // The inner weights become depths: a parent is made after its children.
  store<u64>(innerWeights + ((inner - 1) << 3), 0);
  for (let i = inner - 2; i >= 0; i--) {
    const parent = <usize>load<u16>(parents + ((leaves + i) << 1));
    store<u64>(innerWeights + (i << 3), load<u64>(innerWeights + (parent << 3)) + 1);
  }
  return leafDepth(0, leaves);
}

/** The depth of a leaf after {@link setDepths}. */
function leafDepth(leaf: i32, leaves: i32): i32 {
  const innerDepths = scratch + 2 * ARRAY_BYTES;
  const parent = <usize>load<u16>(innerDepths + ARRAY_BYTES + (leaf << 1));
  return <i32>load<u64>(innerDepths + (parent << 3)) + 1;
}
