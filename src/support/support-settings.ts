import type { SupportDefaults } from "../catalog/profile-types.ts";

/**
 * Support options of a request and the print setting of its scene (interface supplement, section 6, "auto-support").
 */
export interface SupportSettings extends SupportDefaults {
  /** Angle between a downward face and the horizontal; flatter faces need support. */
  readonly selfSupportingAngleDeg: number;
  /** Largest distance of an overhang from a touchpoint or from solid below. */
  readonly bridgingDistanceMm: number;
}
