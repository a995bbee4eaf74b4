import type { Watch } from "../../core/watch.ts";
import type { Net } from "../../mesh/voxel/layer-nets.ts";
import { slabCount } from "../../solid/hollow/hollow-plan.ts";
import { slabWalls } from "../../solid/hollow/slab-walls.ts";
import { partOf, type Share } from "../share.ts";
import type { SlabRequest } from "./fill-cavity.ts";
import { COMPOSED, WALLED } from "./plan-hollow.ts";

/** The surface of one slab of a plan's cavity. The progress told is that of all slabs. */
export function wallCavity(share: Share<SlabRequest>, watch: Watch): Net {
  const { plan, slab } = share.request;
  const walling = partOf(share, watch).part(COMPOSED, WALLED);
  return slabWalls(plan, slab, walling.part(slab / slabCount(plan), (slab + 1) / slabCount(plan)));
}
