import type { ThinFeatures } from "../../check/thin/thin-features.ts";
import type { ThinPlan, ThinRequest } from "../../check/thin/thin-plan.ts";
import type { SlabRegions } from "../../check/thin/thin-regions.ts";
import { must } from "../../core/must.ts";
import { type Compute, whileHeld } from "../../worker/compute.ts";
import type { BatchItem } from "../../worker/task.ts";
import { computeChunks } from "../chunk-tasks.ts";
import { beginThinFeaturesTask, finishThinFeaturesTask, searchThinSlabTask } from "./task.ts";

/** Processor time for a unit of work of a slab, ms. */
const WORK_MS = 0.005;

/** The thin features of a model, on all threads. The result does not depend on their number. */
export async function findThinFeatures(item: BatchItem<ThinRequest>, context: Compute): Promise<ThinFeatures> {
  const begun = await context.compute(beginThinFeaturesTask, item);
  return "status" in begun ? begun : whileHeld([begun], context, () => searchSlabs({ ...item, input: begun }, context));
}

async function searchSlabs({ input: plan, ...share }: BatchItem<ThinPlan>, context: Compute): Promise<ThinFeatures> {
  const order = longestFirst(plan);
  const slabs: SlabRegions[] = [];
  const search = {
    count: order.length,
    inputOf: (turn: number) => ({ input: { plan, slab: must(order[turn], "A slab"), turn }, ...share }),
    workMs: WORK_MS * plan.slabs.reduce((sum, { work }) => sum + work, 0),
  };
  let turn = 0;
  for await (const found of computeChunks(searchThinSlabTask, search, context)) {
    slabs[must(order[turn++], "A slab")] = found;
  }
  return context.compute(finishThinFeaturesTask, { input: { plan, slabs }, ...share });
}

/** The slabs, those that take longest first, so that all threads end at about the same time. */
const longestFirst = ({ slabs }: ThinPlan): number[] =>
  slabs
    .map(({ work }, slab) => ({ work, slab }))
    .sort((a, b) => b.work - a.work)
    .map(({ slab }) => slab);
