import type { TaskState } from "../core/progress.ts";
import type { Owner, WaitingTurn } from "./turns.ts";

/** What the queue needs to know of a task. */
export interface QueuedTask {
  /** Rises with the arrival. */
  readonly id: number;
  readonly state: TaskState;
  /** The state of the request whose time it uses. */
  readonly request: TaskState;
  readonly owner: Owner;
  /** Expected from its input alone. */
  readonly expectedMs: number;
}

/** The tasks that wait for a thread, in one line for each state, and the time that requests and their owners have used. */
export interface TaskQueue<T extends QueuedTask> {
  push(task: T): void;
  /** Puts a task that was taken before the others of its request. */
  putBack(task: T): void;
  take(task: T): void;
  /** Takes the tasks of a request, or all. */
  takeAll(state?: TaskState): T[];
  /** The first task of each request. */
  turns(): (WaitingTurn & { readonly task: T })[];
  /** Time of threads that the task's request has used, ms. */
  usedMs(task: QueuedTask): number;
  /** Time of threads that the owner of a task that waits or runs has used, ms. */
  usedMsByOwner(task: QueuedTask): number;
  addUsedMs(task: QueuedTask, ms: number): void;
  /** Forgets what owners have used that have nothing left to do. */
  forgetIdle(running: readonly QueuedTask[]): void;
}

export function newTaskQueue<T extends QueuedTask>(): TaskQueue<T> {
  /** No line is empty. */
  const lines = new Map<TaskState, T[]>();
  const usedMs = new WeakMap<TaskState, number>();
  const usedMsOfOwner = new Map<Owner, number>();

  const usedBy = ({ request }: QueuedTask): number => usedMs.get(request) ?? 0;

  /** The number of waiting tasks of each owner that has any. */
  const waitingOf = new Map<Owner, number>();

  /** An owner that comes has no older claims than the others. */
  function admit({ owner }: QueuedTask): void {
    waitingOf.set(owner, (waitingOf.get(owner) ?? 0) + 1);
    if (usedMsOfOwner.has(owner)) return;
    usedMsOfOwner.set(owner, usedMsOfOwner.size === 0 ? 0 : Math.min(...usedMsOfOwner.values()));
  }

  function leave({ owner }: QueuedTask): void {
    const left = waitingOf.get(owner)! - 1;
    if (left > 0) waitingOf.set(owner, left);
    else waitingOf.delete(owner);
  }

  return {
    push(task) {
      admit(task);
      const line = lines.get(task.state);
      if (line) line.push(task);
      else lines.set(task.state, [task]);
    },
    putBack(task) {
      admit(task);
      lines.set(task.state, [task, ...(lines.get(task.state) ?? [])]);
    },
    take(task) {
      const line = lines.get(task.state)!;
      line.splice(line.indexOf(task), 1);
      if (line.length === 0) lines.delete(task.state);
      leave(task);
    },
    takeAll(state) {
      const taken = state === undefined ? [...lines.values()].flat() : (lines.get(state) ?? []);
      if (state === undefined) lines.clear();
      else lines.delete(state);
      for (const task of taken) leave(task);
      return taken;
    },
    turns: () =>
      Array.from(lines.values(), ([task]) => ({
        task,
        id: task.id,
        owner: task.owner,
        expectedMs: usedBy(task) + task.expectedMs,
        ownerMs: usedMsOfOwner.get(task.owner)!,
      })),
    usedMs: usedBy,
    usedMsByOwner: ({ owner }) => usedMsOfOwner.get(owner)!,
    addUsedMs(task, ms) {
      usedMs.set(task.request, usedBy(task) + ms);
      usedMsOfOwner.set(task.owner, usedMsOfOwner.get(task.owner)! + ms);
    },
    forgetIdle(running) {
      const busy = new Set(running.map(({ owner }) => owner));
      for (const owner of usedMsOfOwner.keys()) {
        if (!waitingOf.has(owner) && !busy.has(owner)) usedMsOfOwner.delete(owner);
      }
    },
  };
}
