import type { Setting } from "../catalog/setting.ts";
import { runStepwise, mapSteps } from "../core/steps.ts";
import { forEachConcurrent } from "../core/map-concurrent.ts";
import { orientationKey } from "../geometry/pose.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { internMesh, withMesh } from "../scene/model-mesh.ts";
import { placeModels } from "../scene/placement.ts";
import { type Model, type PlacedBody, printedBodies } from "../scene/project.ts";
import type { HollowSource } from "../solid/hollow/hollow-mesh.ts";
import type { BatchItem } from "../worker/task.ts";
import type { RequestContext } from "../api/endpoint.ts";
import { computeOutlines } from "./placement/task.ts";

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
  const groups = [...Map.groupBy(items, (_, i) => keys[i])];
  const results = new Map<string, Result>();
  await forEachConcurrent(groups.entries(), async ([index, [key, [first]]]) => {
    results.set(key, await compute(first, { index, count: groups.length }));
  });
  // Every key has a group.
  return keys.map((key) => results.get(key)!);
}

/** The results of `compute` for the raw mesh of each body, as {@link mapDistinct}. */
export const mapDistinctMeshes = <Result>(
  bodies: readonly { readonly mesh: Mesh }[],
  compute: (item: BatchItem<Mesh>) => Promise<Result>,
): Promise<Result[]> =>
  mapDistinct(
    bodies,
    ({ mesh }) => mesh.hash,
    ({ mesh }, share) => compute({ input: mesh, ...share }),
  );

/** Bodies whose keys are made in one step, in a millisecond. */
const BODIES_PER_STEP = 512;

/**
 * The models with the outlines of their present meshes and poses, supports included, after the placement rules of their
 * printer. Called after every change of a mesh or an orientation.
 */
export async function updateOutlines(
  models: readonly Model[],
  setting: Setting,
  context: Pick<RequestContext, "compute">,
): Promise<Model[]> {
  const keyOf = ({ mesh, pose }: PlacedBody): string => orientationKey(mesh.hash, pose.orientation);
  const toInput = (body: PlacedBody) => [keyOf(body), { mesh: body.mesh, orientation: body.pose.orientation }] as const;
  const inputs = new Map(await runStepwise(mapSteps(models.flatMap(printedBodies), toInput, BODIES_PER_STEP)));
  const outlines = await context.compute(computeOutlines, [...inputs.values()]);
  const outlineByKey = new Map([...inputs.keys()].map((key, i) => [key, outlines[i]]));
  // The outline of every body has been computed.
  const update = <B extends PlacedBody>(body: B): B => ({ ...body, outline: outlineByKey.get(keyOf(body))! });
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
export const replaceMeshes = (
  replacements: readonly MeshReplacement[],
  setting: Setting,
  context: RequestContext,
): Promise<Model[]> =>
  updateOutlines(
    replacements.map(({ model, mesh, hollowed }) => ({
      ...withMesh(model, internMesh(mesh)),
      hollowed: hollowed && { ...hollowed, solid: internMesh(hollowed.solid) },
    })),
    setting,
    context,
  );
