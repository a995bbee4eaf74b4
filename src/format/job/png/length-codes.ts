// RFC 1951, section 3.2.5.

export const MIN_MATCH = 3;
export const MAX_MATCH = 258;
/** The symbol after the 256 literals. */
export const END_OF_BLOCK = 256;
export const FIRST_LENGTH_SYMBOL = 257;
/** Symbols of literals, the end of a block and lengths. */
export const LENGTH_SYMBOLS = 286;
/** The symbol of {@link MAX_MATCH}: its own, although the one before could tell that length, too. */
export const LONGEST_MATCH = 285;

/** For every length of a match: its symbol, and the further bits that tell lengths of one symbol apart. */
export const lengthSymbol = new Uint16Array(MAX_MATCH + 1);
export const lengthExtra = new Uint8Array(MAX_MATCH + 1);
export const lengthExtraBits = new Uint8Array(MAX_MATCH + 1);

// The first eight symbols stand for a length each; from there on the bits grow by one every four symbols.
let length = MIN_MATCH;
for (let symbol = FIRST_LENGTH_SYMBOL; symbol < LONGEST_MATCH; symbol++) {
  const bits = Math.max(0, ((symbol - FIRST_LENGTH_SYMBOL) >> 2) - 1);
  for (let extra = 0; extra < 1 << bits; extra++, length++) {
    lengthSymbol[length] = symbol;
    lengthExtra[length] = extra;
    lengthExtraBits[length] = bits;
  }
}
lengthSymbol[MAX_MATCH] = LONGEST_MATCH;
lengthExtra[MAX_MATCH] = 0;
lengthExtraBits[MAX_MATCH] = 0;
