import { must } from "../../core/must.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import type { OrientRequest, OrientedModel } from "../../orient/orient-model.ts";
import type { SharedSearch } from "../../orient/shared-search.ts";
import { type Compute, whileHeld } from "../../worker/compute.ts";
import type { BatchItem } from "../../worker/task.ts";
import { computeChunks } from "../chunk-tasks.ts";
import {
  beginOrientationTask,
  fineSurfelsTask,
  orientModelTask,
  refineStartTask,
  roughCostsTask,
  selectStartsTask,
} from "./task.ts";

/** One thread finds the orientation of a smaller mesh in a second. */
const MIN_FACETS = 500_000;
/** Directions that a task values. */
const DIRECTIONS_PER_TASK = 32;
/** Processor time of a direction and of the local search from a start for a gyroid of two million facets, ms. */
const DIRECTION_MS = 0.8;
const START_MS = 250;

/**
 * Finds the orientation of a model as `orientModel` does, with the same result, but for a large mesh of many surfels the threads share the
 * rough search for promising directions.
 */
export async function orientOnThreads(
  item: BatchItem<OrientRequest>,
  context: Compute,
  minFacets = MIN_FACETS,
): Promise<OrientedModel> {
  const { mesh, lock, dentalTiltDeg } = item.input;
  if (triangleCount(mesh) < minFacets || lock !== "FREE" || dentalTiltDeg !== undefined)
    return context.compute(orientModelTask, item);
  const begun = await context.compute(beginOrientationTask, item);
  return "orientation" in begun ? begun : whileHeld([begun], context, () => orientFrom(begun, item, context));
}

/** The orientation from the rough values of many directions, on all threads. */
async function orientFrom(
  begun: SharedSearch,
  { input, ...share }: BatchItem<OrientRequest>,
  context: Compute,
): Promise<OrientedModel> {
  const { search, directions } = begun;
  const batchesOfDirections = {
    count: Math.ceil(directions / DIRECTIONS_PER_TASK),
    inputOf(batch: number) {
      const from = batch * DIRECTIONS_PER_TASK;
      const to = Math.min(directions, from + DIRECTIONS_PER_TASK);
      return { input: { ...begun, from, to }, ...share };
    },
    workMs: DIRECTION_MS * directions,
  };
  const [fine, batches] = await Promise.all([
    context.compute(fineSurfelsTask, { input: begun, ...share }),
    Array.fromAsync(computeChunks(roughCostsTask, batchesOfDirections, context)),
  ]);
  const costs = Float64Array.from(batches.flatMap((batch) => [...batch]));
  const found = await context.compute(selectStartsTask, { input: { search, costs }, ...share });
  const starts = {
    count: found.starts.length,
    inputOf: (i: number) => ({
      input: { search, start: must(found.starts[i], "A start"), isFitting: found.isFitting },
      ...share,
    }),
    workMs: START_MS * found.starts.length,
  };
  const refined = await Array.fromAsync(computeChunks(refineStartTask, starts, context));
  const shape = { ...search.shape, surfels: [...search.shape.surfels, fine] };
  return context.compute(orientModelTask, {
    input: { ...input, made: { shape, rough: { ...found, refined } } },
    ...share,
  });
}
