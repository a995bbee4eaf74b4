import process from "node:process";
import type { ApiError } from "../core/api-error.ts";
import { operationFailed } from "../core/api-error.ts";
import { type MemoryBudget, inWords, limitBytesOf } from "../core/memory-budget.ts";

/** A running task. */
export interface WatchedTask {
  readonly startedMs: number;
  end(reason: ApiError): void;
}

/** A task fills at most some hundred MiB within this time. */
const LOOK_MS = 100;
/** Fraction of the limit at which a task is ended, so that what it allocates until then stays below the limit. */
const WATCHED_SHARE = 0.95;
/** After this time the system has regained the memory of an ended thread. */
const GRACE_MS = 500;

/**
 * Watches the memory of the process while tasks run, for needs that no estimate predicts: those that follow from the shape of a model, not
 * from its size. If the process comes close to its limit, the task that has run longest is ended; short tasks are not the cause. Returns
 * the function to call when a task starts.
 */
export function newMemoryWatch(budget: MemoryBudget, running: () => readonly WatchedTask[]): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let endedMs = -Infinity;

  function look(): void {
    timer = undefined;
    const tasks = running();
    if (tasks.length === 0) return;
    const limit = limitBytesOf(budget);
    const isOver = process.memoryUsage.rss() > WATCHED_SHARE * limit;
    if (isOver && performance.now() - endedMs > GRACE_MS) {
      endedMs = performance.now();
      tasks.reduce((a, b) => (b.startedMs < a.startedMs ? b : a)).end(overrun(limit));
    }
    wake();
  }

  function wake(): void {
    timer ??= setTimeout(look, LOOK_MS).unref();
  }
  return wake;
}

const overrun = (limit: number): ApiError =>
  operationFailed(
    `The work took more memory than the server's ${inWords(limit)}, and was ended: use fewer or simpler models, or start the server ` +
      "with a greater --max-memory. Nothing was changed.",
  );
