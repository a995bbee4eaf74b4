import type { Mesh } from "../mesh/mesh.ts";
import type { Pose } from "../mesh/pose.ts";

/** A mesh as it stands in a scene. What several of them cover is solid once. */
export interface Placed {
  readonly mesh: Mesh;
  readonly pose: Pose;
}
