import { effect } from "@preact/signals";
import { scene, summary } from "./project.ts";
import { runningWork } from "./running-work.ts";
import { tasks } from "./tasks.ts";

/** Shows the name of the scene in the title of the window, and before it how far its work is: "(41 %) Gear case – Printwright". */
export function followTitle(): void {
  effect(() => {
    if (!summary.value) return;
    const id = scene.value?.id ?? "";
    const own = tasks.value.filter(({ sceneId }) => sceneId === id);
    const all = [...own, ...runningWork.value.filter(({ scene_ids }) => scene_ids.includes(id))];
    const shares = all.map(({ progress = 0 }) => progress);
    const share = shares.length === 0 ? "" : `(${Math.floor(100 * Math.min(...shares))} %) `;
    document.title = `${share}${summary.value.name} – Printwright`;
  });
}
