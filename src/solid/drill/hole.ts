import type { Vec3 } from "../../core/geometry.ts";

/** A round hole that shall be drilled into a mesh; places and lengths are those of the raw mesh. */
export interface Hole {
  /** On the surface. */
  readonly position: Vec3;
  /** Unit vector into the material. */
  readonly direction: Vec3;
  readonly diameterMm: number;
  /** From `position`; AUTO: through the wall to the cavity, or to the far side. */
  readonly depthMm: number | "AUTO";
  /** How far before the surface the cutter starts. */
  readonly outsetMm: number;
  /** With AUTO: the hole begins at the nearest surface within this distance of `position`. */
  readonly searchMm?: number;
}
