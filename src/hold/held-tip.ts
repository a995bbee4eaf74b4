import type { Vec3 } from "../geometry/vector.ts";

/** A tip of a support that holds a part. */
export interface HeldTip {
  readonly position: Vec3;
  /** The region of the sections that the tip touches. */
  readonly region: number;
  readonly strengthN: number;
  /** Diameter of the touchpoint. */
  readonly sizeMm: number;
  /**
   * The foot of its pillar on the part itself: the pillar connects the two places of the part, and holds neither against the film.
   * Absent if the pillar stands on the raft or the platform.
   */
  readonly foot?: Vec3 | undefined;
}
