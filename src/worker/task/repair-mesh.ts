import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { type Repaired, repair } from "../../mesh/repair/repair.ts";
import { partOf, type Share } from "../share.ts";

/** A raw mesh as the boundary of a solid. */
export const repairMesh = (share: Share<Mesh>, watch: Watch): Repaired => repair(share.request, partOf(share, watch));
