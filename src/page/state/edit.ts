import { type Rotation, multiply, rotationOf } from "../action/rotation.ts";
import { toXyz } from "../action/surface-place.ts";
import type { ActionReply } from "../action/reply-summary.ts";
import type { Corner, ModelDetails } from "../server/replies.ts";
import { post } from "../server/call.ts";
import type { Point } from "../view/view.ts";
import { details, refresh, scene, selectedIds } from "./project.ts";
import { tellResult } from "./run-action.ts";
import { callEndpoint, runTask, tellFailure } from "./tasks.ts";

// Changes of models that the list, the numbers and the view make. Each is one request, so that each can be undone by itself.

/** Sends a change to some models. The view proposes changes, so what is shown is fetched again also where the change failed. */
async function change(title: string, name: string, modelIds: readonly string[], body: object): Promise<void> {
  if (modelIds.length === 0) return;
  await runTask(title, (following) =>
    callEndpoint(`/v1/scene/model/${name}/`, { scene_id: scene.value!.id, model_ids: modelIds, ...body }, following),
  );
  await refresh();
  // The view takes its proposal back when it is given the scene, also one that did not change.
  scene.value = scene.value && { ...scene.value };
}

export const rename = (id: string, name: string) => change("Rename", "update", [id], { name });
export const setVisible = (ids: readonly string[], visible: boolean) =>
  change(visible ? "Show" : "Hide", "update", ids, { visible });
export const setLock = (ids: readonly string[], lock: string) => change("Lock", "update", ids, { lock });
export const setUnits = (ids: readonly string[], units: string) => change("Units", "update", ids, { units });
const deleteModels = (ids: readonly string[]) => change("Delete", "delete", ids, {});
export const scaleTo = (ids: readonly string[], scale: number) => change("Scale", "scale", ids, { scale });
export const moveTo = (ids: readonly string[], position: Corner) => change("Move", "translate", ids, { position });
export const moveBy = (ids: readonly string[], by: Point) =>
  change("Move", "translate", ids, { position: toXyz(by), mode: "RELATIVE" });
export const turnTo = (ids: readonly string[], orientation: Corner) => change("Turn", "orient", ids, { orientation });

/** Multiplies the scales of models, those of one scale in one request. */
export async function scaleBy(ids: readonly string[], factor: number): Promise<void> {
  const groups = Map.groupBy(modelsOf(ids), ({ scale }) => scale);
  for (const [scale, models] of groups) await scaleTo(idsOf(models), scale * factor);
}

/** Turns models about their own centres, after their present turn; those of one orientation in one request. */
export async function turnBy(ids: readonly string[], rotation: Rotation): Promise<void> {
  const groups = Map.groupBy(modelsOf(ids), ({ orientation: { x, y, z } }) => `${x} ${y} ${z}`);
  for (const models of groups.values()) {
    const linear = multiply(rotation, rotationOf(models[0].orientation));
    await change("Turn", "orient", idsOf(models), { orientation: { linear } });
  }
}

const modelsOf = (ids: readonly string[]): ModelDetails[] => ids.flatMap((id) => details.value.get(id) ?? []);
const idsOf = (models: readonly ModelDetails[]): string[] => models.map(({ id }) => id);

/** Copies models, and selects the copies. */
export async function duplicate(ids: readonly string[], count: number): Promise<void> {
  const outcome = await runTask("Duplicate", (following) =>
    callEndpoint<ActionReply>(
      "/v1/scene/model/duplicate/",
      { scene_id: scene.value!.id, model_ids: ids, count },
      following,
    ),
  );
  if (outcome) await tellResult("Duplicate", outcome.result);
}

/** Puts a model of the scene in place of another, which is deleted. */
export async function replaceModel(id: string, replacementId: string): Promise<void> {
  const body = { scene_id: scene.value!.id, model_id: id, replacement_model_id: replacementId };
  const outcome = await runTask("Replace", (following) =>
    callEndpoint<ActionReply>("/v1/scene/model/replace/", body, following),
  );
  if (outcome) await tellResult("Replace", outcome.result);
}

export const deleteSelected = () => deleteModels(selectedIds.value);

/** Takes the last change of the scene back, or makes it again. */
export async function step(direction: "undo" | "redo"): Promise<void> {
  const id = scene.value?.id;
  if (id === undefined) return;
  await post(`/ui/scene/${id}/${direction}/`).catch((thrown) =>
    tellFailure(direction === "undo" ? "Undo" : "Redo", thrown),
  );
  await refresh();
}
