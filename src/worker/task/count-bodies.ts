import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { solidsOf } from "../../mesh/solids.ts";
import { partOf, type Share } from "../share.ts";

/** How many bodies a raw mesh has, each with its cavities. */
export const countBodies = (share: Share<Mesh>, watch: Watch): number =>
  solidsOf(share.request, partOf(share, watch)).count;
