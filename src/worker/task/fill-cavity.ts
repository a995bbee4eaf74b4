import type { Watch } from "../../core/watch.ts";
import { fillSlab } from "../../solid/hollow/fill-slab.ts";
import { type HollowPlan, slabCount } from "../../solid/hollow/hollow-plan.ts";
import { partOf, type Share } from "../share.ts";
import { FILLED, PLANNED } from "./plan-hollow.ts";

export interface SlabRequest {
  readonly plan: HollowPlan;
  readonly slab: number;
}

/** Fills one slab of a plan's field in. The progress told is that of all slabs: they are filled in about in their order. */
export function fillCavity(share: Share<SlabRequest>, watch: Watch): void {
  const { plan, slab } = share.request;
  const filling = partOf(share, watch).part(PLANNED, FILLED);
  fillSlab(plan, slab, filling.part(slab / slabCount(plan), (slab + 1) / slabCount(plan)));
}
