import type { Vec3 } from "../geometry/vector.ts";

/** A tip of a support that holds a part. */
export interface HeldTip {
  readonly position: Vec3;
  /** The region of the part's sections that it touches. */
  readonly region: number;
  readonly strengthN: number;
  /** Diameter of its touch. */
  readonly sizeMm: number;
}
