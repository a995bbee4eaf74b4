import type { Progress, TaskProgress } from "../core/progress.ts";

/** Heavy or blocking work. Input and output can be posted to another thread. */
export type Task<Input, Output> = (input: Input, progress: Progress) => Output;

/** A task that is all that its request computes, or the last of it. */
export type WholeTask<Input, Output> = (input: Input, progress: TaskProgress) => Output;
