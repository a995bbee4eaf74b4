import type { ThinFeatures } from "../../check/thin/thin-features.ts";
import type { ThinPlan, ThinRequest } from "../../check/thin/thin-plan.ts";
import type { SlabRegions } from "../../check/thin/thin-regions.ts";
import { mapConcurrent } from "../../core/map-concurrent.ts";
import { must } from "../../core/must.ts";
import type { RequestContext } from "../../api/endpoint.ts";
import type { BatchItem } from "../../worker/task.ts";
import { beginThinFeaturesTask, finishThinFeaturesTask, searchThinSlabTask } from "./task.ts";

/** The thin features of a model, on all threads. The result does not depend on their number. */
export async function findThinFeatures(
  { input, ...share }: BatchItem<ThinRequest>,
  { compute }: Pick<RequestContext, "compute">,
): Promise<ThinFeatures> {
  const begun = await compute(beginThinFeaturesTask, { input, ...share });
  if ("status" in begun) return begun;
  const plan = begun;
  const order = longestFirst(plan);
  const slabs: SlabRegions[] = [];
  const search = (turn: number): Promise<SlabRegions> =>
    compute(searchThinSlabTask, { input: { plan, slab: must(order[turn], "A slab"), turn }, ...share });
  let turn = 0;
  for await (const found of mapConcurrent(order.length, search)) slabs[must(order[turn++], "A slab")] = found;
  return compute(finishThinFeaturesTask, { input: { plan, slabs }, ...share });
}

/** The slabs, those that take longest first, so that all threads end at about the same time. */
const longestFirst = ({ slabs }: ThinPlan): number[] =>
  slabs
    .map(({ work }, slab) => ({ work, slab }))
    .sort((a, b) => b.work - a.work)
    .map(({ slab }) => slab);
