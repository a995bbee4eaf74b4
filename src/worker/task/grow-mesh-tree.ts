import { type MeshTree, meshTree } from "../../check/interferences/mesh-tree.ts";
import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { partOf, type Share } from "../share.ts";

/** Share of a request's progress at which all trees stand. */
const GROWN = 0.4;

/** A raw mesh in a tree that all threads may ask. */
export const growMeshTree = (share: Share<Mesh>, watch: Watch): MeshTree =>
  meshTree(share.request, partOf(share, watch.part(0, GROWN)));
