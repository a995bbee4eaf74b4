import type { Pose } from "../geometry/pose.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import type { LetterPlane } from "../mesh/letter-plane.ts";
import type { Mesh } from "../mesh/mesh.ts";

/** The kind of a body in a picture; each kind has a tint. */
export type ItemKind = "model" | "outOfBounds" | "support" | "lattice" | "letters";

/** A body to draw. */
export interface RenderItem {
  readonly mesh: Mesh;
  readonly pose: Pose;
  readonly kind: ItemKind;
  /** Geometry beyond this plane is drawn as letters. */
  readonly letters?: LetterPlane | undefined;
}

/** The bodies to draw, in world coordinates, and the build volume around them. */
export interface RenderScene {
  readonly volume: BuildVolume;
  readonly items: readonly RenderItem[];
}
