import { computed, signal } from "@preact/signals";
import { counted } from "../../core/quantities.ts";
import { type ActionReply, createdModelIds } from "../action/reply-summary.ts";
import type { ProgressContext } from "../server/operation.ts";
import { duplicate } from "./edit.ts";
import { notify } from "./notices.ts";
import { placeAdded } from "./place-added.ts";
import { fetchedScene, scene, selectedIds, selection, showScene, summary } from "./project.ts";
import { asOneStep, runChange } from "./scene-work.ts";
import { selectCreated } from "./target-models.ts";
import { callEndpoint } from "./tasks.ts";

/** Parts that were copied, in their scene. */
const copied = signal<{ readonly sceneId: string; readonly ids: readonly string[] } | undefined>(undefined);

export const hasCopied = computed(() => copied.value !== undefined);

export function copyParts(): void {
  const ids = selectedIds.value;
  if (ids.length === 0) return;
  copied.value = { sceneId: fetchedScene().id, ids };
  notify({
    severity: "info",
    text: `${counted(ids.length, "part")} copied. Ctrl+V adds copies, also to another scene.`,
  });
}

/** Adds copies of the copied parts to the shown scene, at free places, and selects them. */
export async function pasteParts(): Promise<void> {
  const from = copied.value;
  const target = scene.value;
  if (!from || !target) return;
  if (from.sceneId === target.id) return duplicate(1, async () => from.ids);
  const before = selection.value;
  const outcome = await runChange("Paste", (context) =>
    asOneStep(target.id, async () => {
      const ids = await copyTo(target.id, from.sceneId, from.ids, context);
      await placeAdded(target, ids, context);
      return ids;
    }),
  );
  if (!outcome) return;
  selectCreated(outcome.result, before);
  notify({ severity: "success", text: `${counted(outcome.result.length, "part")} pasted.`, sceneId: target.id });
}

/** Copies parts in their own scene, and moves the copies to another one. */
async function copyTo(
  target_scene_id: string,
  scene_id: string,
  model_ids: readonly string[],
  context: ProgressContext,
): Promise<readonly string[]> {
  return asOneStep(scene_id, async () => {
    const body = { scene_id, model_ids, count: 1 };
    const copies = createdModelIds(await callEndpoint<ActionReply>("/v1/scene/model/duplicate/", body, context));
    await callEndpoint(MOVE, { scene_id, model_ids: copies, target_scene_id }, context);
    return copies;
  });
}

const MOVE = "/v1/scene/model/move-to-scene/";

/** Moves the selected parts to another scene, or to a new one of the same printer. */
export async function moveToScene(targetId: string | undefined): Promise<void> {
  const scene_id = fetchedScene().id;
  const model_ids = selectedIds.value;
  const body = { scene_id, model_ids, ...(targetId !== undefined && { target_scene_id: targetId }) };
  const outcome = await runChange("Move to a scene", (context) =>
    callEndpoint<{ target_scene_id: string; warnings?: readonly string[] }>(MOVE, body, context),
  );
  if (!outcome) return;
  const { target_scene_id, warnings = [] } = outcome.result;
  notify({
    severity: warnings.length > 0 ? "warning" : "success",
    text: `${counted(model_ids.length, "part")} moved from “${summary.value?.name ?? "the scene"}”.`,
    details: warnings,
    actions: [{ label: "Show", run: () => showScene(target_scene_id, model_ids) }],
    sceneId: scene_id,
  });
}
