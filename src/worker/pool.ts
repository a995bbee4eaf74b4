import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { ApiError, type ErrorCode } from "../core/api-error.ts";
import { CancelledError, type TaskState, cancelTask, isCancelled } from "../core/progress.ts";
import type { TaskInput, TaskName, TaskOutput } from "./tasks.ts";

/** Message from the pool to a worker thread: the task to run. */
export interface TaskMessage {
  readonly id: number;
  readonly task: TaskName;
  readonly input: unknown;
  readonly state: TaskState;
}

/** Message from a worker thread to the pool: how its task ended. `corrupt`: the thread's memory cannot be trusted. */
export type TaskReply =
  | { readonly id: number; readonly kind: "done"; readonly output: unknown }
  | { readonly id: number; readonly kind: "cancelled" }
  | {
      readonly id: number;
      readonly kind: "failed";
      readonly code: ErrorCode;
      readonly message: string;
      readonly corrupt: boolean;
    };

export interface Pool {
  /** Runs a task on a worker thread. Rejects with the task's `ApiError`, or with `CancelledError`. */
  compute<Name extends TaskName>(task: Name, input: TaskInput<Name>, state: TaskState): Promise<TaskOutput<Name>>;
  /**
   * Cancels every task of a request. Waiting tasks end at once. Running tasks end when their kernel polls the flag, or
   * after a grace period with their thread.
   */
  cancel(state: TaskState): void;
  /** Cancels every task and ends every thread. */
  close(): Promise<void>;
}

export interface PoolOptions {
  /** Most threads at once. Default: one per core. */
  readonly size?: number;
  /** A thread is ended this long after its task was cancelled: kernels inside WebAssembly cannot poll the flag. */
  readonly cancelGraceMs?: number;
  /** A thread without a task is ended after this time, which gives its memory back to the system. */
  readonly idleMs?: number;
  /** How long a closing pool waits for running tasks, so that a cancelled save can remove its temporary file. */
  readonly closeGraceMs?: number;
}

/** A task with the promise of its output, whose type depends on the name of the task. */
interface PendingTask extends PromiseWithResolvers<never> {
  readonly message: TaskMessage;
}

interface Thread {
  readonly worker: Worker;
  running?: PendingTask | undefined;
  idleTimer?: ReturnType<typeof setTimeout>;
}

/** A pool of threads that run the script `entry`. They start when there is work, are replaced on failure, and end when idle. */
export function newPool(
  entry: URL,
  { size = availableParallelism(), cancelGraceMs = 1000, idleMs = 5000, closeGraceMs = 500 }: PoolOptions = {},
): Pool {
  const threads = new Set<Thread>();
  const waiting: PendingTask[] = [];
  let lastId = 0;
  let closed = false;

  function startThread(): Thread {
    const thread: Thread = { worker: new Worker(entry) };
    thread.worker.on("message", (reply: TaskReply) => finish(thread, reply));
    const fail = (cause: string): void => {
      if (!threads.has(thread)) return;
      endThread(
        thread,
        new ApiError("OPERATION_FAILED", `The job broke its worker thread (${cause}): use smaller or simpler models.`),
      );
    };
    thread.worker.on("error", (error: Error) => fail(error.message));
    thread.worker.on("exit", (code: number) => fail(`exit code ${code}`));
    threads.add(thread);
    return thread;
  }

  function endThread(thread: Thread, reason: Error = new CancelledError()): void {
    threads.delete(thread);
    clearTimeout(thread.idleTimer);
    thread.running?.reject(reason);
    thread.running = undefined;
    void thread.worker.terminate();
    if (!closed) assignTasks();
  }

  /** Gives waiting tasks to idle threads, in their order, and starts threads up to the limit. */
  function assignTasks(): void {
    for (let task = waiting[0]; task !== undefined; task = waiting[0]) {
      const idle = [...threads].find(({ running }) => !running);
      if (!idle && threads.size >= size) return;
      const thread = idle ?? startThread();
      waiting.shift();
      clearTimeout(thread.idleTimer);
      thread.running = task;
      thread.worker.postMessage(task.message);
    }
  }

  function finish(thread: Thread, reply: TaskReply): void {
    const task = thread.running;
    if (task?.message.id !== reply.id) return;
    thread.running = undefined;
    if (reply.kind === "done") task.resolve(reply.output as never);
    else if (reply.kind === "cancelled") task.reject(new CancelledError());
    else task.reject(new ApiError(reply.code, reply.message));
    if (reply.kind === "failed" && reply.corrupt) endThread(thread);
    else assignTasks();
    if (!threads.has(thread) || thread.running) return;
    thread.idleTimer = setTimeout(() => endThread(thread), idleMs);
    thread.idleTimer.unref();
  }

  return {
    compute(task, input, state) {
      if (closed || isCancelled(state)) return Promise.reject(new CancelledError());
      const pending = { ...Promise.withResolvers<never>(), message: { id: ++lastId, task, input, state } };
      waiting.push(pending);
      assignTasks();
      return pending.promise;
    },
    cancel(state) {
      cancelTask(state);
      for (const task of waiting.filter(({ message }) => message.state === state)) {
        waiting.splice(waiting.indexOf(task), 1);
        task.reject(new CancelledError());
      }
      for (const thread of threads) {
        const task = thread.running;
        if (task?.message.state !== state) continue;
        setTimeout(() => thread.running === task && endThread(thread), cancelGraceMs).unref();
      }
    },
    async close() {
      closed = true;
      for (const task of waiting.splice(0)) task.reject(new CancelledError());
      const running = [...threads].flatMap((thread) => thread.running ?? []);
      for (const { message } of running) cancelTask(message.state);
      await Promise.race([Promise.allSettled(running.map(({ promise }) => promise)), sleep(closeGraceMs)]);
      for (const thread of threads) endThread(thread);
    },
  };
}
