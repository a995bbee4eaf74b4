import { counted } from "../../core/quantities.ts";
import { call, post } from "../server/call.ts";
import { notify } from "./notices.ts";
import { family, fetchedScene, pageState, refresh, showScene, summary } from "./project.ts";
import { runChange } from "./scene-work.ts";
import { callEndpoint, notifyFailure } from "./tasks.ts";

/** Longest name of a scene, characters; the limit of the interface. */
export const LONGEST_NAME = 120;

/** Names a scene. An empty name, or the present one, changes nothing. */
export async function renameScene(id: string, typed: string): Promise<void> {
  const name = typed.trim().slice(0, LONGEST_NAME);
  if (name === "" || name === pageState.value?.scenes.find((one) => one.id === id)?.name) return;
  try {
    await post("/v1/scene/rename/", { scene_id: id, name });
    await refresh();
  } catch (thrown) {
    notifyFailure("Rename the scene", thrown);
  }
}

/** Moves parts to a new scene of the same printer and material, and lays them out there. */
export async function movePartsToNewScene(scene_id: string, model_ids: readonly string[]): Promise<void> {
  const isPowder = family.value === "powder";
  const outcome = await runChange("Move to a new scene", async (context) => {
    const body = { scene_id, model_ids };
    const { target_scene_id } = await callEndpoint<MoveReply>("/v1/scene/model/move-to-scene/", body, context);
    const layout = `/v1/scene/model/${isPowder ? "auto-pack" : "auto-layout"}/`;
    await callEndpoint(layout, { scene_id: target_scene_id, overflow: "BESIDE" }, context);
    return target_scene_id;
  });
  if (!outcome) return;
  notify({
    severity: "success",
    text: `${counted(model_ids.length, "part")} moved to a new scene.`,
    actions: [{ label: "Show it", run: () => showScene(outcome.result) }],
    sceneId: outcome.sceneId,
  });
}

interface MoveReply {
  readonly target_scene_id: string;
}

/** Deletes the shown scene. The first scene of the project is emptied instead. */
export async function deleteScene(): Promise<void> {
  const name = summary.value?.name ?? "The scene";
  try {
    await call("DELETE", "/v1/scene/delete/", { scene_id: fetchedScene().id });
    await refresh();
    notify({
      severity: "success",
      text: `“${name}” was deleted.`,
      actions: [{ label: "Restore", run: () => void restoreScene() }],
    });
  } catch (thrown) {
    notifyFailure("Delete the scene", thrown);
  }
}

/** Restores and shows the scene that was deleted last. */
export async function restoreScene(): Promise<void> {
  try {
    const { id } = await post<{ id: string }>("/ui/undo-delete/");
    showScene(id);
  } catch (thrown) {
    notifyFailure("Restore the scene", thrown);
  }
}
