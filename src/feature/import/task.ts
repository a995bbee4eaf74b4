import { bySize } from "../../worker/expected-time.ts";
import { defineTask, phase, phaseOfItems } from "../../worker/task.ts";

/** Shares of the progress at which the steps of an import end that threads share: `divideFile`, `makeShare`, `importFile`. */
const SHARES = { divided: 0.05, made: 0.4 };

export const divideFileTask = defineTask({
  name: "divideFile",
  load: async () => (await import("./import-shares.ts")).divideFile,
  memory: "file",
  progress: phase(0, SHARES.divided),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const makeShareTask = defineTask({
  name: "makeShare",
  load: async () => (await import("./import-shares.ts")).makeShare,
  memory: "file",
  progress: phaseOfItems(SHARES.divided, SHARES.made),
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const importFileTask = defineTask({
  name: "importFile",
  load: async () => (await import("./import-file.ts")).importFile,
  memory: "file",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
