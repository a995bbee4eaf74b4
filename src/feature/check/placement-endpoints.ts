import * as v from "valibot";
import { inputError, notFound } from "../../core/api-error.ts";
import { paired } from "../../core/paired.ts";
import { must } from "../../core/must.ts";
import type { MeshTree } from "../../mesh/bvh/interfere.ts";
import { ORIGIN } from "../../geometry/vector.ts";
import { isCage, isCageInBounds, membersOf } from "../../scene/cages.ts";
import { selectEntries, selectModels, selectWithContainers } from "../../scene/find.ts";
import { isInBounds, sceneBox } from "../../scene/placement.ts";
import { type Model, type Scene, printedBodies } from "../../scene/project.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { type FoundPlace, type RequestContext, readsScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { coordinateMm, modelIds, perModelReply, perModelResults, sceneId, uuid } from "../../api/schema.ts";
import { keptOfMesh } from "../kept-of-mesh.ts";
import { mapDistinctMeshes } from "../mesh-tasks.ts";
import {
  buildMeshTreeTask,
  checkInterferencesTask,
  findInterferencePlacesTask,
  findOutsidePlacesTask,
  nearbyPairsTask,
} from "./task.ts";

export const validateInBounds = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/validate/in-bounds/",
    summary:
      "Reports whether each model is completely inside the build volume. The container of a cage is inside if its lattice and all of its parts are.",
    body: strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: perModelReply(
      object({
        in_bounds: field(v.boolean(), "Whether every point of the model and its supports is inside the build volume."),
      }),
    ),
    places: (scene, _, found, context) => outsidePlaces(scene, found.flat(), context),
  },
  (scene, { model_ids }) => {
    const { models, containers } = selectWithContainers(scene, model_ids);
    const entries = [...models, ...containers];
    return perModelResults(
      entries,
      entries.map((entry) => ({
        in_bounds: isCage(entry) ? isCageInBounds(scene, entry) : isInBounds(entry, scene.setting),
      })),
    );
  },
);

/** The places where these models and cages reach out of the build volume. */
async function outsidePlaces(
  scene: Scene,
  modelIds: readonly string[],
  context: RequestContext,
): Promise<FoundPlace[]> {
  const { volume } = scene.setting.printerType;
  const entries = selectEntries(scene, modelIds);
  const found = await Promise.all(
    entries.map(async (entry, index) => {
      const bodies = (isCage(entry) ? membersOf(scene, entry) : [entry]).flatMap(placedBodies);
      const input = { bodies, volume };
      const places = await context.compute(findOutsidePlacesTask, { input, index, count: entries.length });
      return places.map((place): FoundPlace => ({ modelIds: [entry.id], place, byMm: ORIGIN }));
    }),
  );
  return found.flat();
}

export const validateInterferences = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/validate/interferences/",
    summary:
      "Lists the pairs of models, supports included, that overlap, contain one another, or are closer to each other than collision_offset_mm, in the order of the scene. With model_ids, only pairs with at least one of these models are listed. The tolerance is 1 µm: models that touch do not overlap.",
    async: true,
    body: strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      collision_offset_mm: field(
        v.optional(v.pipe(coordinateMm, v.minValue(0)), 0),
        "Distance below which models count as interfering, in mm.",
      ),
    }),
    reply: object({
      interferences: field(
        v.array(v.tuple([uuid, uuid])),
        "Pairs of ids of models that interfere, supports included, in the order of the scene.",
      ),
    }),
    places: (scene, body, found, context) => interferencePlaces(scene, found, body.collision_offset_mm, context),
  },
  async (scene, { model_ids, collision_offset_mm: offsetMm }, context) => {
    const { models } = scene;
    const selected = new Set(selectModels(scene, model_ids));
    const batches = await context.compute(nearbyPairsTask, {
      boxes: boxesOf(models),
      reachMm: offsetMm,
      ...(selected.size < models.length && { chosen: Uint8Array.from(models, (model) => Number(selected.has(model))) }),
    });
    const modelAt = (index: number): Model => must(models[index], "A model of a pair");
    const near = [...new Set(batches.flatMap((pairs) => [...pairs]))];
    const trees = await treesOf(near.map(modelAt), context);
    const found = await Promise.all(
      batches.map((pairs, index) => {
        const placed = new Map([...new Set(pairs)].map((model) => [model, placedBodies(modelAt(model))]));
        const input = { models: placed, trees, pairs, offsetMm };
        return context.compute(checkInterferencesTask, { input, index, count: batches.length });
      }),
    );
    const interferences = found
      .flatMap((pairs) => Array.from({ length: pairs.length / 2 }, (_, i) => pairAt(pairs, i)))
      .sort(([a, b], [c, d]) => a - c || b - d)
      .map(([a, b]): [string, string] => [modelAt(a).id, modelAt(b).id]);
    return { interferences };
  },
);

/** Pair `i` of a list with two indices per pair. */
function pairAt(pairs: ArrayLike<number>, i: number): readonly [number, number] {
  return [must(pairs[2 * i], "The first of a pair"), must(pairs[2 * i + 1], "The second of a pair")];
}

/** The places where these pairs of models interfere. */
async function interferencePlaces(
  scene: Scene,
  pairs: readonly (readonly string[])[],
  offsetMm: number,
  context: RequestContext,
): Promise<FoundPlace[]> {
  const models = new Map(selectModels(scene, pairs.flat()).map((model) => [model.id, model]));
  const bodiesOf = (id: string): PlacedMesh[] => {
    const model = models.get(id);
    // A container of a cage has no mesh and interferes with no model.
    if (!model) throw notFound(`The model ${id} has no separate mesh: name the pairs as the check lists them.`);
    return placedBodies(model);
  };
  const trees = await treesOf([...models.values()], context);
  const found = await Promise.all(
    pairs.map(async (modelIds, index) => {
      const [one, other, ...more] = modelIds;
      if (one === undefined || other === undefined || more.length > 0)
        throw inputError("An interference has two models: name the pairs as the check lists them.");
      const input = { one: bodiesOf(one), other: bodiesOf(other), trees, offsetMm };
      const places = await context.compute(findInterferencePlacesTask, { input, index, count: pairs.length });
      return places.map((place): FoundPlace => ({ modelIds, place, byMm: ORIGIN }));
    }),
  );
  return found.flat();
}

/** Minimum and maximum corner of each model's box: six numbers per model. */
export const boxesOf = (models: readonly Model[]): Float64Array =>
  Float64Array.from(models.map(sceneBox).flatMap(({ min, max }) => [...min, ...max]));

const placedBodies = (model: Model): PlacedMesh[] => printedBodies(model).map(({ mesh, pose }) => ({ mesh, pose }));

/** A tree for each body, by the hash of its mesh. */
async function treesOf(models: readonly Model[], context: RequestContext): Promise<Map<string, MeshTree>> {
  const bodies = models.flatMap(printedBodies);
  const trees = await mapDistinctMeshes(bodies, (item) =>
    keptOfMesh(item.input, "tree", context, () => context.compute(buildMeshTreeTask, item)),
  );
  return new Map(paired(bodies, trees).map(([{ mesh }, tree]) => [mesh.hash, tree]));
}
