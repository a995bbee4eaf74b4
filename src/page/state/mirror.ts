import { signal } from "@preact/signals";
import type { Axis } from "../../geometry/vector.ts";
import { AXIS_NAMES } from "../view/axes.ts";
import { openStep } from "./follow-address.ts";
import { openTile } from "./part-tile.ts";
import { applyTrial, dropTrial, trial, tryOut } from "./preview.ts";
import { fetchedScene, selectedIds } from "./project.ts";
import { notifyDone } from "./run-action.ts";

// Mirrors the selected parts, or all, across an axis of the scene. The mirror image is seen before.

export const MIRROR_TILE = "Mirror";

/** Whether each part is mirrored about its own middle, instead of that of all. */
export const isEachForItself = signal(false);

/** Opens the form, and gives its first button the focus. */
export function openMirror(): void {
  [openStep.value, openTile.value] = ["parts", MIRROR_TILE];
  requestAnimationFrame(() => document.querySelector<HTMLElement>(".mirror-axes button")?.focus());
}

const titleOf = (axis: Axis): string => `Mirror across ${AXIS_NAMES[axis]}`;

/** Shows the mirror image. */
export function showMirrored(axis: Axis): void {
  const body = {
    scene_id: fetchedScene().id,
    axis: AXIS_NAMES[axis].toUpperCase(),
    about: isEachForItself.value ? "EACH" : "SELECTION",
    ...(selectedIds.value.length > 0 && { model_ids: selectedIds.value }),
  };
  tryOut({ title: titleOf(axis), path: "/v1/scene/model/mirror/", body: async () => body }, 0);
}

/** Shows the scene as it is, if this mirror image is shown. */
export function hideMirrored(axis: Axis): void {
  if (trial.peek()?.wish.title === titleOf(axis)) dropTrial();
}

/** Mirrors the parts. */
export async function mirror(axis: Axis): Promise<void> {
  if (trial.peek()?.wish.title !== titleOf(axis)) showMirrored(axis);
  const outcome = await applyTrial();
  if (outcome) notifyDone(titleOf(axis), outcome);
}
