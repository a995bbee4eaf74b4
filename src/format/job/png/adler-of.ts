import type { ByteRuns } from "./byte-runs.ts";

/** The largest prime below 2¹⁶ (RFC 1950, section 8.2). */
const BASE = 65_521;
/**
 * Sums stay exact, below 2⁵³, without a division a run: while the second is at most MAX_SUM, the first is below 2²⁵ (at
 * most 93,000 bytes of 255 came so far), and MAX_LENGTH more bytes add less than 2⁴⁸.
 */
const MAX_SUM = 2 ** 40;
const MAX_LENGTH = 2 ** 22;

/** The Adler-32 checksum of the bytes, unsigned. Runs of other bytes than 0 are at most 2¹⁶ long: a row and its filter. */
export function adlerOf({ values, lengths, size }: ByteRuns): number {
  let a = 1;
  let b = 0;
  for (let i = 0; i < size; i++) {
    const length = lengths[i];
    if (b > MAX_SUM || length > MAX_LENGTH) {
      a %= BASE;
      b %= BASE;
    }
    const sum = values[i] * length;
    b += length * a + (sum * (length + 1)) / 2;
    a += sum;
  }
  return (b % BASE) * 0x1_0000 + (a % BASE);
}
