import type { ErrorFactory } from "../../core/api-error.ts";

// PKWARE's Data Compression Library, "implode": literals and copies of earlier bytes, as prefix codes. The format is described by B.
// Rudiak-Gould in comp.compression, 13 August 2001.

/** Code lengths of literals (if they are coded), of lengths of copies, and of the upper bits of distances. One hexadecimal digit each. */
const LITERAL_CODES =
  "bcccccccc87cc7ccccccccccccdccccc4a8caca87789767876777787788cb79b" +
  "c676657886b967667b66679899b8b9c8c566656665b756556a55558788abbccc" +
  "ddddddddddddddddddddddddddddddddddddddddddddddddcccccccccccccccc" +
  "ccccccccccccccccccccccccccccccccdcdddcdddcddddcdddcccddddddddddd";
const LENGTH_CODES = "3233444555566677";
const DISTANCE_CODES = "2445555666666666666666777777777777777777777777778888888888888888";

/** The length of a copy is one of these plus a number of as many extra bits as LENGTH_EXTRA_BITS states. */
const LENGTHS = [2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 40, 72, 136, 264];
const LENGTH_EXTRA_BITS = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8];
/** Lower bits of the distance for copies of two bytes; for others the header states the number. */
const SHORT_DISTANCE_BITS = 2;
/** This length marks the end of the data. */
const END = 519;

/** A prefix code: the symbols by code length and value, and the number of symbols per length. */
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

/** Whether bytes begin like imploded data: the mode of literals, and the size of the dictionary. */
export const isImploded = (bytes: Uint8Array): boolean => bytes[0] <= 1 && bytes[1] >= 4 && bytes[1] <= 6;

/** The bytes of imploded data. Throws the error of `refuse` if they are damaged or exceed `maxBytes`. */
export const explode = (imploded: Uint8Array, maxBytes: number, refuse: ErrorFactory): Uint8Array =>
  new Exploder(imploded, maxBytes, refuse).explode();

class Exploder {
  readonly #imploded: Uint8Array;
  readonly #maxBytes: number;
  readonly #refuse: ErrorFactory;
  /** Next bit of the imploded data. */
  #at = 16;
  #bytes: Uint8Array;
  /** Bytes written. */
  #size = 0;

  constructor(imploded: Uint8Array, maxBytes: number, refuse: ErrorFactory) {
    this.#imploded = imploded;
    this.#maxBytes = maxBytes;
    this.#refuse = refuse;
    this.#bytes = new Uint8Array(Math.min(maxBytes, 4 * imploded.length));
  }

  explode(): Uint8Array {
    const hasCodedLiterals = this.#imploded[0] === 1;
    const distanceBits = this.#imploded[1];
    for (;;) {
      if (this.#bits(1) === 0) {
        this.#reserve(1);
        this.#bytes[this.#size++] = hasCodedLiterals ? this.#symbol(LITERALS) : this.#bits(8);
        continue;
      }
      const code = this.#symbol(COPY_LENGTHS);
      const length = LENGTHS[code] + this.#bits(LENGTH_EXTRA_BITS[code]);
      if (length === END) return this.#bytes.subarray(0, this.#size);
      const lowerBits = length === 2 ? SHORT_DISTANCE_BITS : distanceBits;
      this.#copy(length, (this.#symbol(DISTANCES) << lowerBits) + this.#bits(lowerBits) + 1);
    }
  }

  /** Repeats bytes that begin `distance` bytes before the end. */
  #copy(length: number, distance: number): void {
    if (distance > this.#size) throw this.#damaged();
    this.#reserve(length);
    const bytes = this.#bytes;
    for (let i = 0; i < length; i++, this.#size++) bytes[this.#size] = bytes[this.#size - distance];
  }

  #bits(count: number): number {
    const imploded = this.#imploded;
    let value = 0;
    for (let i = 0; i < count; i++, this.#at++) {
      if (this.#at >> 3 >= imploded.length) throw this.#damaged();
      value |= ((imploded[this.#at >> 3] >> (this.#at & 7)) & 1) << i;
    }
    return value;
  }

  /** The bits of codes are inverted, the highest bit first. */
  #symbol({ symbols, counts }: PrefixCode): number {
    let [code, first, index] = [0, 0, 0];
    for (let length = 1; length <= MAX_CODE_BITS; length++) {
      code |= this.#bits(1) ^ 1;
      const count = counts[length];
      if (code < first + count) return symbols[index + code - first];
      index += count;
      first = (first + count) << 1;
      code <<= 1;
    }
    throw this.#damaged();
  }

  #reserve(count: number): void {
    const [needed, maxBytes] = [this.#size + count, this.#maxBytes];
    if (needed > maxBytes) {
      throw this.#refuse(`its compressed data come to more than ${maxBytes} bytes; save it as STEP`);
    }
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.min(maxBytes, 2 * needed));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  #damaged(): Error {
    return this.#refuse("its compressed data are damaged; save it again");
  }
}
