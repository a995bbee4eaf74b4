import type { Lock } from "../core/lock.ts";
import type { Units } from "../core/units.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Outline } from "../mesh/outline.ts";
import type { Pose } from "../mesh/pose.ts";

/** A mesh standing in a scene. Immutable; meshes and outlines are shared between copies. */
export interface Model {
  readonly id: string;
  readonly name: string;
  /** Absolute path of the file it was imported from. */
  readonly originalFile: string;
  readonly units: Units;
  readonly visible: boolean;
  readonly lock: Lock;
  readonly mesh: Mesh;
  /** Of `mesh` turned by `pose.orientation`. */
  readonly outline: Outline;
  readonly pose: Pose;
}
