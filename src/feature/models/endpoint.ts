import * as v from "valibot";
import { inputError } from "../../core/api-error.ts";
import { newId, parseId } from "../../core/id.ts";
import { runStepwise } from "../../core/steps.ts";
import type { Lock } from "../../geometry/pose-lock.ts";
import { UNIT_MM, type Units } from "../../core/units.ts";
import { paired } from "../../core/paired.ts";
import { must } from "../../core/must.ts";
import { bareMesh } from "../../mesh/filled-mesh.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { type SceneEntry, containersOf, isCage, latticeOf, membersOf, unitsOf } from "../../scene/cages.ts";
import { appendModels, removeModels, replaceCages, replaceModels } from "../../scene/edit.ts";
import { countSelected, findModel, selectEntries, selectModels } from "../../scene/find.ts";
import { internMesh, meshesOf, scaleHollowed, withHollowed } from "../../scene/model-mesh.ts";
import { entriesOnWire } from "../../scene/on-wire.ts";
import { withPose } from "../../scene/pose.ts";
import { type Cage, type Model, type Scene, withLostSupports } from "../../scene/project.ts";
import { type RequestContext, changesScene, readsScene } from "../../api/endpoint.ts";
import { field, object, strictObject } from "../../api/field.ts";
import {
  deletedModelIds,
  idsOf,
  lock,
  modelId,
  modelIds,
  modelReply,
  modifiedModelIds,
  modifiedReply,
  name,
  newModelsOfEach,
  sceneId,
  units,
  uuid,
  warningsReply,
} from "../../api/schema.ts";
import { updateOutlines } from "../mesh-tasks.ts";
import { scaledPlan } from "../support-plan/scaled-plan.ts";
import { supportModels } from "../support/support-models.ts";
import { rescaleMeshesTask } from "../placement/task.ts";

export const listModels = readsScene(
  {
    method: "POST",
    path: "/v1/scene/model/list/",
    summary:
      "Lists the named models, in the given order, or all models of the scene. The container of a cage is listed, too, with is_group and is_cage: it has no mesh, and the pose of its lattice.",
    needsNoMeshes: true,
    body: strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: object({
      models: field(v.array(modelReply), "The named models in the given order, or all models of the scene."),
    }),
  },
  async (scene, { model_ids }) => ({
    models: await runStepwise(entriesOnWire(selectEntries(scene, model_ids), scene)),
  }),
);

const editableFields = {
  name: field(v.optional(name), "New name; model_ids must contain exactly one id."),
  lock,
  visible: field(
    v.optional(v.boolean()),
    "Whether pictures show the model. A hidden model is checked, laid out, sliced and printed as well.",
  ),
  units: field(
    v.optional(units),
    "Unit of the coordinates in the file. A change of the unit rescales the raw mesh and removes supports.",
  ),
};

export const updateModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/update/",
    summary:
      "Sets the name (of one model), lock, visibility or units. New units rescale the raw mesh. The lock and visibility of a cage are set for its lattice and its parts.",
    body: v.pipe(
      strictObject({ scene_id: sceneId, model_ids: modelIds, ...editableFields }),
      v.check(
        (body) => Object.keys(editableFields).some((field) => field in body),
        `needs at least one of ${Object.keys(editableFields).join(", ")}`,
      ),
      v.metadata({
        anyOf: Object.keys(editableFields).map((field) => ({ properties: { [field]: {} }, required: [field] })),
      }),
    ),
    reply: modifiedReply,
  },
  async (scene, { model_ids, units: nextUnits, ...edit }, context) => {
    if (edit.name !== undefined && countSelected(scene, model_ids) !== 1) {
      throw inputError("name applies to one model: give exactly one id in model_ids.");
    }
    const entries = selectEntries(scene, model_ids);
    const cages = entries.filter(isCage);
    if (nextUnits !== undefined && cages.length > 0 && model_ids && model_ids.length > 0) {
      throw inputError("The container of a cage has no mesh and no units: name only models in model_ids.");
    }
    const renamed = cages.map((cage) => ({ ...cage, name: edit.name ?? cage.name }));
    // A name applies to the container only: the lattice and the parts keep their names.
    const isNameAlone = edit.lock === undefined && edit.visible === undefined && nextUnits === undefined;
    const models = isNameAlone
      ? entries.filter((entry): entry is Model => !isCage(entry))
      : selectModels(scene, model_ids);
    const edited = models.map((model) =>
      withFields(model, entries.includes(model) ? edit : { ...edit, name: undefined }),
    );
    const next = nextUnits === undefined ? edited : await withUnits(edited, nextUnits, scene, context);
    // A container has the lock and the visibility of its lattice.
    const showing = isNameAlone ? [] : containersOf(scene, next);
    const modified = new Set(idsOf([...renamed, ...showing, ...next]));
    return [replaceCages(replaceModels(scene, next), renamed), { modified_model_ids: [...modified] }];
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
      meshesOf({ ...model, supports: undefined }).map((mesh) => {
        const factor = factorOf(model);
        return [keyOf(mesh, factor), { mesh, factor }] as const;
      }),
    ),
  );
  const meshes = await context.compute(rescaleMeshesTask, [...inputs.values()]);
  const meshByKey = new Map(paired([...inputs.keys()], meshes).map(([key, mesh]) => [key, internMesh(mesh)]));
  const rescaled = changing.map((model): Model => {
    const factor = factorOf(model);
    const rescaledMesh = (mesh: Mesh): Mesh => must(meshByKey.get(keyOf(mesh, factor)), "A mesh of the model");
    const { hollowed, letters, supportPlan } = model;
    const source = hollowed && scaleHollowed(hollowed, rescaledMesh, factor);
    return {
      ...withHollowed({ ...withLostSupports(model, "MESH"), mesh: rescaledMesh(bareMesh(model.mesh)) }, source),
      units: nextUnits,
      letters: letters && { ...letters, atMm: letters.atMm * factor },
      supportPlan: supportPlan && scaledPlan(supportPlan, factor),
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
    summary:
      "Removes models from the scene. The container of a cage and its lattice are always deleted together. The parts stay in place as models without a cage, unless model_ids names them as well.",
    body: strictObject({ scene_id: sceneId, model_ids: modelIds }),
    reply: object({ deleted_model_ids: deletedModelIds, warnings: warningsReply }),
  },
  (scene, { model_ids }) => {
    const entries = selectEntries(scene, model_ids);
    const deleted = [...new Set(entries.map((entry) => (isCage(entry) ? latticeOf(scene, entry) : entry)))];
    const next = removeModels(scene, deleted);
    const left = new Set(idsOf(next.cages));
    const dissolved = scene.cages.filter(({ id }) => !left.has(id));
    return [next, { deleted_model_ids: idsOf([...deleted, ...dissolved]) }];
  },
);

/** Most copies that one request may make (interface supplement, "Limits of the server"). */
export const MAX_COPIES = 10_000;

export const duplicateModels = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/duplicate/",
    summary:
      "Copies each model `count` times, at the pose of the model. Copies share its mesh. A cage is copied with its lattice and its parts, and each of them has a separate result. A part that is copied without its cage is in no cage.",
    body: strictObject({
      scene_id: sceneId,
      model_ids: modelIds,
      count: field(
        v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(MAX_COPIES)),
        "Number of copies of each model.",
      ),
    }),
    reply: object({
      results: newModelsOfEach,
      warnings: warningsReply,
    }),
  },
  (scene, { model_ids, count }) => {
    const { cages, models } = unitsOf(selectEntries(scene, model_ids));
    const members = cages.flatMap((cage) => membersOf(scene, cage));
    const sources = [...models, ...members, ...cages];
    if (sources.length * count > MAX_COPIES) {
      throw inputError(`One request makes at most ${MAX_COPIES} copies; ${sources.length} models × ${count} are more.`);
    }
    const copies = [...models, ...members].map((source) => Array.from({ length: count }, () => withNewId(source)));
    const copiesOf = new Map(paired([...models, ...members], copies).map(([{ id }, made]) => [id, idsOf(made)]));
    const newCages = cages.map((cage) => copiesOfCage(cage, count, copiesOf));
    const results = paired(sources, [...copies, ...newCages]).map(([{ id }, made]) => ({
      source_model_id: id,
      new_model_ids: idsOf(made),
    }));
    return [appendModels(scene, copies.flat(), newCages.flat()), { results }];
  },
);

const withNewId = <E extends SceneEntry>(entry: E): E => ({ ...entry, id: newId() });

/** Copies of a cage around the copies of its members: `copiesOf` has the ids of the copies of each member. */
const copiesOfCage = (cage: Cage, count: number, copiesOf: ReadonlyMap<string, readonly string[]>): Cage[] =>
  Array.from({ length: count }, (_, i) => {
    const copyOf = (id: string): string => must(copiesOf.get(id)?.[i], "The copy of a member of the cage");
    return withNewId({ ...cage, latticeId: copyOf(cage.latticeId), partIds: cage.partIds.map(copyOf) });
  });

export const replaceModel = changesScene(
  {
    method: "POST",
    path: "/v1/scene/model/replace/",
    summary:
      "Replaces a model by another model of the scene. The replacement takes over the pose, lock and support settings.",
    body: v.pipe(
      strictObject({
        scene_id: sceneId,
        model_id: modelId,
        replacement_model_id: field(uuid, "Id of the replacement; must differ from model_id."),
      }),
      v.forward(
        v.partialCheck(
          [["model_id"], ["replacement_model_id"]],
          ({ model_id, replacement_model_id }) => normalisedId(model_id) !== normalisedId(replacement_model_id),
          "must differ from model_id",
        ),
        ["replacement_model_id"],
      ),
    ),
    reply: object({
      modified_model_ids: modifiedModelIds,
      deleted_model_ids: deletedModelIds,
      warnings: warningsReply,
    }),
  },
  async (scene, { model_id, replacement_model_id }, context) => {
    const old = findModel(scene, model_id);
    const replacement = findModel(scene, replacement_model_id);
    const settings = old.supports?.settings;
    const { supports, ...posed } = { ...withPose(replacement, old.pose), lock: old.lock };
    const placed = await updateOutlines([settings ? posed : { ...posed, supports }], scene.setting, context);
    const plan = old.mesh.hash === replacement.mesh.hash ? old.supportPlan : undefined;
    const byHand = plan && old.supports && { touchpoints: old.supports.touchpoints, areas: plan.areas };
    const targets = settings ? placed.map((model) => ({ model, settings, ...byHand })) : [];
    const supported = await supportModels(targets, scene.setting, context);
    const next = must(supported.models[0] ?? placed[0], "The replacing model");
    const replaced = { ...next, supportPlan: plan ?? (settings ? undefined : next.supportPlan) };
    const { warnings } = supported.answer;
    return [
      exchangeModels(scene, old, replaced),
      { modified_model_ids: [replacement.id], deleted_model_ids: [old.id], ...(warnings.length > 0 && { warnings }) },
    ];
  },
);

/** The scene with a changed model that also replaces another one, in whose cage it now is. */
function exchangeModels(scene: Scene, old: Model, replacement: Model): Scene {
  const cages = scene.cages.map((cage) => ({
    ...cage,
    partIds: cage.partIds.filter((id) => id !== replacement.id).map((id) => (id === old.id ? replacement.id : id)),
  }));
  return removeModels(replaceModels({ ...scene, cages }, [replacement]), [old]);
}

const normalisedId = (id: string): string => parseId(id) ?? id;
