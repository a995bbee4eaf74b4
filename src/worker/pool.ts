import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../core/api-error.ts";
import type { MemoryBudget } from "../core/memory-budget.ts";
import { CancelledError, type TaskState, cancelTask, isCancelled, isCommitted } from "../core/progress.ts";
import type { SharedModule } from "../wasm/shared-modules.ts";
import { sizeOfInput } from "./expected-time.ts";
import { type HeldValues, newHeldValues } from "./held-values.ts";
import { newMemoryQueue } from "./memory-queue.ts";
import { newMemoryWatch } from "./memory-watch.ts";
import {
  LONG_MS,
  type Owner,
  type ScheduledTask,
  type StartedTask,
  canStartAny,
  isLong,
  isQuick,
  mayContinue,
  nextTask,
  taskToPreempt,
  threadsOf,
  threadsWorth,
} from "./scheduling.ts";
import { TaskQueue } from "./task-queue.ts";
import type { Task } from "./task.ts";
import { type Ending, type PendingTask, type RunningTask, type Thread, type ThreadEvents, preempt } from "./thread.ts";
import { type IdleLimits, ThreadSet } from "./thread-set.ts";

export interface Pool {
  /** Maximum number of long tasks at once. */
  readonly size: number;
  /**
   * Runs a task on a worker thread. Rejects with the task's `ApiError`, or with `CancelledError`. The time of threads is divided
   * fairly between owners; by default each request is an owner. `request`: the request to which the time of the task is charged,
   * by default that of `state`.
   */
  compute<Input, Output>(
    task: Task<Input, Output>,
    input: Input,
    state: TaskState,
    owner?: Owner,
    request?: TaskState,
  ): Promise<Output>;
  /**
   * Number of tasks that a request should run at once if equal tasks divide work that takes `workMs` of processor time: as many as there
   * are threads that pay for their start and that other owners leave to it now, and one more where these are all threads, so that none
   * waits for its next task. `running`: tasks of this work that run already, on threads that are paid for. Results must not depend on it.
   */
  tasksAtOnce(task: Task<never, unknown>, workMs: number, owner?: Owner, running?: number): number;
  /** What requests hold between their tasks, in the same budget. */
  readonly held: HeldValues;
  /**
   * Cancels every task of a request that has not committed. Waiting tasks end at once. Running tasks end when their kernel
   * polls the flag, or after a grace period with their thread.
   */
  cancel(state: TaskState): void;
  /** Cancels every task and ends every thread. */
  close(): Promise<void>;
}

export interface PoolOptions extends Partial<IdleLimits> {
  /** Maximum number of long tasks at once. Default: one per core. */
  readonly size?: number | undefined;
  /** Number of additional threads, which only short tasks take. */
  readonly spare?: number;
  /** A thread is terminated this long after its task was asked to end: kernels inside WebAssembly cannot poll the flag. */
  readonly cancelGraceMs?: number;
  /** How long a closing pool waits for running tasks, so that a cancelled save can remove its temporary file. */
  readonly closeGraceMs?: number;
  /** Bounds the memory of the threads. If absent, it is not bounded. */
  readonly budget?: MemoryBudget | undefined;
}

/**
 * A thread whose task claimed more than this ends with the task: its memory returns to the system at once, which is worth more than its
 * compiled code.
 */
const LARGE_CLAIM_BYTES = 512 * 2 ** 20;
/** Kernels poll more often; a thread that has not yielded after this time is not counted, so that another one can start. */
const YIELD_MS = 30;
/**
 * A quick task waits this long before a short one is preempted for it: the next of many chunks ends by itself within this time, and a
 * preempted chunk is lost work.
 */
const PATIENCE_MS = 30;

/**
 * A pool of threads that run the script `entry`. They start when there is work, are replaced on failure, and end when idle.
 * `scheduling.ts` decides which task runs; a preempted task runs again from its beginning.
 */
export function newPool(entry: URL, options: PoolOptions = {}): Pool {
  const pool = new ThreadPool(entry, options);
  // Without the methods that threads call.
  return {
    size: pool.size,
    compute: (task, input, state, owner, request) => pool.compute(task, input, state, owner, request),
    tasksAtOnce: (task, workMs, owner, running) => pool.tasksAtOnce(task, workMs, owner, running),
    held: pool.held,
    cancel: (state) => pool.cancel(state),
    close: () => pool.close(),
  };
}

class ThreadPool implements Pool, ThreadEvents {
  readonly held: HeldValues;
  readonly #limits: { readonly size: number; readonly spare: number };
  readonly #cancelGraceMs: number;
  readonly #closeGraceMs: number;
  readonly #threads: ThreadSet;
  readonly #queue = new TaskQueue<PendingTask>();
  /** Tasks that found too little memory. */
  readonly #memoryQueue = newMemoryQueue<PendingTask>((task) => {
    this.#queue.putBack(task);
    this.#assignTasks();
  });
  readonly #watchMemory: () => void;
  /** Looks again for a task to preempt. */
  #preemptTimer: ReturnType<typeof setTimeout> | undefined;
  #lastId = 0;
  /** Number of tasks that were given to the pool and are not in its queue yet. */
  #arriving = 0;
  #isClosed = false;

  constructor(
    entry: URL,
    {
      size = availableParallelism(),
      spare = 1,
      cancelGraceMs = 600,
      closeGraceMs = 300,
      budget,
      ...idleLimits
    }: PoolOptions,
  ) {
    this.#limits = { size, spare };
    [this.#cancelGraceMs, this.#closeGraceMs] = [cancelGraceMs, closeGraceMs];
    this.#threads = new ThreadSet(entry, budget, this, idleLimits);
    this.held = newHeldValues(budget);
    this.#watchMemory = budget ? newMemoryWatch(budget, () => this.#watchedTasks()) : () => {};
  }

  get size(): number {
    return this.#limits.size;
  }

  async compute<Input, Output>(
    task: Task<Input, Output>,
    input: Input,
    state: TaskState,
    owner: Owner = state,
    request: TaskState = state,
  ): Promise<Output> {
    this.#arriving++;
    const expectedMs = task.expectedMs(await sizeOfInput(input).finally(() => this.#arriving--));
    if (this.#isClosed || isCancelled(state)) throw new CancelledError();
    const id = ++this.#lastId;
    const queuedMs = performance.now();
    const pending = { ...Promise.withResolvers<never>(), id, task, input, state, request, owner, expectedMs, queuedMs };
    this.#queue.push(pending);
    this.#assignTasks();
    return pending.promise;
  }

  tasksAtOnce(task: Task<never, unknown>, workMs: number, owner?: Owner, running = 0): number {
    // Threads that are busy with other work of the owner are not counted: two works would start more and more of them for each other.
    const idle = this.#threads.idle().filter((thread) => thread.hasRun(task)).length;
    const warm = running + Math.max(0, idle - this.#arriving);
    const threads = Math.min(threadsWorth(workMs, warm), threadsOf(owner, this.#tasksByOwner(), this.#limits.size));
    return threads < this.#limits.size ? threads : threads + 1;
  }

  /** Number of running and waiting tasks per owner. */
  #tasksByOwner(): Map<Owner, number> {
    const counts = new Map(this.#queue.waitingCounts());
    for (const { pending } of this.#threads.tasks()) counts.set(pending.owner, (counts.get(pending.owner) ?? 0) + 1);
    return counts;
  }

  cancel(state: TaskState): void {
    if (!cancelTask(state)) return;
    this.#rejectWaiting(state);
    for (const thread of this.#threads) {
      const { task } = thread;
      if (task?.pending.state !== state) continue;
      setTimeout(() => thread.task === task && this.#endThread(thread), this.#cancelGraceMs).unref();
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#rejectWaiting();
    const running = this.#threads.tasks().map(({ pending }) => pending);
    for (const { state } of running) cancelTask(state);
    await Promise.race([Promise.allSettled(running.map(({ promise }) => promise)), sleep(this.#closeGraceMs)]);
    for (const thread of this.#threads) this.#endThread(thread);
  }

  ended(thread: Thread, reply: Ending): void {
    const task = this.#release(thread)!;
    const isLarge = thread.claimedBytes > LARGE_CLAIM_BYTES;
    if (isLarge || (reply.kind === "failed" && reply.corrupt)) this.#endThread(thread);
    else this.#releaseClaim(thread);
    this.#settle(task, reply);
    this.#assignTasks();
    this.#threads.waitIdle(thread, () => this.#endThread(thread));
  }

  compiled(library: SharedModule): void {
    this.#threads.share(library);
  }

  failed(thread: Thread, reason: ApiError): void {
    this.#endThread(thread, reason);
  }

  /** Resolves or rejects a task that ended, or queues it again if it was preempted or found too little memory. */
  #settle({ pending, yieldsSinceMs, assembly }: RunningTask, reply: Ending): void {
    const isStopped = this.#isClosed || isCancelled(pending.state);
    if (reply.kind === "done") pending.resolve(assembly.finish(reply.output) as never);
    else if (yieldsSinceMs !== undefined && !isStopped) this.#queue.putBack(pending);
    else if (reply.kind === "cancelled" || (reply.waitsForMemory && isStopped)) pending.reject(new CancelledError());
    else if (reply.waitsForMemory) this.#postpone(pending, new ApiError(reply.code, reply.message, true));
    else pending.reject(new ApiError(reply.code, reply.message, reply.needsMemory));
  }

  /**
   * Queues a task that found too little memory until other tasks return theirs. Idle threads end and kept values are dropped, which frees
   * theirs.
   */
  #postpone(task: PendingTask, error: ApiError): void {
    this.held.dropKept();
    for (const thread of this.#threads.idle()) this.#endThread(thread);
    const othersClaim = [...this.#threads].some(({ claimedBytes }) => claimedBytes > 0);
    if (!this.#memoryQueue.wait(task, othersClaim)) task.reject(error);
  }

  /** Rejects the waiting tasks of a request, or all. */
  #rejectWaiting(state?: TaskState): void {
    const inMemoryQueue = this.#memoryQueue.take((task) => state === undefined || task.state === state);
    for (const task of [...this.#queue.takeAll(state), ...inMemoryQueue]) task.reject(new CancelledError());
  }

  #endThread(thread: Thread, reason: Error = new CancelledError()): void {
    if (!this.#threads.remove(thread)) return;
    this.#release(thread)?.pending.reject(reason);
    thread.terminate();
    this.#releaseClaim(thread);
    if (!this.#isClosed) this.#assignTasks();
  }

  /** Takes the task from its thread, and counts the time that it used. */
  #release(thread: Thread): RunningTask | undefined {
    const task = thread.release();
    if (task) this.#queue.addUsedMs(task.pending, performance.now() - task.startedMs);
    return task;
  }

  /** Returns the memory that the thread's task claimed, and lets tasks that wait for memory try again. */
  #releaseClaim(thread: Thread): void {
    if (thread.releaseClaim()) this.#memoryQueue.resumeAll();
  }

  #watchedTasks() {
    return [...this.#threads].flatMap((thread) =>
      thread.task
        ? { startedMs: thread.task.startedMs, end: (reason: ApiError) => this.#endThread(thread, reason) }
        : [],
    );
  }

  #scheduled({ pending, startedMs }: RunningTask): ScheduledTask {
    const ms = Math.max(pending.expectedMs, performance.now() - startedMs);
    return { owner: pending.owner, expectedMs: this.#queue.usedMs(pending) + ms };
  }

  /** The task as it would wait if it were preempted now. */
  #started(task: RunningTask): StartedTask & { readonly task: RunningTask } {
    const { pending, startedMs } = task;
    const { repeatable: isRepeatable } = pending.task;
    const ranMs = performance.now() - startedMs;
    const ownerMs = this.#queue.usedMsByOwner(pending) + ranMs;
    return { ...this.#scheduled(task), id: pending.id, isRepeatable, ranMs, ownerMs, task };
  }

  /** The running tasks, without those that were asked to yield and do not, and without `except`. */
  #countedTasks(except?: RunningTask): ScheduledTask[] {
    return this.#threads
      .tasks()
      .filter((task) => task !== except)
      .filter(({ yieldsSinceMs }) => yieldsSinceMs === undefined || performance.now() - yieldsSinceMs < YIELD_MS)
      .map((task) => this.#scheduled(task));
  }

  /** Starts waiting tasks while the limits allow it. */
  #assignTasks(): void {
    clearTimeout(this.#preemptTimer);
    for (let counted; canStartAny((counted = this.#countedTasks()), this.#limits);) {
      const next = nextTask(this.#queue.heads(), counted, this.#limits);
      if (!next) break;
      this.#queue.take(next.task);
      this.#run(next.task);
    }
    this.#preemptForQuickTask();
    this.#queue.forgetIdle(this.#threads.tasks().map(({ pending }) => pending));
  }

  #run(pending: PendingTask): void {
    const thread = this.#threads.idleOrNew(pending.task);
    const usedMs = this.#queue.usedMs(pending);
    // A task that starts as a long one has a place among these.
    const longInMs = isLong({ ...pending, expectedMs: usedMs + pending.expectedMs }) ? undefined : LONG_MS - usedMs;
    thread.run(pending, longInMs, (task) => this.#becomeLong(task));
    this.#watchMemory();
  }

  /** A task that is no longer short continues where a long one could start; elsewhere it is preempted. */
  #becomeLong(task: RunningTask): void {
    if (!mayContinue(this.#scheduled(task), this.#countedTasks(task), this.#limits)) this.#preempt(task);
  }

  /** Preempts a short task that has run for a while, if a quick one has waited for its thread. */
  #preemptForQuickTask(): void {
    const running = this.#threads.tasks();
    const started = running.map((task) => this.#started(task));
    if (started.every(isLong) || running.some(({ yieldsSinceMs }) => yieldsSinceMs !== undefined)) return;
    const waiting = this.#queue.heads();
    if (!waiting.some(isQuick)) return;
    const hasWaited = waiting.some((head) => isQuick(head) && performance.now() - head.task.queuedMs >= PATIENCE_MS);
    const preempted = hasWaited ? taskToPreempt(waiting, started, this.#limits) : undefined;
    if (preempted) this.#preempt(preempted.task);
    else this.#preemptTimer = setTimeout(() => this.#assignTasks(), PATIENCE_MS).unref();
  }

  /** Asks a task to yield; a task that has not yielded after the grace period ends with its thread, and is queued again. */
  #preempt(task: RunningTask): void {
    if (!preempt(task)) return;
    setTimeout(() => this.#assignTasks(), YIELD_MS).unref();
    setTimeout(() => {
      const thread = [...this.#threads].find((one) => one.task === task);
      if (!thread || isCommitted(task.pending.state)) return;
      this.#release(thread);
      this.#queue.putBack(task.pending);
      this.#endThread(thread);
    }, this.#cancelGraceMs).unref();
  }
}
