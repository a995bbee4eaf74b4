import type { Watch } from "../core/watch.ts";
import { importFile } from "./task/import-file.ts";
import { openForm } from "./task/open-form.ts";
import { openFps } from "./task/open-fps.ts";
import { rescaleMeshes } from "./task/rescale-meshes.ts";
import { saveForm } from "./task/save-form.ts";
import { saveFps } from "./task/save-fps.ts";
import { turnMeshes } from "./task/turn-meshes.ts";

/** Heavy or blocking work: plain data in, plain data out, so it can run on any thread. */
export type Task<Input, Output> = (input: Input, watch: Watch) => Output | Promise<Output>;

/** Everything a worker can do. A new kernel is one file in `task/` and one row here. */
export const TASKS = {
  importFile,
  openForm,
  openFps,
  rescaleMeshes,
  saveForm,
  saveFps,
  turnMeshes,
} as const satisfies Record<string, Task<never, unknown>>;

export type TaskName = keyof typeof TASKS;
export type TaskInput<Name extends TaskName> = Parameters<(typeof TASKS)[Name]>[0];
export type TaskOutput<Name extends TaskName> = Awaited<ReturnType<(typeof TASKS)[Name]>>;
