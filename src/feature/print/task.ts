import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

export const checkConvertedJobTask = defineTask({
  name: "checkConvertedJob",
  load: async () => (await import("./check-converted-job.ts")).checkConvertedJob,
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
