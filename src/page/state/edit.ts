import { type Rotation, multiply, rotationOf } from "../action/rotation.ts";
import { toXyz } from "../action/surface-place.ts";
import { copyOffsets } from "../action/copy-places.ts";
import { type ActionReply, newModelIds } from "../action/reply-summary.ts";
import type { Following } from "../server/operation.ts";
import type { Corner, ModelDetails } from "../server/replies.ts";
import { post } from "../server/call.ts";
import type { Point } from "../view/view.ts";
import { type MeantModels, meantModels, selectOnceMade } from "./meant-models.ts";
import { details, family, scene, selectedIds } from "./project.ts";
import { tellDone } from "./run-action.ts";
import { asOneStep, runChange } from "./scene-work.ts";
import { callEndpoint, isFailure } from "./tasks.ts";

// Changes of models that the list, the numbers and the view make. Each can be undone by itself.

type Models = readonly string[] | MeantModels;

/** Sends a change to some models, without those that are gone when its turn comes. */
const change = (title: string, name: string, models: Models, body: object): Promise<void> =>
  changeWith(title, async (following, sceneId) =>
    send(following, sceneId, name, await presentOf(models, sceneId), body),
  );

/** Runs a change. The view proposes changes, so that it is given the scene also where the change failed. */
async function changeWith(
  title: string,
  work: (following: Following, sceneId: string) => Promise<unknown>,
): Promise<void> {
  const sceneId = scene.value!.id;
  await runChange(title, (following) => work(following, sceneId));
  // The view takes its proposal back when it is given the scene, also one that did not change.
  scene.value = scene.value && { ...scene.value };
}

async function send(
  following: Following,
  scene_id: string,
  name: string,
  model_ids: readonly string[],
  body: object,
): Promise<void> {
  // To the interface no models are all models.
  if (model_ids.length === 0) return;
  await callEndpoint(`/v1/scene/model/${name}/`, { scene_id, model_ids, ...body }, following);
}

async function presentOf(models: Models, sceneId: string): Promise<readonly string[]> {
  const ids = typeof models === "function" ? await models() : models;
  return scene.value?.id === sceneId ? ids.filter((id) => details.value.has(id)) : ids;
}

export const rename = (id: string, name: string) => change("Rename", "update", [id], { name });
export const setVisible = (models: Models, visible: boolean) =>
  change(visible ? "Show" : "Hide", "update", models, { visible });
export const setLock = (models: Models, lock: string) => change("Lock", "update", models, { lock });
export const setUnits = (models: Models, units: string) => change("Units", "update", models, { units });
export const scaleTo = (ids: readonly string[], scale: number) => change("Scale", "scale", ids, { scale });
export const moveTo = (ids: readonly string[], position: Corner) => change("Move", "translate", ids, { position });
export const moveBy = (ids: readonly string[], by: Point) =>
  change("Move", "translate", ids, { position: toXyz(by), mode: "RELATIVE" });

/** Multiplies the scales of models, those of one scale in one request. */
export const scaleBy = (ids: readonly string[], factor: number): Promise<void> =>
  changeGroups("Scale", "scale", ids, ({ scale }) => ({ scale: scale * factor }));

/** Turns models about their own centres, after their present turn; those of one orientation in one request. */
export const turnBy = (ids: readonly string[], rotation: Rotation): Promise<void> =>
  changeGroups("Turn", "orient", ids, ({ orientation }) => ({
    orientation: { linear: multiply(rotation, rotationOf(orientation)) },
  }));

/** Turns models so that some of their angles are these, degrees. */
export const turnTo = (ids: readonly string[], angles: Partial<Corner>): Promise<void> =>
  changeGroups("Turn", "orient", ids, ({ orientation: { x, y, z } }) => ({ orientation: { x, y, z, ...angles } }));

/** Sends each model what `bodyOf` makes of it when the turn of the change comes: models of the same in one request. */
const changeGroups = (
  title: string,
  name: string,
  ids: readonly string[],
  bodyOf: (model: ModelDetails) => object,
): Promise<void> =>
  changeWith(title, (following, sceneId) =>
    asOneStep(sceneId, async () => {
      const groups = Map.groupBy(modelsOf(ids), (model) => JSON.stringify(bodyOf(model)));
      for (const models of groups.values()) await send(following, sceneId, name, idsOf(models), bodyOf(models[0]));
    }),
  );

const modelsOf = (ids: readonly string[]): ModelDetails[] => ids.flatMap((id) => details.value.get(id) ?? []);
const idsOf = (models: readonly ModelDetails[]): string[] => models.map(({ id }) => id);

/** Copies the models that are meant, and selects the copies. They get places of their own, in one step. */
export async function duplicate(count: number): Promise<void> {
  const scene_id = scene.value!.id;
  const originals = meantModels();
  const isPowder = family.value === "powder";
  const outcome = runChange("Duplicate", async (following) => {
    const body = { scene_id, model_ids: await presentOf(originals, scene_id), count };
    if (body.model_ids.length === 0) return {};
    return asOneStep(scene_id, async () => {
      const reply = await callEndpoint<ActionReply>("/v1/scene/model/duplicate/", body, following);
      const remarks = isPowder
        ? await spreadCopies(scene_id, body.model_ids, reply, following)
        : await layOutCopies(scene_id, newModelIds(reply), following);
      return { ...reply, warnings: [...(reply.warnings ?? []), ...remarks] };
    });
  });
  void selectOnceMade(outcome.then((reply) => reply && newModelIds(reply.result)));
  const reply = await outcome;
  if (reply) tellDone("Duplicate", reply.result);
}

/** Moves copies beside what stands on the platform already; returns why not, where there is no room. */
async function layOutCopies(scene_id: string, model_ids: readonly string[], following: Following): Promise<string[]> {
  try {
    await callEndpoint("/v1/scene/model/auto-layout/", { scene_id, model_ids }, following);
    return [];
  } catch (thrown) {
    if (!isFailure(thrown)) throw thrown;
    return [`The copies stand where the originals do: ${thrown.message}`];
  }
}

/** Moves copies beside what is in the chamber already, those of several models as they stand to each other; returns what is left to packing. */
async function spreadCopies(
  scene_id: string,
  originals: readonly string[],
  { results = [] }: ActionReply,
  following: Following,
): Promise<string[]> {
  const shown = scene.value;
  if (shown?.id !== scene_id) return ["The copies stand where the originals do: “Pack” finds places for all."];
  const count = Math.max(0, ...results.map(({ new_model_ids = [] }) => new_model_ids.length));
  const boxes = [...details.value.values()].map(({ bounding_box }) => bounding_box);
  const own = modelsOf(originals).map(({ bounding_box }) => bounding_box);
  const offsets = own.length > 0 ? copyOffsets(own, boxes, shown.volume.dimensions_mm, count) : [];
  for (const [i, offset] of offsets.entries()) {
    const model_ids = results.flatMap(({ new_model_ids = [] }) => new_model_ids.slice(i, i + 1));
    await send(following, scene_id, "translate", model_ids, { position: toXyz(offset), mode: "RELATIVE" });
    following.progress((i + 1) / offsets.length);
  }
  if (offsets.length === count) return [];
  return ["Beside the originals there is no room for all copies, and some stand in them: “Pack” finds places for all."];
}

/** Puts a model of the scene in place of another, which is deleted. */
export async function replaceModel(id: string, replacementId: string): Promise<void> {
  const body = { scene_id: scene.value!.id, model_id: id, replacement_model_id: replacementId };
  const outcome = await runChange("Replace", (following) =>
    callEndpoint<ActionReply>("/v1/scene/model/replace/", body, following),
  );
  if (outcome) tellDone("Replace", outcome.result);
}

export const deleteSelected = async (): Promise<void> => {
  if (selectedIds.value.length > 0) await change("Delete", "delete", meantModels(), {});
};

/** Takes the last change of the scene back, or makes it again. */
export async function step(direction: "undo" | "redo"): Promise<void> {
  const id = scene.value?.id;
  if (id === undefined) return;
  await runChange(direction === "undo" ? "Undo" : "Redo", () => post(`/ui/scene/${id}/${direction}/`));
}
