import type { SupportDefaults } from "../catalog/profile-types.ts";

/** What a request and its scene's print setting ask of supports (interface supplement, section 6, "auto-support"). */
export interface SupportSettings extends SupportDefaults {
  /** Between a face that looks down and the level; flatter faces need support. */
  readonly selfSupportingAngleDeg: number;
  /** How far an overhang may lie from a touchpoint or from solid below. */
  readonly bridgingDistanceMm: number;
}
