import type { ThinFeatures } from "../../check/thin/thin-features.ts";
import type { ThinPlan, ThinRequest } from "../../check/thin/thin-plan.ts";
import type { SlabRegions, ThinRegion } from "../../check/thin/thin-regions.ts";
import { must } from "../../core/must.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import { type Compute, whileHeld } from "../../worker/compute.ts";
import type { BatchItem } from "../../worker/task.ts";
import { computeChunks } from "../chunk-tasks.ts";
import { beginThinFeaturesTask, finishThinFeaturesTask, searchThinSlabTask } from "./task.ts";

/** Processor time for a unit of work of a slab, ms. */
const WORK_MS = 0.005;

/** The thin features of a model with packed regions: results of requests are remembered, and rough parts have thousands of regions. */
export interface FoundThinFeatures extends Pick<ThinFeatures, "status"> {
  /** Seven numbers for each region, the largest first: its volume, and the least and the greatest x, y, z of its box. */
  readonly regions: Float64Array;
}

const STRIDE = 7;

/** The thin features of a model, on all threads. The result does not depend on their number. */
export async function findThinFeatures(item: BatchItem<ThinRequest>, context: Compute): Promise<FoundThinFeatures> {
  const begun = await context.compute(beginThinFeaturesTask, item);
  if ("status" in begun) return packed(begun);
  return packed(await whileHeld([begun], context, () => searchSlabs({ ...item, input: begun }, context)));
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

const packed = ({ status, regions }: ThinFeatures): FoundThinFeatures => ({
  status,
  regions: Float64Array.from(regions.flatMap(({ volumeMm3, box: { min, max } }) => [volumeMm3, ...min, ...max])),
});

/** The regions of a result. */
export function thinRegionsOf({ regions }: FoundThinFeatures): ThinRegion[] {
  const numberAt = (at: number): number => must(regions[at], "A number of a region");
  const pointAt = (at: number): Vec3 => [numberAt(at), numberAt(at + 1), numberAt(at + 2)];
  return Array.from({ length: regions.length / STRIDE }, (_, i) => ({
    volumeMm3: numberAt(STRIDE * i),
    box: { min: pointAt(STRIDE * i + 1), max: pointAt(STRIDE * i + 4) },
  }));
}

/** The slabs, those that take longest first, so that all threads end at about the same time. */
const longestFirst = ({ slabs }: ThinPlan): number[] =>
  slabs
    .map(({ work }, slab) => ({ work, slab }))
    .sort((a, b) => b.work - a.work)
    .map(({ slab }) => slab);
