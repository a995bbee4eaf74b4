import { computed, signal } from "@preact/signals";
import type { PagePrints } from "../../ui/work-replies.ts";
import { notify } from "./notices.ts";
import { scene } from "./project.ts";
import { cancelWork, runningWork } from "./running-work.ts";
import { tasks } from "./tasks.ts";

const PRINT = "/v1/scene/print/";

/** A job of the shown scene on its way to a printer. */
export interface JobOnItsWay {
  readonly id: string;
  /** "Sending “cup” to Left". */
  readonly stage: string;
  /** From 0 to 1. */
  readonly progress: number;
  /** Undefined if it cannot be cancelled. */
  readonly cancel: (() => void) | undefined;
}

/** The jobs of the shown scene that are sliced or sent, also those of other pages and of programs. */
export const jobsOnTheirWay = computed((): readonly JobOnItsWay[] => {
  const id = scene.value?.id ?? "";
  const known = runningWork.value.filter(({ path, scene_ids }) => path === PRINT && scene_ids.includes(id));
  if (known.length > 0)
    return known.map((work) => ({
      id: work.id,
      stage: work.stage?.title ?? work.title,
      progress: work.progress,
      cancel: work.can_cancel ? () => cancelWork(work) : undefined,
    }));
  // The server has just got the request of this page, or has just answered it.
  return tasks.value
    .filter(({ place, sceneId }) => place === "job" && sceneId === id)
    .map((task) => ({ id: String(task.id), stage: task.title, progress: task.progress ?? 0, cancel: task.cancel }));
});

/** A print that runs on a printer. */
export type RunningPrint = PagePrints["prints"][number];

/** The prints that this server has started and that run on printers, of all scenes. */
export const runningPrints = signal<readonly RunningPrint[]>([]);

/** Whether a job of the shown scene is on its way, or a print runs. */
export const isPrinting = computed(() => jobsOnTheirWay.value.length > 0 || runningPrints.value.length > 0);

/** Keeps the prints that run, and tells of those that have ended. */
export function noteRunningPrints(prints: readonly RunningPrint[]): void {
  const running = new Set(prints.map(({ job_id }) => job_id));
  for (const { job_id, job_name, printer } of runningPrints.value) {
    if (!running.has(job_id))
      notify({ severity: "info", text: `The print of “${job_name}” on ${printer} has ended.`, sceneId: undefined });
  }
  runningPrints.value = prints;
}
