import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import * as split from "../../mesh/split-bodies.ts";
import { partOf, type Share } from "../share.ts";

export interface SplitRequest {
  readonly mesh: Mesh;
  /** How many bodies there is room for. */
  readonly most: number;
}

/** Each body of a raw mesh, with its cavities, as a mesh of its own. */
export const splitBodies = (share: Share<SplitRequest>, watch: Watch): split.Split =>
  split.splitBodies(share.request.mesh, share.request.most, partOf(share, watch));
