import { computed, effect, signal } from "@preact/signals";
import type { PageDefaults } from "../../ui/replies.ts";
import { get } from "../server/call.ts";
import { summary } from "./project.ts";
import { isFailure } from "./tasks.ts";

/** What the print setting of the shown scene gives to fields that are left empty, by the path of the request. */
export const formDefaults = signal<PageDefaults["fields"]>({});

/** Changes with the shown scene and with its print setting. */
const asked = computed(() => summary.value && { id: summary.value.id, setting: JSON.stringify(summary.value.setting) });

/** Keeps them up to date. */
export function watchFormDefaults(): void {
  let known = "";
  effect(() => {
    const key = JSON.stringify(asked.value);
    if (!asked.value || key === known) return;
    known = key;
    formDefaults.value = {};
    void fetchDefaults(asked.value.id, () => key === known);
  });
}

async function fetchDefaults(sceneId: string, isAsked: () => boolean): Promise<void> {
  try {
    const { fields } = await get<PageDefaults>(`/ui/scene/${sceneId}/defaults/`);
    if (isAsked()) formDefaults.value = fields;
  } catch (thrown) {
    // The fields then say that their value is chosen automatically.
    if (!isFailure(thrown)) throw thrown;
  }
}
