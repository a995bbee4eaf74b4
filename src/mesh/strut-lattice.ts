import type { Transform } from "../geometry/transform.ts";
import type { Mesh } from "./mesh.ts";

/** The end of a strut: a ball of the radius of that end, the half of it beyond the end, or flat (3MF beam lattice 1.2, `cap`). */
export const CAPS = ["sphere", "hemisphere", "butt"] as const;
export type Cap = (typeof CAPS)[number];

/** {@link StrutLattice.caps} of a strut. */
export const capCode = (first: Cap, second: Cap): number => CAPS.indexOf(first) + 4 * CAPS.indexOf(second);

/**
 * The union of struts and balls, which is sliced without a mesh. A strut is a frustum between two vertices, with a cap at each end. All
 * arrays are in shared memory. Lengths in mm, in the coordinates of the lattice.
 */
export interface StrutLattice {
  /** x, y, z of each vertex. */
  readonly vertices: Float32Array;
  /** The two vertices of each strut. */
  readonly struts: Uint32Array;
  /** The radii at the two ends of each strut; or one number, the radius of all. */
  readonly radii: Float32Array;
  /** The caps of each strut ({@link capCode}); or one number, those of all. */
  readonly caps: Uint8Array;
  /** The vertex of each ball. */
  readonly balls: Uint32Array;
  /** The radius of each ball; or one number, that of all. */
  readonly ballRadii: Float32Array;
  /** From the coordinates of the lattice to those of the part. It may shear and stretch, which makes struts elliptical. */
  readonly transform: Transform;
  /** A solid, in the coordinates of the part: only what is inside, or outside, of it belongs to the lattice. */
  readonly clip?: LatticeClip | undefined;
}

export interface LatticeClip {
  readonly mesh: Mesh;
  readonly keeps: "inside" | "outside";
}

export const strutCount = ({ struts }: StrutLattice): number => struts.length / 2;

/** A value of an array that has one for each item, or one for all. */
export const valueOf = (values: Float32Array | Uint8Array, item: number): number =>
  values.length === 1 ? values[0] : values[item];
