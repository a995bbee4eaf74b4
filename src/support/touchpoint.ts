import type { Vec3 } from "../core/geometry.ts";

/** Why a place of the surface is held: it begins in the air, it juts out, or it leans too far. */
export type TouchpointCause = "MINIMUM" | "ISLAND" | "PENINSULA" | "OVERHANG";

/** A place of a model's surface that a tip holds. Kernels take scene coordinates; a model keeps those of its raw mesh. */
export interface Touchpoint {
  readonly position: Vec3;
  /** Of the surface there, outward, of length 1. */
  readonly normal: Vec3;
  readonly cause: TouchpointCause;
}
