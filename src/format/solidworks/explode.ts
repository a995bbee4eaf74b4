import type { ErrorFactory } from "../../core/api-error.ts";

// PKWARE's Data Compression Library, "implode": literals and copies of what came before, as prefix codes. The format is described by
// B. Rudiak-Gould in comp.compression, 13 August 2001.

/** Lengths of the codes of literals, where they are coded at all; of lengths of copies; of the upper bits of distances. One hexadecimal digit each. */
const LITERAL_CODES =
  "bcccccccc87cc7ccccccccccccdccccc4a8caca87789767876777787788cb79b" +
  "c676657886b967667b66679899b8b9c8c566656665b756556a55558788abbccc" +
  "ddddddddddddddddddddddddddddddddddddddddddddddddcccccccccccccccc" +
  "ccccccccccccccccccccccccccccccccdcdddcdddcddddcdddcccddddddddddd";
const LENGTH_CODES = "3233444555566677";
const DISTANCE_CODES = "2445555666666666666666777777777777777777777777778888888888888888";

/** The length of a copy is one of these and that many bits more. */
const LENGTHS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 40, 72, 136, 264];
const LENGTH_EXTRA_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
/** Copies of two bytes have so many lower bits of the distance, others as many as the header says. */
const SHORT_DISTANCE_BITS = 2;
/** This length ends the data. */
const END = 519;

/** A prefix code: the symbols by length of code and value, and how many have each length. */
interface PrefixCode {
  readonly symbols: Uint8Array;
  readonly counts: Uint16Array;
}

const MAX_CODE_BITS = 15;

function prefixCode(digits: string): PrefixCode {
  const lengths = Array.from(digits, (digit) => Number.parseInt(digit, 16));
  const counts = new Uint16Array(MAX_CODE_BITS + 1);
  for (const length of lengths) counts[length]++;
  return {
    symbols: Uint8Array.from(
      lengths
        .keys()
        .toArray()
        .sort((a, b) => lengths[a] - lengths[b] || a - b),
    ),
    counts,
  };
}

const [LITERALS, COPY_LENGTHS, DISTANCES] = [LITERAL_CODES, LENGTH_CODES, DISTANCE_CODES].map(prefixCode);

/** Whether bytes begin like imploded data: how literals are stored, and the size of the dictionary. */
export const isImploded = (bytes: Uint8Array): boolean => bytes[0] <= 1 && bytes[1] >= 4 && bytes[1] <= 6;

/** The bytes of imploded data. Throws what `refuse` makes where they are damaged or come to more than `maxBytes`. */
export function explode(imploded: Uint8Array, maxBytes: number, refuse: ErrorFactory): Uint8Array {
  const damaged = (): Error => refuse("its compressed data are damaged; save it again");
  const hasCodedLiterals = imploded[0] === 1;
  const distanceBits = imploded[1];
  let bytes = new Uint8Array(Math.min(maxBytes, 4 * imploded.length));
  let size = 0;
  let at = 16;

  function bits(count: number): number {
    let value = 0;
    for (let i = 0; i < count; i++, at++) {
      if (at >> 3 >= imploded.length) throw damaged();
      value |= ((imploded[at >> 3] >> (at & 7)) & 1) << i;
    }
    return value;
  }

  /** The bits of codes are inverted, the first one is the highest. */
  function symbol({ symbols, counts }: PrefixCode): number {
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; length <= MAX_CODE_BITS; length++) {
      code |= bits(1) ^ 1;
      const count = counts[length];
      if (code < first + count) return symbols[index + code - first];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw damaged();
  }

  function reserve(count: number): void {
    if (size + count > maxBytes)
      throw refuse(`its compressed data come to more than ${maxBytes} bytes; save it as STEP`);
    if (size + count <= bytes.length) return;
    const larger = new Uint8Array(Math.min(maxBytes, 2 * (size + count)));
    larger.set(bytes);
    bytes = larger;
  }

  for (;;) {
    if (bits(1) === 0) {
      reserve(1);
      bytes[size++] = hasCodedLiterals ? symbol(LITERALS) : bits(8);
      continue;
    }
    const code = symbol(COPY_LENGTHS);
    const length = LENGTHS[code] + bits(LENGTH_EXTRA_BITS[code]);
    if (length === END) return bytes.subarray(0, size);
    const lowerBits = length === 2 ? SHORT_DISTANCE_BITS : distanceBits;
    const distance = (symbol(DISTANCES) << lowerBits) + bits(lowerBits) + 1;
    if (distance > size) throw damaged();
    reserve(length);
    for (let i = 0; i < length; i++, size++) bytes[size] = bytes[size - distance];
  }
}
