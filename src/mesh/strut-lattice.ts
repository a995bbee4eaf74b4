import type { StrutLattice } from "./mesh.ts";

/** The end of a strut: a ball of the radius of that end, the half of it beyond the end, or flat (3MF beam lattice 1.2, `cap`). */
export const CAPS = ["sphere", "hemisphere", "butt"] as const;
export type Cap = (typeof CAPS)[number];

/** `caps` of a strut in a lattice. */
export const capCode = (first: Cap, second: Cap): number => CAPS.indexOf(first) + 4 * CAPS.indexOf(second);

/** The largest {@link capCode}. */
export const MAX_CAP_CODE = capCode("butt", "butt");

export const strutCount = ({ struts }: StrutLattice): number => struts.length / 2;

/** A value of an array that has one for each item, or one for all. */
export const valueOf = (values: Float32Array | Uint8Array, item: number): number =>
  values.length === 1 ? values[0] : values[item];
