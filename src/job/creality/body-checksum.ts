import { crc32 } from "node:zlib";

/** The checksum of a file whose first bytes, its head, are known after all others. */
export interface BodyChecksum {
  /** Adds the next bytes behind the head. */
  add(bytes: Uint8Array): void;
  /** The checksum of the whole file, as an unsigned number of 32 bits. */
  withHead(head: Uint8Array): number;
}

/** The exclusive or of all bytes. */
export function newXorChecksum(): BodyChecksum {
  let sum = 0;
  return {
    add: (bytes) => void (sum ^= xorOf(bytes)),
    withHead: (head) => sum ^ xorOf(head),
  };
}

/** By words of four bytes, since a layer of a full plate has megabytes. */
function xorOf(bytes: Uint8Array): number {
  const { buffer, byteOffset, length } = bytes;
  const first = Math.min(length, -byteOffset & 3);
  const wordCount = (length - first) >> 2;
  const words = wordCount > 0 ? new Int32Array(buffer, byteOffset + first, wordCount) : [];
  let word = 0;
  for (let i = 0; i < wordCount; i++) word ^= words[i];
  let sum = word ^ (word >> 8) ^ (word >> 16) ^ (word >> 24);
  for (let i = 0; i < first; i++) sum ^= bytes[i];
  for (let i = first + 4 * wordCount; i < length; i++) sum ^= bytes[i];
  return sum & 255;
}

/**
 * The CRC-32 of RFC 1952 without its inversions at the start and the end: the remainder of the bytes as a polynomial, so that the remainders
 * of head and body are added once that of the head is multiplied by the power of x that the body takes up.
 */
export function newCrcChecksum(): BodyChecksum {
  let sum = 0;
  let size = 0;
  return {
    add(bytes) {
      sum = plainCrc(bytes, sum);
      size += bytes.length;
    },
    withHead: (head) => (multiply(plainCrc(head, 0), powerOf(BYTE, size)) ^ sum) >>> 0,
  };
}

const plainCrc = (bytes: Uint8Array, start: number): number => ~crc32(bytes, ~start >>> 0) >>> 0;

/** The polynomial of CRC-32. The highest bit is the coefficient of x⁰ here and below. */
const POLYNOMIAL = 0xedb8_8320;
const ONE = 0x8000_0000;
/** x⁸ */
const BYTE = ONE >>> 8;

/** The product of two polynomials, modulo that of CRC-32. */
function multiply(a: number, b: number): number {
  let product = 0;
  for (let bit = ONE; bit !== 0; bit >>>= 1) {
    if (a & bit) product ^= b;
    b = b & 1 ? (b >>> 1) ^ POLYNOMIAL : b >>> 1;
  }
  return product >>> 0;
}

function powerOf(base: number, exponent: number): number {
  let power = ONE;
  for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) power = multiply(power, base);
    base = multiply(base, base);
  }
  return power;
}
