import type { BuildVolume } from "../core/geometry.ts";
import type { Mesh } from "../mesh/mesh.ts";
import type { Pose } from "../mesh/pose.ts";

/** What a body in the picture is; each kind has its own tint. */
export type ItemKind = "model" | "outOfBounds" | "support" | "lattice";

export interface Item {
  readonly mesh: Mesh;
  readonly pose: Pose;
  readonly kind: ItemKind;
}

/** Everything there is to see: bodies in the build volume of a printer, in world coordinates. */
export interface Stage {
  readonly volume: BuildVolume;
  readonly items: readonly Item[];
}

/** A picture without transparency: red, green, blue, 255 of each pixel, row by row from the top left, in sRGB. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8ClampedArray<ArrayBuffer>;
}
