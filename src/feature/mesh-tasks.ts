import type { Setting } from "../catalog/setting.ts";
import { runStepwise, mapSteps } from "../core/steps.ts";
import { forEachConcurrent } from "../core/map-concurrent.ts";
import { paired } from "../core/paired.ts";
import { must } from "../core/must.ts";
import { orientationKey } from "../geometry/pose.ts";
import { bareMesh } from "../mesh/filled-mesh.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { internMesh, withHollowed, withMesh } from "../scene/model-mesh.ts";
import { placeModels } from "../scene/placement.ts";
import { type Model, type PlacedBody, printedBodies } from "../scene/project.ts";
import type { HollowSource } from "../solid/hollow/hollow-mesh.ts";
import type { BatchItem } from "../worker/task.ts";
import type { RequestContext } from "../api/endpoint.ts";
import type { Compute } from "../worker/compute.ts";
import { withPlanOnMesh } from "./support-plan/plan-on-mesh.ts";
import { computeOutlinesTask } from "./placement/task.ts";

/**
 * Computes a result for each item, in their order, on all threads. Items with equal keys, such as copies of a model, are
 * computed once.
 */
export async function mapDistinct<Item, Result>(
  items: readonly Item[],
  keyOf: (item: Item) => string,
  compute: (item: Item, share: Pick<BatchItem<unknown>, "index" | "count">) => Promise<Result>,
): Promise<Result[]> {
  const keys = items.map(keyOf);
  const distinct = new Map<string, Item>();
  for (const [item, key] of paired(items, keys)) if (!distinct.has(key)) distinct.set(key, item);
  const results = new Map<string, { readonly result: Result }>();
  await forEachConcurrent([...distinct].entries(), async ([index, [key, item]]) => {
    results.set(key, { result: await compute(item, { index, count: distinct.size }) });
  });
  return keys.map((key) => must(results.get(key), "The result of an item").result);
}

/** The results of `compute` for the raw mesh of each body without infill, as {@link mapDistinct}. */
export const mapDistinctMeshes = <Result>(
  bodies: readonly { readonly mesh: Mesh }[],
  compute: (item: BatchItem<Mesh>) => Promise<Result>,
): Promise<Result[]> =>
  mapDistinct(
    bodies,
    ({ mesh }) => bareMesh(mesh).hash,
    ({ mesh }, share) => compute({ input: bareMesh(mesh), ...share }),
  );

/** The only item of work that has a progress of its own, such as that of shared results. */
export const alone = <Input>(input: Input): BatchItem<Input> => ({ input, index: 0, count: 1 });

/** Bodies whose keys are made in one step, in a millisecond. */
const BODIES_PER_STEP = 512;

/**
 * The models with the outlines of their current meshes and poses, supports included, after the placement rules of their
 * printer. Called after every change of a mesh or an orientation.
 */
export async function updateOutlines(models: readonly Model[], setting: Setting, context: Compute): Promise<Model[]> {
  const keyOf = ({ mesh, pose }: PlacedBody): string => orientationKey(mesh.hash, pose.orientation);
  const toInput = (body: PlacedBody) => [keyOf(body), { mesh: body.mesh, orientation: body.pose.orientation }] as const;
  const inputs = new Map(await runStepwise(mapSteps(models.flatMap(printedBodies), toInput, BODIES_PER_STEP)));
  const outlines = await context.compute(computeOutlinesTask, [...inputs.values()]);
  const outlineByKey = new Map(paired([...inputs.keys()], outlines));
  const update = <B extends PlacedBody>(body: B): B => ({
    ...body,
    outline: must(outlineByKey.get(keyOf(body)), "The outline of a body"),
  });
  const updateModel = (model: Model): Model => ({
    ...update(model),
    supports: model.supports && update(model.supports),
  });
  return runStepwise(placeModels(await runStepwise(mapSteps(models, updateModel, BODIES_PER_STEP)), setting));
}

/** A model and the raw mesh that replaces its own. */
export interface MeshReplacement {
  readonly model: Model;
  readonly mesh: Mesh;
  /** The source from which the model can be hollowed again; undefined if that is the mesh itself. */
  readonly hollowed?: HollowSource | undefined;
}

/**
 * The models with their new meshes and without supports, after the placement rules of their printer. Geometry that both
 * meshes share keeps its place in x and y.
 */
export async function replaceMeshes(
  replacements: readonly MeshReplacement[],
  setting: Setting,
  context: RequestContext,
): Promise<Model[]> {
  const replaced = replacements.map(({ model, mesh, hollowed }) =>
    withHollowed(withMesh(model, internMesh(mesh)), hollowed),
  );
  const planned = await Promise.all(replaced.map((model) => withPlanOnMesh(model, context)));
  return updateOutlines(planned, setting, context);
}
