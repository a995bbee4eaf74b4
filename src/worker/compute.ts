import type { Task } from "./task.ts";

/** Runs kernels on worker threads for one request. */
export interface Compute {
  compute<Input, Output>(task: Task<Input, Output>, input: Input): Promise<Output>;
  /** How many tasks of a kind to run at once if they divide work that takes `workMs` of processor time (`Pool.tasksAtOnce`). */
  tasksAtOnce(task: Task<never, unknown>, workMs: number): number;
}
