import { batch, effect } from "@preact/signals";
import { NO_EDITS, rebased } from "../action/support-edits.ts";
import { keepEdits, keptEdits } from "./kept-edits.ts";
import { notify } from "./notices.ts";
import { scene } from "./project.ts";
import { readSupports } from "./read-supports.ts";
import {
  closeSupportMode,
  editStack,
  editSupports,
  editedAtMs,
  isChangingSupports,
  isMovedOnly,
  leaveSupportMode,
  liveEdit,
  selectedPoints,
  shiftBetween,
  supportMode,
} from "./support-mode.ts";
import { notifyFailure } from "./tasks.ts";

/** Reads the state of the server again, after a change. The edits are dropped, or stay and are put onto the present points. */
export async function readAgain(edits: "DROP" | "KEEP"): Promise<void> {
  const mode = supportMode.value;
  const part = scene.value?.models.find(({ id }) => id === mode?.modelId);
  if (!mode || !part) return;
  if (part.mesh !== mode.part.mesh || !isMovedOnly(part, mode.part)) {
    leaveSupportMode();
    notify({ severity: "info", text: `“${part.name}” was changed, so the edit of its points has ended.` });
    return;
  }
  try {
    const state = await readSupports(mode.sceneId, part);
    if (supportMode.value !== mode) return;
    batch(() => {
      const by = shiftBetween(mode.part, part);
      supportMode.value = { ...state, copyIds: mode.copyIds };
      // Those that were made meanwhile stay as well.
      const stack = edits === "KEEP" ? editStack.value : NO_EDITS;
      editStack.value = rebased(stack, mode.base, state.base, by);
      if (state.hash !== mode.hash) {
        liveEdit.value = undefined;
        selectedPoints.value = new Set();
      }
      editedAtMs.value = performance.now();
    });
  } catch (thrown) {
    notifyFailure("Edit points", thrown, mode.sceneId);
  }
}

/** Follows changes of other clients, and keeps the edits for a reload. */
export function followSupportMode(): void {
  effect(() => {
    const { value: mode } = supportMode;
    const { value: shown } = scene;
    if (!mode || !shown || isChangingSupports.value) return;
    if (shown.id !== mode.sceneId) return closeSupportMode();
    const part = shown.models.find(({ id }) => id === mode.modelId);
    if (!part) {
      leaveSupportMode();
      notify({ severity: "info", text: `“${mode.part.name}” is gone, and the edit of its points has ended.` });
    } else if (JSON.stringify(part) !== JSON.stringify(mode.part)) void readAgain("KEEP");
  });
  effect(() => {
    const { value: mode } = supportMode;
    if (mode) keepEdits(mode, editStack.value);
  });
  let isFirst = true;
  effect(() => {
    const { value: shown } = scene;
    if (!shown || !isFirst) return;
    isFirst = false;
    const kept = keptEdits({ sceneId: shown.id });
    const part = shown.models.find(({ id }) => id === kept?.modelId);
    if (kept && part) void editSupports([part]);
  });
}
