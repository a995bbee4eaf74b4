import type { Vec3 } from "../geometry/vector.ts";

/** A tip of a support that holds a part. */
export interface HeldTip {
  readonly position: Vec3;
  /** The region of the part's sections that it touches. */
  readonly region: number;
  readonly strengthN: number;
  /** Diameter of its touch. */
  readonly sizeMm: number;
  /**
   * Where its pillar stands on the part itself: it connects what it touches with that, and holds neither against the film.
   * Absent where the pillar stands on the raft or the platform.
   */
  readonly foot?: Vec3 | undefined;
}
