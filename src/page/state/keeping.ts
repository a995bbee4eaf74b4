import { computed, effect, signal } from "@preact/signals";
import type { PageRecovery } from "../../ui/replies.ts";
import { call, get, post } from "../server/call.ts";
import { notify } from "./notices.ts";
import { keeping, pageState, scene, showScene, summary } from "./project.ts";
import { notifyFailure } from "./tasks.ts";

/** When the shown scene was kept last. */
export const keptAt = computed(() => keeping.value?.scenes.find(({ id }) => id === summary.value?.id)?.kept_at);

/** Scenes of an earlier server that can be brought back; undefined until a person was asked, or if there are none. */
export const recovery = signal<PageRecovery | undefined>(undefined);

/** The server of the last offer. */
let asked: string | undefined;

/** The scene that this page showed last, by the server process that had it, and the one of the process before. */
let [shown, shownBefore]: readonly (Readonly<Record<"process" | "id", string>> | undefined)[] = [];

effect(() => {
  const [process, id] = [pageState.value?.process, scene.value?.id];
  if (process === undefined || id === undefined) return;
  if (shown && shown.process !== process) shownBefore = shown;
  shown = { process, id };
});

/** Each server is asked once: later, the offer is in the menu of scenes. */
effect(() => {
  const process = pageState.value?.process;
  if (process === undefined || process === asked || keeping.value?.folder == null) return;
  asked = process;
  void offerRecovery();
});

const problem = computed(() => keeping.value?.problem ?? undefined);
effect(() => {
  if (problem.value === undefined) return;
  const text = "Changes are not kept on disk now: they would be lost if Printwright ended. Save the project.";
  notify({ severity: "warning", text, details: [problem.value] });
});

/** Offers the scenes of an earlier server, if there are any. */
export async function offerRecovery(): Promise<void> {
  // Without an answer there is no offer; the next start of the page asks again.
  const found = await get<PageRecovery>("/ui/recovery/").catch(() => undefined);
  if (found && found.scenes.length + found.damaged.length > 0) recovery.value = found;
}

/** Opens kept scenes, and shows the one that the page showed before, otherwise the first of them. */
export async function bringBack(ids: readonly string[]): Promise<void> {
  recovery.value = undefined;
  try {
    await post("/ui/recovery/bring-back/", { ids });
    const wanted = ids.find((id) => id === shownBefore?.id) ?? ids[0];
    if (wanted !== undefined) showScene(wanted);
  } catch (thrown) {
    notifyFailure("Bring back scenes", thrown);
  }
}

export async function discardRecovery(): Promise<void> {
  recovery.value = undefined;
  await call("DELETE", "/ui/recovery/").catch((thrown: unknown) => notifyFailure("Discard scenes", thrown));
}
