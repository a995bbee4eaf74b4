import * as v from "valibot";
import { inputError } from "../../core/api-error.ts";
import { newId, parseId } from "../../core/id.ts";
import { inTurns } from "../../core/in-turns.ts";
import type { Lock } from "../../core/model-options.ts";
import { UNIT_MM, type Units } from "../../core/units.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { appendModels, removeModels, replaceModels } from "../../scene/edit.ts";
import { countSelected, findModel, selectModels } from "../../scene/find.ts";
import { internMesh, scaleHollowed } from "../../scene/model-mesh.ts";
import { modelsOnWire } from "../../scene/on-wire.ts";
import type { Model, Scene } from "../../scene/project.ts";
import { type RequestContext, changesScene, readsScene } from "../endpoint.ts";
import { ids, idsOf, lock, modelIds, modelReply, modifiedReply, name, sceneId, units, uuid } from "../schema.ts";
import { updateOutlines } from "./mesh-tasks.ts";
import { supportModels } from "./supports.ts";

export const listModels = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/list/",
    summary: "Lists the named models, in the given order, or all models of the scene.",
    body: v.strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: v.object({ models: v.array(modelReply) }),
  },
  async (scene, { model_ids }) => ({
    models: await inTurns(modelsOnWire(selectModels(scene, model_ids), scene.setting)),
  }),
);

const editableFields = {
  name: v.optional(name),
  lock: v.optional(lock),
  visible: v.optional(v.boolean()),
  units: v.optional(units),
};

export const updateModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/update/",
    summary: "Sets the name (of one model), lock, visibility or units. New units rescale the raw mesh.",
    body: v.pipe(
      v.strictObject({ scene_id: sceneId, model_ids: modelIds, ...editableFields }),
      v.check(
        (body) => Object.keys(editableFields).some((field) => field in body),
        `needs at least one of ${Object.keys(editableFields).join(", ")}`,
      ),
    ),
    reply: modifiedReply,
  },
  async (scene, { model_ids, units: nextUnits, ...edit }, context) => {
    if (edit.name !== undefined && countSelected(scene, model_ids) !== 1) {
      throw inputError("name can be given to one model at a time: put its id alone into model_ids.");
    }
    const edited = selectModels(scene, model_ids).map((model) => withFields(model, edit));
    const next = nextUnits === undefined ? edited : await withUnits(edited, nextUnits, scene, context);
    return [replaceModels(scene, next), { modified_model_ids: idsOf(next) }];
  },
);

const withFields = (
  model: Model,
  { name, lock, visible }: { name?: string | undefined; lock?: Lock | undefined; visible?: boolean | undefined },
): Model => ({
  ...model,
  name: name ?? model.name,
  lock: lock ?? model.lock,
  visible: visible ?? model.visible,
});

/** The models in other units: their raw meshes are rescaled, so the numbers of the file keep their meaning. */
async function withUnits(
  models: readonly Model[],
  nextUnits: Units,
  scene: Scene,
  context: RequestContext,
): Promise<Model[]> {
  const changing = models.filter((model) => model.units !== nextUnits);
  const factorOf = ({ units }: Model): number => UNIT_MM[nextUnits] / UNIT_MM[units];
  const keyOf = (mesh: Mesh, factor: number): string => `${mesh.hash} ${factor}`;
  const inputs = new Map(
    changing.flatMap((model) =>
      [model.mesh, ...(model.hollowed ? [model.hollowed.solid] : [])].map((mesh) => {
        const factor = factorOf(model);
        return [keyOf(mesh, factor), { mesh, factor }] as const;
      }),
    ),
  );
  const meshes = await context.compute("rescaleMeshes", [...inputs.values()]);
  const meshByKey = new Map([...inputs.keys()].map((key, i) => [key, internMesh(meshes[i])]));
  const rescaled = changing.map((model): Model => {
    const factor = factorOf(model);
    // Every mesh of the model is in the map.
    const rescaledMesh = (mesh: Mesh): Mesh => meshByKey.get(keyOf(mesh, factor))!;
    const { hollowed } = model;
    return {
      ...model,
      units: nextUnits,
      mesh: rescaledMesh(model.mesh),
      supports: undefined,
      hollowed: hollowed && scaleHollowed(hollowed, rescaledMesh(hollowed.solid), factor),
    };
  });
  const placed = await updateOutlines(rescaled, scene.setting, context);
  const byId = new Map(placed.map((model) => [model.id, model]));
  return models.map((model) => byId.get(model.id) ?? model);
}

export const deleteModels = changesScene(
  {
    method: "DELETE",
    path: "/v1/scene/model/delete/",
    summary: "Removes models from the scene.",
    body: v.strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: v.object({ deleted_model_ids: ids }),
  },
  (scene, { model_ids }) => {
    const deleted = selectModels(scene, model_ids);
    return [removeModels(scene, deleted), { deleted_model_ids: idsOf(deleted) }];
  },
);

/** Most copies that one request may make (interface supplement, "Limits of the server"). */
export const MAX_COPIES = 10_000;

export const duplicateModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/duplicate/",
    summary: "Copies each model `count` times, at the pose of the model. Copies share its mesh.",
    body: v.strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_COPIES)),
    }),
    reply: v.object({ results: v.array(v.object({ source_model_id: uuid, new_model_ids: ids })) }),
  },
  (scene, { model_ids, count }) => {
    const sources = selectModels(scene, model_ids);
    if (sources.length * count > MAX_COPIES) {
      throw inputError(`One request makes at most ${MAX_COPIES} copies; ${sources.length} models × ${count} are more.`);
    }
    const copies = sources.map((source) => Array.from({ length: count }, () => ({ ...source, id: newId() })));
    const results = sources.map((source, i) => ({ source_model_id: source.id, new_model_ids: idsOf(copies[i]) }));
    return [appendModels(scene, copies.flat()), { results }];
  },
);

export const replaceModel = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/replace/",
    summary: "Replaces a model by another model of the scene, which takes over its pose, lock and support settings.",
    body: v.pipe(
      v.strictObject({ scene_id: sceneId, model_id: uuid, replacement_model_id: uuid }),
      v.forward(
        v.partialCheck(
          [["model_id"], ["replacement_model_id"]],
          ({ model_id, replacement_model_id }) => normalisedId(model_id) !== normalisedId(replacement_model_id),
          "must differ from model_id",
        ),
        ["replacement_model_id"],
      ),
    ),
    reply: v.object({ modified_model_ids: ids, deleted_model_ids: ids }),
  },
  async (scene, { model_id, replacement_model_id }, context) => {
    const old = findModel(scene, model_id);
    const replacement = findModel(scene, replacement_model_id);
    const posed = { ...replacement, lock: old.lock, pose: old.pose, supports: undefined };
    const placed = await updateOutlines([posed], scene.setting, context);
    const settings = old.supports?.settings;
    const targets = settings ? placed.map((model) => ({ model, settings })) : [];
    const supported = settings ? (await supportModels(targets, scene.setting, context)).models : placed;
    const next = replaceModels(removeModels(scene, [old]), supported);
    return [next, { modified_model_ids: [replacement.id], deleted_model_ids: [old.id] }];
  },
);

const normalisedId = (id: string): string => parseId(id) ?? id;
