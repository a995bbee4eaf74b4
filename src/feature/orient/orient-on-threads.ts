import { mapConcurrent } from "../../core/map-concurrent.ts";
import { must } from "../../core/must.ts";
import { triangleCount } from "../../mesh/mesh.ts";
import type { OrientRequest, OrientedModel } from "../../orient/orient-model.ts";
import type { RequestContext } from "../../api/endpoint.ts";
import type { BatchItem } from "../../worker/task.ts";
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
/** Directions that a task values: about 25 ms for a gyroid of two million facets. */
const DIRECTIONS_PER_TASK = 32;

/**
 * Finds the orientation of a model as `orientModel` does, with the same result, but for a large mesh of many surfels the threads share the
 * rough search for promising directions.
 */
export async function orientOnThreads(
  item: BatchItem<OrientRequest>,
  compute: RequestContext["compute"],
  minFacets = MIN_FACETS,
): Promise<OrientedModel> {
  const { input, ...share } = item;
  const { mesh, lock, dentalTiltDeg } = input;
  if (triangleCount(mesh) < minFacets || lock !== "FREE" || dentalTiltDeg !== undefined)
    return compute(orientModelTask, item);
  const begun = await compute(beginOrientationTask, item);
  if ("orientation" in begun) return begun;
  const { search, directions } = begun;
  const valued = mapConcurrent(Math.ceil(directions / DIRECTIONS_PER_TASK), (batch) => {
    const from = batch * DIRECTIONS_PER_TASK;
    const to = Math.min(directions, from + DIRECTIONS_PER_TASK);
    return compute(roughCostsTask, { input: { ...begun, from, to }, ...share });
  });
  const [fine, batches] = await Promise.all([
    compute(fineSurfelsTask, { input: begun, ...share }),
    Array.fromAsync(valued),
  ]);
  const costs = Float64Array.from(batches.flatMap((batch) => [...batch]));
  const found = await compute(selectStartsTask, { input: { search, costs }, ...share });
  const refined = await Array.fromAsync(
    mapConcurrent(found.starts.length, (i) => {
      const start = must(found.starts[i], "A start");
      return compute(refineStartTask, { input: { search, start, isFitting: found.isFitting }, ...share });
    }),
  );
  const shape = { ...search.shape, surfels: [...search.shape.surfels, fine] };
  return compute(orientModelTask, { input: { ...input, made: { shape, rough: { ...found, refined } } }, ...share });
}
