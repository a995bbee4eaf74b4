import { effect } from "@preact/signals";
import { scene, summary } from "./project.ts";
import { tasks } from "./tasks.ts";

/** Shows the name of the scene in the title of the window, and before it how far its work is: "(41 %) Gear case – Printwright". */
export function followTitle(): void {
  effect(() => {
    if (!summary.value) return;
    const shares = tasks.value.flatMap(({ sceneId, progress }) => (sceneId === scene.value?.id ? [progress ?? 0] : []));
    const share = shares.length === 0 ? "" : `(${Math.floor(100 * Math.min(...shares))} %) `;
    document.title = `${share}${summary.value.name} – Printwright`;
  });
}
