import type { Box } from "../core/geometry.ts";
import type { Slabs } from "./slabs.ts";

/**
 * What the scene needs to know of a turned mesh: its box and the convex hull of its silhouette seen from above for
 * placement, its slabs for layers and print time; all at scale 1, places relative to the model's origin. It depends on
 * mesh and orientation alone, so moving and scaling reuse it.
 */
export interface Outline {
  readonly box: Box;
  /** x, y of the hull's corners, counter-clockwise. */
  readonly hullXy: Float64Array;
  /** Between the bottom and the top of `box`. */
  readonly slabs: Slabs;
}
