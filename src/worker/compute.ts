import type { HeldValues } from "./held-values.ts";
import type { Task } from "./task.ts";

/** Runs kernels on worker threads for one request. */
export interface Compute {
  compute<Input, Output>(task: Task<Input, Output>, input: Input): Promise<Output>;
  /** How many tasks of a kind to run at once if they divide work that takes `workMs` of processor time (`Pool.tasksAtOnce`); `running` do so now. */
  tasksAtOnce(task: Task<never, unknown>, workMs: number, running?: number): number;
  /** What the request, and later ones, hold between tasks. If absent, such values are not claimed, and none is kept. */
  readonly held?: HeldValues;
}

/**
 * Does work of several tasks that share the values of earlier tasks: their memory counts as claimed until the last task has ended, also if
 * one fails or is cancelled.
 */
export async function whileHeld<Result>(
  values: readonly (object | undefined)[],
  { held }: Compute,
  work: () => Promise<Result>,
): Promise<Result> {
  const releases = values.map((value) => value && held?.hold(value));
  try {
    return await work();
  } finally {
    for (const release of releases) release?.();
  }
}
