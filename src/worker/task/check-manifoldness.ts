import { type Manifoldness, manifoldnessOf } from "../../check/manifoldness.ts";
import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { partOf, type Share } from "../share.ts";

/** Whether a raw mesh bounds a solid, and what is wrong with it. */
export const checkManifoldness = (share: Share<Mesh>, watch: Watch): Manifoldness =>
  manifoldnessOf(share.request, partOf(share, watch));
