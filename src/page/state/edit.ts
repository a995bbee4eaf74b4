import type { Vec3 } from "../../geometry/vector.ts";
import { type Rotation, multiply, eulerRotation } from "../action/rotation.ts";
import { toXyz } from "../action/surface-place.ts";
import { copyOffsets } from "../action/copy-places.ts";
import { type ActionReply, createdModelIds } from "../action/reply-summary.ts";
import type { ProgressContext } from "../server/operation.ts";
import type { Corner, ModelDetails } from "../server/replies.ts";
import { post } from "../server/call.ts";
import { type TargetModels, targetModels, selectWhenCreated } from "./target-models.ts";
import { notify } from "./notices.ts";
import { details, family, pageState, refresh, selectedIds, scene, fetchedScene } from "./project.ts";
import { renamedCopy } from "./part-rows.ts";
import { notifyDone } from "./run-action.ts";
import { asOneStep, runChange } from "./scene-work.ts";
import { callEndpoint, isFailure } from "./tasks.ts";

// Changes of models made in the list, the number fields and the view. Each is one undo step.

type Models = readonly string[] | TargetModels;

/** Sends a change of models. It leaves out models that were deleted before the request is sent. */
const change = (title: string, name: string, models: Models, body: object): Promise<void> =>
  changeWith(title, async (context, sceneId) => send(context, sceneId, name, await presentOf(models, sceneId), body));

/** Runs a change of the shown scene, and then shows the scene again, even if the change failed. */
async function changeWith(
  title: string,
  work: (context: ProgressContext, sceneId: string) => Promise<unknown>,
): Promise<void> {
  const sceneId = fetchedScene().id;
  await runChange(title, (context) => work(context, sceneId));
  // The view shows a proposed change until it gets a scene; a new object makes the signal notify it.
  scene.value = scene.value && { ...scene.value };
}

async function send(
  context: ProgressContext,
  scene_id: string,
  name: string,
  model_ids: readonly string[],
  body: object,
): Promise<void> {
  // In a request, an empty list means all models.
  if (model_ids.length === 0) return;
  await callEndpoint(`/v1/scene/model/${name}/`, { scene_id, model_ids, ...body }, context);
}

async function presentOf(models: Models, sceneId: string): Promise<readonly string[]> {
  const ids = typeof models === "function" ? await models() : models;
  return scene.value?.id === sceneId ? ids.filter((id) => details.value.has(id)) : ids;
}

export const setVisible = (models: Models, visible: boolean) =>
  change(visible ? "Show" : "Hide", "update", models, { visible });
export const setLock = (models: Models, lock: string) => change("Lock", "update", models, { lock });
export const setUnits = (models: Models, units: string) => change("Units", "update", models, { units });
export const scaleTo = (ids: readonly string[], scale: number) => change("Scale", "scale", ids, { scale });
export const moveBy = (ids: readonly string[], by: Vec3) =>
  change("Move", "translate", ids, { position: toXyz(by), mode: "RELATIVE" });

/** Takes away the supports on which parts stand, so that the parts come down to the platform. Their points stay in their plans. */
export const dropFromSupports = (ids: readonly string[]) =>
  change("Drop to the plate", "supports/delete", ids, { keep_plan: true });

/** Renames a part, or all copies of a fold, which keep their numbers. */
export const rename = (ids: readonly string[], name: string): Promise<void> =>
  changeWith("Rename", async (context, sceneId) => {
    const renameOne = (id: string, text: string) => send(context, sceneId, "update", [id], { name: text });
    const models = modelsOf(ids);
    const [first] = models;
    if (first && models.length === 1) return renameOne(first.id, name);
    return asOneStep(sceneId, async () => {
      for (const model of models) await renameOne(model.id, renamedCopy(model.name, name));
    });
  });

/** Multiplies the scales of models; models with equal scales share a request. */
export const scaleBy = (ids: readonly string[], factor: number): Promise<void> =>
  changeGroups("Scale", "scale", ids, ({ scale }) => ({ scale: scale * factor }));

/** Rotates models about their own centres, in addition to their present orientation; models with equal orientations share a request. */
export const rotateBy = (ids: readonly string[], rotation: Rotation): Promise<void> =>
  changeGroups("Rotate", "orient", ids, ({ orientation }) => ({
    orientation: { linear: multiply(rotation, eulerRotation(orientation)) },
  }));

/** Sets some of the Euler angles of models, degrees. */
export const rotateTo = (ids: readonly string[], angles: Partial<Corner>): Promise<void> =>
  changeGroups("Rotate", "orient", ids, ({ orientation: { x, y, z } }) => ({ orientation: { x, y, z, ...angles } }));

/** Sends `bodyOf` of each model, made when the change starts; models with equal bodies share a request. */
const changeGroups = (
  title: string,
  name: string,
  ids: readonly string[],
  bodyOf: (model: ModelDetails) => object,
): Promise<void> =>
  changeWith(title, (context, sceneId) =>
    asOneStep(sceneId, async () => {
      const groups = Map.groupBy(modelsOf(ids), (model) => JSON.stringify(bodyOf(model)));
      for (const models of groups.values()) {
        const [first] = models;
        if (first) await send(context, sceneId, name, idsOf(models), bodyOf(first));
      }
    }),
  );

const modelsOf = (ids: readonly string[]): ModelDetails[] => ids.flatMap((id) => details.value.get(id) ?? []);
const idsOf = (models: readonly ModelDetails[]): string[] => models.map(({ id }) => id);

/** Copies models, by default the target models, moves the copies to free places, and selects them. All is one undo step. */
export async function duplicate(count: number, originals = targetModels()): Promise<void> {
  const scene_id = fetchedScene().id;
  const isPowder = family.value === "powder";
  const outcome = runChange("Duplicate", async (context) => {
    const body = { scene_id, model_ids: await presentOf(originals, scene_id), count };
    if (body.model_ids.length === 0) return {};
    return asOneStep(scene_id, async () => {
      const reply = await callEndpoint<ActionReply>("/v1/scene/model/duplicate/", body, context);
      const remarks = isPowder
        ? await spreadCopies(scene_id, body.model_ids, reply, context)
        : await layOutCopies(scene_id, createdModelIds(reply), context);
      return { ...reply, warnings: [...(reply.warnings ?? []), ...remarks] };
    });
  });
  void selectWhenCreated(outcome.then((reply) => reply && createdModelIds(reply.result)));
  const reply = await outcome;
  if (reply) notifyDone("Duplicate", reply);
}

/** Moves copies to free places on the platform; returns a remark if there is no room. */
async function layOutCopies(
  scene_id: string,
  model_ids: readonly string[],
  context: ProgressContext,
): Promise<string[]> {
  try {
    await callEndpoint("/v1/scene/model/auto-layout/", { scene_id, model_ids }, context);
    return [];
  } catch (thrown) {
    if (!isFailure(thrown)) throw thrown;
    return [`The copies are in the same places as the originals: ${thrown.message}`];
  }
}

/** Moves copies to free places in the chamber, keeping the arrangement of several models; returns a remark if there is no room for all. */
async function spreadCopies(
  scene_id: string,
  originals: readonly string[],
  { results = [] }: ActionReply,
  context: ProgressContext,
): Promise<string[]> {
  const shown = scene.value;
  if (shown?.id !== scene_id)
    return ["The copies are in the same places as the originals: “Pack” finds places for all."];
  const count = Math.max(0, ...results.map(({ new_model_ids = [] }) => new_model_ids.length));
  const boxes = [...details.value.values()].map(({ bounding_box }) => bounding_box);
  const own = modelsOf(originals).map(({ bounding_box }) => bounding_box);
  const offsets = own.length > 0 ? copyOffsets(own, boxes, shown.volume.dimensions_mm, count) : [];
  for (const [i, offset] of offsets.entries()) {
    const model_ids = results.flatMap(({ new_model_ids = [] }) => new_model_ids.slice(i, i + 1));
    await send(context, scene_id, "translate", model_ids, { position: toXyz(offset), mode: "RELATIVE" });
    context.progress((i + 1) / offsets.length);
  }
  if (offsets.length === count) return [];
  return ["There is no room next to the originals for all copies, so some overlap: “Pack” finds places for all."];
}

/** Replaces a model by another one of the scene; the replaced model is deleted. */
export async function replaceModelBy(id: string, replacementId: string): Promise<void> {
  const body = { scene_id: fetchedScene().id, model_id: id, replacement_model_id: replacementId };
  const outcome = await runChange("Replace", (context) =>
    callEndpoint<ActionReply>("/v1/scene/model/replace/", body, context),
  );
  if (outcome) notifyDone("Replace", outcome);
}

export const deleteSelected = async (): Promise<void> => {
  if (selectedIds.value.length > 0) await change("Delete", "delete", targetModels(), {});
};

/** Undoes the last change of the scene, or makes the undone change again. */
export async function undoOrRedo(direction: "undo" | "redo"): Promise<void> {
  const id = scene.value?.id;
  if (id === undefined) return;
  await runChange(direction === "undo" ? "Undo" : "Redo", async () => {
    if (await hasStep(id, direction)) await post(`/ui/scene/${id}/${direction}/`);
    else notify({ severity: "info", text: `Nothing to ${direction}.`, sceneId: id });
  });
}

/** Whether there is a change to undo or redo. Another page may have made one that this page does not know yet. */
async function hasStep(sceneId: string, direction: "undo" | "redo"): Promise<boolean> {
  const count = (): number =>
    pageState.value?.scenes.find(({ id }) => id === sceneId)?.[`${direction}_count` as const] ?? 0;
  if (count() === 0) await refresh();
  return count() > 0;
}
