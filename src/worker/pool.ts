import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { ApiError, toApiError } from "../core/api-error.ts";
import { type MemoryBudget, claimOf, releaseClaim } from "../core/memory-budget.ts";
import { PROCESS_STARTED_MS } from "../core/temporary-file.ts";
import {
  CancelledError,
  type TaskState,
  type YieldFlag,
  askToYield,
  cancelTask,
  isCancelled,
  isCommitted,
  newYieldFlag,
} from "../core/progress.ts";
import { sizeOfInput } from "./expected-time.ts";
import { inTurns } from "../core/in-turns.ts";
import { newMemoryQueue } from "./memory-queue.ts";
import { type WatchedTask, newMemoryWatch } from "./memory-watch.ts";
import { type Assembly, newAssembly, sendPieces } from "./message-pieces.ts";
import { newSharedLibraries } from "./shared-libraries.ts";
import { type QueuedTask, newTaskQueue } from "./task-queue.ts";
import type { Task } from "./task.ts";
import type { TaskReply, ThreadData, ThreadMessage, ThreadReply } from "./thread-messages.ts";
import { LONG_MS, type Owner, QUICK_MS, type Turn, hasRoom, isLong, mayStay, nextTurn, turnToEnd } from "./turns.ts";

export interface Pool {
  /**
   * Runs a task on a worker thread. Rejects with the task's `ApiError`, or with `CancelledError`. Owners take turns; without
   * one the request is its own. `request` is whose time the task uses, if it is not that of `state`.
   */
  compute<Input, Output>(
    task: Task<Input, Output>,
    input: Input,
    state: TaskState,
    owner?: Owner,
    request?: TaskState,
  ): Promise<Output>;
  /**
   * Cancels every task of a request that has not committed. Waiting tasks end at once. Running tasks end when their kernel
   * polls the flag, or after a grace period with their thread.
   */
  cancel(state: TaskState): void;
  /** Cancels every task and ends every thread. */
  close(): Promise<void>;
}

export interface PoolOptions {
  /** Most threads of long tasks at once. Default: one per core. */
  readonly size?: number | undefined;
  /** Threads beside them that only short tasks take. */
  readonly spare?: number;
  /** A thread is ended this long after its task was asked to end: kernels inside WebAssembly cannot poll the flag. */
  readonly cancelGraceMs?: number;
  /** A thread without a task is ended after this time, which gives its memory back to the system. */
  readonly idleMs?: number;
  /** How long a closing pool waits for running tasks, so that a cancelled save can remove its temporary file. */
  readonly closeGraceMs?: number;
  /** What the threads may use of the machine's memory. Absent: they are not bounded. */
  readonly budget?: MemoryBudget | undefined;
}

/** A thread whose task claimed more than this ends with it: its memory goes back at once, and its compiled code is worth less. */
const LARGE_CLAIM_BYTES = 512 * 2 ** 20;
/** A task with the promise of its output, whose type depends on the task. */
interface PendingTask extends PromiseWithResolvers<never>, QueuedTask {
  readonly task: Task<never, unknown>;
  readonly input: unknown;
}

/** A task on its thread. */
interface RunningTask {
  readonly pending: PendingTask;
  readonly yieldFlag: YieldFlag;
  /** Of the output. */
  readonly pieces: Assembly;
  readonly startedMs: number;
  readonly longTimer: ReturnType<typeof setTimeout>;
  /** When it was asked to give its thread to another task. */
  yieldsSinceMs?: number;
}

interface Thread {
  readonly worker: Worker;
  readonly slot: number;
  running?: RunningTask | undefined;
  idleTimer?: ReturnType<typeof setTimeout>;
}

/** Kernels poll more often; a thread that has not yielded after this time is not counted, so that another one can start. */
const YIELD_MS = 30;

/**
 * A pool of threads that run the script `entry`. They start when there is work, are replaced on failure, and end when idle.
 * `turns.ts` decides whose task runs; one that has to give way runs again from its beginning.
 */
export function newPool(
  entry: URL,
  {
    size = availableParallelism(),
    spare = 1,
    cancelGraceMs = 600,
    idleMs = 5000,
    closeGraceMs = 300,
    budget,
  }: PoolOptions = {},
): Pool {
  const threads = new Set<Thread>();
  const libraries = newSharedLibraries();
  const queue = newTaskQueue<PendingTask>();
  const memoryQueue = newMemoryQueue<PendingTask>((task) => {
    queue.putBack(task);
    assignTasks();
  });
  let roomTimer: ReturnType<typeof setTimeout> | undefined;
  let lastId = 0;
  let closed = false;

  const runningTasks = (): RunningTask[] => [...threads].flatMap(({ running }) => running ?? []);
  const watchMemory = budget && newMemoryWatch(budget, watchedTasks);

  function startThread(): Thread {
    const slot = freeSlot();
    const taken = new Int32Array(new SharedArrayBuffer(4));
    const workerData: ThreadData = { budget, slot, taken, startedMs: PROCESS_STARTED_MS };
    const thread: Thread = { worker: new Worker(entry, { workerData }), slot };
    libraries.giveTo(thread.worker);
    thread.worker.on("message", (reply: ThreadReply) => {
      if (reply.kind === "library")
        return libraries.add(
          reply.library,
          [...threads].map(({ worker }) => worker),
        );
      if (reply.kind !== "piece") return finish(thread, reply);
      if (thread.running?.pending.id === reply.id) thread.running.pieces.add(reply.piece);
      // The next one comes after other events had their turn.
      setImmediate(() => {
        Atomics.add(taken, 0, 1);
        Atomics.notify(taken, 0);
      });
    });
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
    release(thread)?.pending.reject(reason);
    void thread.worker.terminate();
    endClaim(thread);
    if (!closed) assignTasks();
  }

  /** Takes the task from its thread, and counts the time that it used. */
  function release(thread: Thread): RunningTask | undefined {
    const { running } = thread;
    if (!running) return undefined;
    thread.running = undefined;
    clearTimeout(running.longTimer);
    queue.addUsedMs(running.pending, performance.now() - running.startedMs);
    return running;
  }

  function watchedTasks(): WatchedTask[] {
    return [...threads].flatMap((thread) =>
      thread.running ? { startedMs: thread.running.startedMs, end: (reason) => endThread(thread, reason) } : [],
    );
  }

  const claimedBytes = ({ slot }: Thread): number => (budget ? claimOf(budget, slot) : 0);

  /** Ends what the thread's task claimed, which lets tasks that wait for memory try again. */
  function endClaim(thread: Thread): void {
    if (!budget || claimedBytes(thread) === 0) return;
    releaseClaim(budget, thread.slot);
    memoryQueue.resumeAll();
  }

  /** Lets a task that found too little memory wait for that of others, and of the idle threads. */
  function postpone(task: PendingTask, error: ApiError): void {
    for (const thread of threads) if (!thread.running) endThread(thread);
    const othersClaim = [...threads].some((thread) => claimedBytes(thread) > 0);
    if (!memoryQueue.wait(task, othersClaim)) task.reject(error);
  }

  const turnOf = ({ pending, startedMs }: RunningTask): Turn => ({
    owner: pending.owner,
    expectedMs: queue.usedMs(pending) + Math.max(pending.expectedMs, performance.now() - startedMs),
  });

  /** Its place among those that wait, if it were put back now. */
  const waitingTurnOf = ({ pending, startedMs }: RunningTask) => ({
    id: pending.id,
    isRepeatable: pending.task.repeatable,
    ownerMs: queue.usedMsByOwner(pending) + performance.now() - startedMs,
  });

  /** Without those that were asked to yield and do not. */
  const countedTurns = (): Turn[] =>
    runningTasks()
      .filter(({ yieldsSinceMs }) => yieldsSinceMs === undefined || performance.now() - yieldsSinceMs < YIELD_MS)
      .map(turnOf);

  /** Gives tasks to threads while there are turns. */
  function assignTasks(): void {
    clearTimeout(roomTimer);
    for (let counted; hasRoom((counted = countedTurns()), { size, spare });) {
      const turn = nextTurn(queue.turns(), counted, { size, spare });
      if (!turn) break;
      queue.take(turn.task);
      run([...threads].find(({ running }) => !running) ?? startThread(), turn.task);
    }
    makeRoom();
    queue.forgetIdle(runningTasks().map(({ pending }) => pending));
  }

  function run(thread: Thread, pending: PendingTask): void {
    const { id, task, input, state } = pending;
    const yieldFlag = newYieldFlag();
    const longTimer = setTimeout(() => becomeLong(thread, id), Math.max(0, LONG_MS - queue.usedMs(pending))).unref();
    clearTimeout(thread.idleTimer);
    const running = { pending, yieldFlag, pieces: newAssembly(), startedMs: performance.now(), longTimer };
    thread.running = running;
    watchMemory?.();
    const send = (message: ThreadMessage): void => {
      if (thread.running === running) thread.worker.postMessage(message);
    };
    const sending = inTurns(sendPieces(input, (piece) => send({ piece })));
    sending
      .then((remainder) => send({ id, task: task.name, input: remainder, state, yieldFlag }))
      .catch((thrown: unknown) => thread.running === running && endThread(thread, toApiError(thrown)));
  }

  /** A task that is no longer short goes on where a long one may start, and gives way elsewhere. */
  function becomeLong(thread: Thread, id: number): void {
    const { running } = thread;
    if (running?.pending.id !== id) return;
    const others = runningTasks().filter((other) => other !== running);
    if (!mayStay(turnOf(running), others.map(turnOf), { size, spare })) requestYield(running);
  }

  /** Lets a short task that has run for a while give its thread to one that has just come. */
  function makeRoom(): void {
    const running = runningTasks();
    const turns = running.map((task) => ({ ...turnOf(task), ...waitingTurnOf(task), task }));
    if (turns.every(isLong) || running.some(({ yieldsSinceMs }) => yieldsSinceMs !== undefined)) return;
    const waiting = queue.turns();
    if (waiting.every(isLong)) return;
    const ended = turnToEnd(waiting, turns, { size, spare });
    if (ended) requestYield(ended.task);
    // One that has just begun may end by itself.
    else roomTimer = setTimeout(assignTasks, QUICK_MS).unref();
  }

  function requestYield(running: RunningTask): void {
    if (!running.pending.task.repeatable || running.yieldsSinceMs !== undefined) return;
    running.yieldsSinceMs = performance.now();
    askToYield(running.yieldFlag);
    setTimeout(assignTasks, YIELD_MS).unref();
    setTimeout(() => {
      const thread = [...threads].find((one) => one.running === running);
      if (!thread || isCommitted(running.pending.state)) return;
      release(thread);
      queue.putBack(running.pending);
      endThread(thread);
    }, cancelGraceMs).unref();
  }

  function finish(thread: Thread, reply: Exclude<TaskReply, { kind: "piece" }>): void {
    if (thread.running?.pending.id !== reply.id) return;
    const { pending, pieces, yieldsSinceMs } = release(thread)!;
    const isYielded = yieldsSinceMs !== undefined && !closed && !isCancelled(pending.state);
    const isLarge = claimedBytes(thread) > LARGE_CLAIM_BYTES;
    if (isLarge || (reply.kind === "failed" && reply.corrupt)) endThread(thread);
    else endClaim(thread);
    if (reply.kind === "done") pending.resolve(pieces.finish(reply.output) as never);
    else if (isYielded) queue.putBack(pending);
    else if (reply.kind === "cancelled" || (reply.needsMemory && (closed || isCancelled(pending.state))))
      pending.reject(new CancelledError());
    else if (reply.needsMemory) postpone(pending, new ApiError(reply.code, reply.message));
    else pending.reject(new ApiError(reply.code, reply.message));
    assignTasks();
    if (!threads.has(thread) || thread.running) return;
    thread.idleTimer = setTimeout(() => endThread(thread), idleMs);
    thread.idleTimer.unref();
  }

  return {
    async compute(task, input, state, owner = state, request = state) {
      const expectedMs = task.expectedMs(await sizeOfInput(input));
      if (closed || isCancelled(state)) throw new CancelledError();
      const pending: PendingTask = {
        ...Promise.withResolvers<never>(),
        id: ++lastId,
        task,
        input,
        state,
        request,
        owner,
        expectedMs,
      };
      queue.push(pending);
      assignTasks();
      return pending.promise;
    },
    cancel(state) {
      if (!cancelTask(state)) return;
      const waiting = [...queue.takeAll(state), ...memoryQueue.take((task) => task.state === state)];
      for (const task of waiting) task.reject(new CancelledError());
      for (const thread of threads) {
        const { running } = thread;
        if (running?.pending.state !== state) continue;
        setTimeout(() => thread.running === running && endThread(thread), cancelGraceMs).unref();
      }
    },
    async close() {
      closed = true;
      for (const task of [...queue.takeAll(), ...memoryQueue.take(() => true)]) task.reject(new CancelledError());
      const running = runningTasks().map(({ pending }) => pending);
      for (const { state } of running) cancelTask(state);
      await Promise.race([Promise.allSettled(running.map(({ promise }) => promise)), sleep(closeGraceMs)]);
      for (const thread of threads) endThread(thread);
    },
  };
}
