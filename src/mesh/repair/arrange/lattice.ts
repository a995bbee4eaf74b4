import type { Surface } from "../../mesh.ts";

/** Whole numbers in which the coordinates of a surface can be told without rounding. */
export interface Lattice {
  /** Steps to a millimetre, a power of two. */
  readonly stepsPerMm: number;
}

/** Of the exponent that single precision stores, to that of the last of its 23 digits. */
const LAST_DIGIT = 127 + 23;

/** The coarsest lattice that holds the coordinates of a surface, which are single-precision numbers. */
export function latticeOf({ vertices }: Surface): Lattice {
  const bits = new Uint32Array(Float32Array.from(vertices).buffer);
  let least = 0;
  for (const single of bits) {
    const exponent = (single >>> 23) & 0xff;
    const digits = (single & 0x7f_ffff) | (exponent === 0 ? 0 : 0x80_0000);
    if (digits === 0) continue;
    const zeros = 31 - Math.clz32(digits & -digits);
    least = Math.min(least, Math.max(exponent, 1) - LAST_DIGIT + zeros);
  }
  return { stepsPerMm: 2 ** -least };
}
