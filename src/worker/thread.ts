import { Worker } from "node:worker_threads";
import { ApiError, toApiError } from "../core/api-error.ts";
import { type MemoryBudget, claimOf, releaseClaim } from "../core/memory-budget.ts";
import { runStepwise } from "../core/steps.ts";
import { PROCESS_STARTED_MS } from "../core/temporary-file.ts";
import { type YieldFlag, askToYield, newYieldFlag } from "../core/progress.ts";
import type { SharedModule } from "../wasm/shared-modules.ts";
import { type Assembly, newAssembly, sendPieces } from "./message-pieces.ts";
import type { QueuedTask } from "./task-queue.ts";
import type { Task } from "./task.ts";
import type { TaskReply, ThreadData, ThreadMessage, ThreadReply } from "./thread-messages.ts";

/** A task with the promise of its output, whose type depends on the task. */
export interface PendingTask extends PromiseWithResolvers<never>, QueuedTask {
  readonly task: Task<never, unknown>;
  readonly input: unknown;
  /** When it was queued first. */
  readonly queuedMs: number;
}

/** A task on its thread. */
export interface RunningTask {
  readonly pending: PendingTask;
  readonly startedMs: number;
  readonly yieldFlag: YieldFlag;
  /** Receives the output. */
  readonly assembly: Assembly;
  /** Calls `onLong`. */
  readonly longTimer: ReturnType<typeof setTimeout> | undefined;
  /** When the pool asked it to give its thread to another task. */
  yieldsSinceMs?: number;
}

/** How a task ended. */
export type Ending = Exclude<TaskReply, { readonly kind: "piece" }>;

/** Events of a thread that its pool handles. */
export interface ThreadEvents {
  /** Its task ended. */
  ended(thread: Thread, reply: Ending): void;
  /** It compiled a library that the other threads can use. */
  compiled(library: SharedModule): void;
  /** The thread ended by itself, or its task could not be sent to it. */
  failed(thread: Thread, reason: ApiError): void;
}

/** idle: waits for a task, and ends when the timer fires. busy: runs a task. ended: terminated; takes no more tasks. */
type ThreadStatus =
  | { readonly is: "idle"; readonly timer?: ReturnType<typeof setTimeout> }
  | { readonly is: "busy"; readonly task: RunningTask }
  | { readonly is: "ended" };

/** A thread of the pool, which runs one task at a time. */
export class Thread {
  readonly worker: Worker;
  /** Its slot in the budget. */
  readonly slot: number;
  readonly #events: ThreadEvents;
  readonly #budget: MemoryBudget | undefined;
  /** A shared integer: how many pieces of outputs this side has taken (`ThreadData.taken`). */
  readonly #taken = new Int32Array(new SharedArrayBuffer(4));
  /** Names of the tasks that it has run: their kernels are loaded and compiled. */
  readonly #taskNames = new Set<string>();
  #status: ThreadStatus = { is: "idle" };

  constructor(entry: URL, slot: number, budget: MemoryBudget | undefined, events: ThreadEvents) {
    this.slot = slot;
    this.#events = events;
    this.#budget = budget;
    const workerData: ThreadData = { budget, slot, taken: this.#taken, startedMs: PROCESS_STARTED_MS };
    this.worker = new Worker(entry, { workerData });
    this.worker.on("message", (reply: ThreadReply) => this.#receive(reply));
    this.worker.on("error", ({ message }: Error) => events.failed(this, threadBroke(message)));
    this.worker.on("exit", (code: number) => events.failed(this, threadBroke(`exit code ${code}`)));
  }

  /** The task that it runs; undefined while it is idle or ended. */
  get task(): RunningTask | undefined {
    return this.#status.is === "busy" ? this.#status.task : undefined;
  }

  /** Bytes that its task has claimed of the budget. */
  get claimedBytes(): number {
    return this.#budget ? claimOf(this.#budget, this.slot) : 0;
  }

  /** Whether it has run such a task: another thread has to compile the kernel first. */
  hasRun({ name }: Pick<Task<never, unknown>, "name">): boolean {
    return this.#taskNames.has(name);
  }

  /** Starts a task. `onLong` is called after `longInMs`, if given, unless the task ended before. */
  run(pending: PendingTask, longInMs: number | undefined, onLong: (task: RunningTask) => void): void {
    this.#clearTimers();
    const task: RunningTask = {
      pending,
      yieldFlag: newYieldFlag(),
      assembly: newAssembly(),
      startedMs: performance.now(),
      longTimer: longInMs === undefined ? undefined : setTimeout(() => onLong(task), longInMs).unref(),
    };
    this.#status = { is: "busy", task };
    this.#taskNames.add(pending.task.name);
    void this.#sendTask(task);
  }

  /** Takes the task from the thread, which is idle afterwards. */
  release(): RunningTask | undefined {
    const { task } = this;
    this.#clearTimers();
    if (task) this.#status = { is: "idle" };
    return task;
  }

  /** Calls `onIdle` if the idle thread gets no task within `idleMs`. */
  waitIdle(idleMs: number, onIdle: () => void): void {
    this.#status = { is: "idle", timer: setTimeout(onIdle, idleMs).unref() };
  }

  /** Returns to the budget what its task has claimed; false if that was nothing. */
  releaseClaim(): boolean {
    if (!this.#budget || this.claimedBytes === 0) return false;
    releaseClaim(this.#budget, this.slot);
    return true;
  }

  /** Ends the thread and what runs on it. */
  terminate(): void {
    this.#clearTimers();
    this.#status = { is: "ended" };
    void this.worker.terminate();
  }

  #clearTimers(): void {
    if (this.#status.is === "idle") clearTimeout(this.#status.timer);
    if (this.#status.is === "busy") clearTimeout(this.#status.task.longTimer);
  }

  async #sendTask(task: RunningTask): Promise<void> {
    const { id, input, task: declared, state } = task.pending;
    const send = (message: ThreadMessage): void => {
      if (this.task === task) this.worker.postMessage(message);
    };
    try {
      const remainder = await runStepwise(sendPieces(input, (piece) => send({ piece })));
      send({ id, task: declared.name, input: remainder, state, yieldFlag: task.yieldFlag });
    } catch (thrown) {
      if (this.task === task) this.#events.failed(this, toApiError(thrown));
    }
  }

  #receive(reply: ThreadReply): void {
    if (reply.kind === "library") return this.#events.compiled(reply.library);
    const isOfTask = this.task?.pending.id === reply.id;
    if (reply.kind === "piece") {
      if (isOfTask) this.task!.assembly.add(reply.piece);
      this.#confirmPiece();
    } else if (isOfTask) this.#events.ended(this, reply);
  }

  /** Lets the thread send its next piece after the events that wait now. */
  #confirmPiece(): void {
    setImmediate(() => {
      Atomics.add(this.#taken, 0, 1);
      Atomics.notify(this.#taken, 0);
    });
  }
}

const threadBroke = (cause: string): ApiError =>
  new ApiError("OPERATION_FAILED", `The job broke its worker thread (${cause}): use smaller or simpler models.`);

/** Asks a task to give its thread to another task, unless it was asked before. Returns whether it was asked now. */
export function preempt(task: RunningTask): boolean {
  if (!task.pending.task.repeatable || task.yieldsSinceMs !== undefined) return false;
  task.yieldsSinceMs = performance.now();
  askToYield(task.yieldFlag);
  return true;
}
