import type { TaskProgress } from "../../core/progress.ts";
import type { FormDocument } from "../../format/form/document.ts";
import { bySize } from "../../worker/expected-time.ts";
import { defineTask } from "../../worker/task.ts";

export const openFormTask = defineTask({
  name: "openForm",
  load: async () => (await import("./open-form.ts")).openForm,
  memory: "file",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const readFormTask = defineTask({
  name: "readForm",
  load: async () => (await import("../../format/form/form-file.ts")).readForm,
  memory: "file",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const saveFormTask = defineTask({
  name: "saveForm",
  load: async () => {
    const { writeForm } = await import("../../format/form/form-file.ts");
    return ({ file, document }: { file: string; document: FormDocument }, progress: TaskProgress) =>
      writeForm(file, document, progress);
  },
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const keepScenesTask = defineTask({
  name: "keepScenes",
  load: async () => (await import("./kept-scenes.ts")).keepScenes,
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const listKeptTask = defineTask({
  name: "listKept",
  load: async () => (await import("./kept-scenes.ts")).listKept,
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const openKeptTask = defineTask({
  name: "openKept",
  load: async () => (await import("./kept-scenes.ts")).openKept,
  memory: "file",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});

export const sweepKeptTask = defineTask({
  name: "sweepKept",
  load: async () => (await import("./kept-scenes.ts")).sweepKept,
  memory: "small",
  progress: "whole",
  repeatable: true,
  transfer: "copy",
  expectedMs: bySize,
});
