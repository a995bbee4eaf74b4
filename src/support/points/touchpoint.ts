import type { Vec3 } from "../../geometry/vector.ts";
import type { SurfacePoint } from "./underside.ts";

/** Why a touchpoint is there: the surface begins in the air, a face juts out, it overhangs, or a person put it there. */
export type TouchpointCause = "MINIMUM" | "ISLAND" | "PENINSULA" | "OVERHANG" | "MANUAL";

/** Whether the program chose a touchpoint, or a person. */
export type TouchpointOrigin = "AUTOMATIC" | "MANUAL";

/**
 * A point of a model's surface that the tip of a support holds. Kernels use scene coordinates, models store model
 * space.
 */
export interface Touchpoint {
  readonly position: Vec3;
  /** Outward unit normal of the surface. */
  readonly normal: Vec3;
  /** Diameter of the touch, mm in the scene: the scale of the model does not change it. */
  readonly sizeMm: number;
  readonly cause: TouchpointCause;
  readonly origin: TouchpointOrigin;
  /** Whether the point stays where it is when the automatic points are chosen anew. */
  readonly locked: boolean;
}

/** A touchpoint that the program chose. */
export const automaticPoint = (
  { position, normal }: SurfacePoint,
  cause: TouchpointCause,
  sizeMm: number,
): Touchpoint => ({ position, normal, sizeMm, cause, origin: "AUTOMATIC", locked: false });

/** The base of the pillar of a tip: a foot on the part itself, or, without `foot`, the raft or the platform. */
export interface Standing {
  readonly foot?: Vec3 | undefined;
}

/** The base of a tip at a touchpoint; undefined if no tip is possible. */
export type FindStanding = (touchpoint: Touchpoint) => Standing | undefined;
