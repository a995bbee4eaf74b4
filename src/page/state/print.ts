import { computed, signal } from "@preact/signals";
import { scene } from "./project.ts";

/** Whether the dialog to print is open. */
export const isPrintOpen = signal(false);

/** Whether there is something to print. */
export const canPrint = computed(() => (scene.value?.models.length ?? 0) > 0);

export function openPrint(): void {
  if (canPrint.value) isPrintOpen.value = true;
}
