import type { Box } from "../core/geometry.ts";

/**
 * What placement needs to know of a turned mesh: its box and the convex hull of its silhouette seen from above, both at
 * scale 1 and relative to the model's origin. It depends on mesh and orientation alone, so moving and scaling reuse it.
 */
export interface Outline {
  readonly box: Box;
  /** x, y of the hull's corners, counter-clockwise. */
  readonly hullXy: Float64Array;
}
