import type { TaskProgress } from "../../core/progress.ts";
import type { writeFps } from "../../format/fps.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

interface FpsToWrite {
  readonly file: string;
  readonly document: Parameters<typeof writeFps>[1];
}

export const openFpsTask = defineTask({
  name: "openFps",
  load: async () => (await import("../../format/fps.ts")).readFps,
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const saveFpsTask = defineTask({
  name: "saveFps",
  load: async () => {
    const fps = await import("../../format/fps.ts");
    return ({ file, document }: FpsToWrite, progress: TaskProgress) => fps.writeFps(file, document, progress);
  },
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
