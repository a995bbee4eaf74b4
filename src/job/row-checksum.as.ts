// AssemblyScript, part of the kernel `layer-kernel.as.ts`: the Adler-32 checksum of bytes by sums over their runs (RFC 1950, section 8.2).

/** The largest prime below 2¹⁶. */
const ADLER_BASE: u64 = 65_521;
/** The sums are reduced only when needed: with a first sum of at most 2³², runs of up to 2²⁸ bytes add less than 2⁶¹ to the second. */
const MAX_SUM_A: u64 = 1 << 32;
const MAX_SUM_B: u64 = 1 << 62;

let sumA: u64;
let sumB: u64;

export function beginChecksum(): void {
  sumA = 1;
  sumB = 0;
}

/** Adds `length` bytes, by their sum and by their sum with weights, which are `length` for the first one and 1 for the last one. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addToChecksum(length: u64, sum: u64, weightedSum: u64): void {
  if (sumA > MAX_SUM_A || sumB > MAX_SUM_B) {
    sumA %= ADLER_BASE;
    sumB %= ADLER_BASE;
  }
  sumB += length * sumA + weightedSum;
  sumA += sum;
}

/** Adds `length` equal bytes. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addRunToChecksum(value: u64, length: u64): void {
  const sum = value * length;
  addToChecksum(length, sum, (sum * (length + 1)) >> 1);
}

/** The Adler-32 checksum of the bytes that were added. */
export function checksum(): u32 {
  return (<u32>(sumB % ADLER_BASE) << 16) | <u32>(sumA % ADLER_BASE);
}
