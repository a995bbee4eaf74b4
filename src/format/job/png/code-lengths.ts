/**
 * The lengths of a prefix code for symbols of these counts, none above `limit`; 0 for symbols that do not occur. At least
 * two occur, and at most 2^limit. The code is complete, and the best there is (D. A. Huffman, "A method for the
 * construction of minimum-redundancy codes", 1952) unless that would break the limit: then counts are evened out until
 * it does not.
 */
export function codeLengths(counts: Uint32Array, limit: number): Uint8Array {
  const symbols = rarestFirst(counts);
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

/** The symbols that occur, in order of their counts. */
function rarestFirst(counts: Uint32Array): Uint16Array {
  const room = counts.length;
  const keys = new Float64Array(room);
  let size = 0;
  for (let symbol = 0; symbol < room; symbol++) {
    if (counts[symbol] > 0) keys[size++] = counts[symbol] * room + symbol;
  }
  return Uint16Array.from(keys.subarray(0, size).sort(), (key) => key % room);
}

/** How deep the leaves of these ascending weights lie in their Huffman tree: the first the deepest. */
function leafDepths(weights: Float64Array): Uint8Array {
  const leaves = weights.length;
  const inner = leaves - 1;
  // Two queues, of leaves and of inner nodes, both ascending: the two lightest nodes are always at their heads.
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
