/** The code of each symbol, its first bit lowest. Symbols with length 0 have no code. */
export interface PrefixCode {
  readonly codes: Uint16Array;
  readonly lengths: Uint8Array;
}

/** The canonical Huffman code (RFC 1951, section 3.2.2) of these counts, with at most `limit` ≤ 15 bits per symbol. */
export function prefixCode(counts: Uint32Array, limit: number): PrefixCode {
  const lengths = codeLengths(counts, limit);
  const next = firstCodes(lengths, limit);
  const codes = new Uint16Array(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol++) {
    const length = lengths[symbol];
    if (length > 0) codes[symbol] = reverseBits(next[length]++, length);
  }
  return { codes, lengths };
}

/** The first code of each length. */
function firstCodes(lengths: Uint8Array, limit: number): Uint16Array {
  const counts = new Uint16Array(limit + 1);
  for (const length of lengths) if (length > 0) counts[length]++;
  const first = new Uint16Array(limit + 1);
  for (let length = 1; length <= limit; length++) first[length] = (first[length - 1] + counts[length - 1]) << 1;
  return first;
}

function reverseBits(code: number, length: number): number {
  let reversed = 0;
  for (let bit = 0; bit < length; bit++) reversed |= ((code >> bit) & 1) << (length - 1 - bit);
  return reversed;
}

/**
 * The code lengths of symbols with these counts, at most `limit`; 0 for symbols with count 0. At least two symbols and at most
 * 2^limit have a count above 0. The code is complete and optimal (D. A. Huffman, "A method for the construction of
 * minimum-redundancy codes", 1952), except where the optimal code exceeds the limit: then the counts are halved, rounded up,
 * until it does not.
 */
export function codeLengths(counts: Uint32Array, limit: number): Uint8Array {
  const symbols = symbolsByCount(counts);
  const weights = Float64Array.from(symbols, (symbol) => counts[symbol]);
  let depths = leafDepths(weights);
  while (depths[0] > limit) {
    for (let i = 0; i < weights.length; i++) weights[i] = Math.ceil(weights[i] / 2);
    depths = leafDepths(weights);
  }
  const lengths = new Uint8Array(counts.length);
  for (let i = 0; i < symbols.length; i++) lengths[symbols[i]] = depths[i];
  return lengths;
}

/** The symbols with a count above 0, by ascending count. */
function symbolsByCount(counts: Uint32Array): Uint16Array {
  const symbolCount = counts.length;
  const keys = new Float64Array(symbolCount);
  let size = 0;
  for (let symbol = 0; symbol < symbolCount; symbol++) {
    if (counts[symbol] > 0) keys[size++] = counts[symbol] * symbolCount + symbol;
  }
  return Uint16Array.from(keys.subarray(0, size).sort(), (key) => key % symbolCount);
}

/** Depths of the leaves with these ascending weights in their Huffman tree; the first is the deepest. */
function leafDepths(weights: Float64Array): Uint8Array {
  const leaves = weights.length;
  const inner = leaves - 1;
  // Two ascending queues, of leaves and of inner nodes: the two lightest nodes are always at their heads.
  const innerWeights = new Float64Array(inner);
  const parents = new Uint16Array(leaves + inner);
  let leaf = 0;
  let node = 0;
  for (let made = 0; made < inner; made++) {
    for (let child = 0; child < 2; child++) {
      const isLeaf = node === made || (leaf < leaves && weights[leaf] <= innerWeights[node]);
      innerWeights[made] += isLeaf ? weights[leaf] : innerWeights[node];
      parents[isLeaf ? leaf++ : leaves + node++] = made;
    }
  }
  const innerDepths = new Uint8Array(inner);
  for (let i = inner - 2; i >= 0; i--) innerDepths[i] = innerDepths[parents[leaves + i]] + 1;
  return Uint8Array.from(parents.subarray(0, leaves), (parent) => innerDepths[parent] + 1);
}
