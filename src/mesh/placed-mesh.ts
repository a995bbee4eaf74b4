import type { Pose } from "../geometry/pose.ts";
import type { Mesh } from "./mesh.ts";

/** A mesh and its pose in a scene. */
export interface PlacedMesh {
  readonly mesh: Mesh;
  readonly pose: Pose;
}
