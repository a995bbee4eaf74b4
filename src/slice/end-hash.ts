/** Odd numbers with about as many ones as zeros in any place: products mix the bits of coordinates (Knuth, TAOCP 3, 6.4). */
const MIX = [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f] as const;

/**
 * Hash of an end of a segment, 32 bits of which the highest are mixed best. `bits`: the memory of `Segments.ends`; `end`: twice the segment, plus
 * 1 for its second end.
 */
export function endHash(bits: Int32Array, end: number): number {
  const at = 4 * end;
  const x = Math.imul(bits[at], MIX[0]) ^ Math.imul(bits[at + 1], MIX[1]);
  const y = Math.imul(bits[at + 2], MIX[2]) ^ Math.imul(bits[at + 3], MIX[3]);
  return Math.imul(x ^ (x >>> 15) ^ (y << 7) ^ y, MIX[0]);
}
