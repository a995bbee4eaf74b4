import type { Vec3 } from "../../geometry/vector.ts";
import type { SupportSettings } from "../support-settings.ts";

/** Why a touchpoint is there: the surface begins in the air, a face juts out, or it overhangs. */
export type TouchpointCause = "MINIMUM" | "ISLAND" | "PENINSULA" | "OVERHANG";

/**
 * A point of a model's surface that the tip of a support holds. Kernels use scene coordinates, models store model
 * space.
 */
export interface Touchpoint {
  readonly position: Vec3;
  /** Outward unit normal of the surface. */
  readonly normal: Vec3;
  readonly cause: TouchpointCause;
  /** Diameter of the circle in which its tip meets the surface; that of the settings if absent. */
  readonly sizeMm?: number;
}

/** The diameter of a touchpoint, mm. */
export const touchpointSize = (
  { sizeMm }: Pick<Touchpoint, "sizeMm">,
  { touchpointSizeMm }: Pick<SupportSettings, "touchpointSizeMm">,
): number => sizeMm ?? touchpointSizeMm;

/** The base of the pillar of a tip: a foot on the part itself, or, without `foot`, the raft or the platform. */
export interface Standing {
  readonly foot?: Vec3 | undefined;
}

/** The base of a tip at a touchpoint; undefined if no tip is possible. */
export type FindStanding = (touchpoint: Touchpoint) => Standing | undefined;
