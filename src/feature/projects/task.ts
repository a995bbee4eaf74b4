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
