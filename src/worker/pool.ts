import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { ApiError, type ErrorCode } from "../core/api-error.ts";
import { type MemoryBudget, claimOf, releaseClaim } from "../core/memory-budget.ts";
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
      /** The task found too little memory before it began; it may be run again once others gave theirs back. */
      readonly needsMemory?: boolean;
    };

/** What a worker thread is started with. */
export interface ThreadData {
  readonly budget?: MemoryBudget | undefined;
  /** The thread's slot in the budget. */
  readonly slot: number;
}

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
  /** What the threads may use of the machine's memory. Absent: they are not bounded. */
  readonly budget?: MemoryBudget | undefined;
}

/** A thread whose task claimed more than this ends with it: its memory goes back to the system at once. */
const LARGE_CLAIM_BYTES = 128 * 2 ** 20;
/** A task that finds too little memory while no other holds any is run again as often, since freed memory takes a moment to go back. */
const MEMORY_TRIES = 5;
const MEMORY_RETRY_MS = 300;

/** A task with the promise of its output, whose type depends on the name of the task. */
interface PendingTask extends PromiseWithResolvers<never> {
  readonly message: TaskMessage;
  /** How often it found too little memory while no other task held any. */
  memoryTries: number;
}

interface Thread {
  readonly worker: Worker;
  readonly slot: number;
  running?: PendingTask | undefined;
  idleTimer?: ReturnType<typeof setTimeout>;
}

/** A pool of threads that run the script `entry`. They start when there is work, are replaced on failure, and end when idle. */
export function newPool(
  entry: URL,
  { size = availableParallelism(), cancelGraceMs = 1000, idleMs = 5000, closeGraceMs = 500, budget }: PoolOptions = {},
): Pool {
  const threads = new Set<Thread>();
  const waiting: PendingTask[] = [];
  /** Tasks that wait for memory. */
  const postponed = new Set<PendingTask>();
  let lastId = 0;
  let closed = false;

  function startThread(): Thread {
    const slot = freeSlot();
    const workerData: ThreadData = { budget, slot };
    const thread: Thread = { worker: new Worker(entry, { workerData }), slot };
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

  /** The first slot of the budget that no thread has. */
  function freeSlot(): number {
    const taken = new Set([...threads].map(({ slot }) => slot));
    let slot = 0;
    while (taken.has(slot)) slot++;
    return slot;
  }

  function endThread(thread: Thread, reason: Error = new CancelledError()): void {
    if (!threads.delete(thread)) return;
    clearTimeout(thread.idleTimer);
    thread.running?.reject(reason);
    thread.running = undefined;
    void thread.worker.terminate();
    endClaim(thread);
    if (!closed) assignTasks();
  }

  const claimedBytes = ({ slot }: Thread): number => (budget ? claimOf(budget, slot) : 0);

  /** Ends what the thread's task claimed, which lets tasks that wait for memory try again. */
  function endClaim(thread: Thread): void {
    if (!budget || claimedBytes(thread) === 0) return;
    releaseClaim(budget, thread.slot);
    waiting.unshift(...postponed);
    postponed.clear();
  }

  /** Lets a task that found too little memory wait until another ends its claim, or for a moment where no other has any. */
  function postpone(task: PendingTask, error: ApiError): void {
    for (const thread of threads) if (!thread.running) endThread(thread);
    const othersClaim = [...threads].some((thread) => claimedBytes(thread) > 0);
    if (!othersClaim && ++task.memoryTries > MEMORY_TRIES) return task.reject(error);
    postponed.add(task);
    if (othersClaim) return;
    setTimeout(() => {
      if (!postponed.delete(task)) return;
      waiting.unshift(task);
      assignTasks();
    }, MEMORY_RETRY_MS);
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
    const isLarge = claimedBytes(thread) > LARGE_CLAIM_BYTES;
    if (isLarge || (reply.kind === "failed" && reply.corrupt)) endThread(thread);
    else endClaim(thread);
    if (reply.kind === "done") task.resolve(reply.output as never);
    else if (reply.kind === "cancelled") task.reject(new CancelledError());
    else if (reply.needsMemory) postpone(task, new ApiError(reply.code, reply.message));
    else task.reject(new ApiError(reply.code, reply.message));
    assignTasks();
    if (!threads.has(thread) || thread.running) return;
    thread.idleTimer = setTimeout(() => endThread(thread), idleMs);
    thread.idleTimer.unref();
  }

  return {
    compute(task, input, state) {
      if (closed || isCancelled(state)) return Promise.reject(new CancelledError());
      const pending = {
        ...Promise.withResolvers<never>(),
        message: { id: ++lastId, task, input, state },
        memoryTries: 0,
      };
      waiting.push(pending);
      assignTasks();
      return pending.promise;
    },
    cancel(state) {
      cancelTask(state);
      for (const task of [...waiting, ...postponed]) {
        if (task.message.state !== state) continue;
        if (!postponed.delete(task)) waiting.splice(waiting.indexOf(task), 1);
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
      for (const task of [...waiting.splice(0), ...postponed]) task.reject(new CancelledError());
      const running = [...threads].flatMap((thread) => thread.running ?? []);
      for (const { message } of running) cancelTask(message.state);
      await Promise.race([Promise.allSettled(running.map(({ promise }) => promise)), sleep(closeGraceMs)]);
      for (const thread of threads) endThread(thread);
    },
  };
}
