import type { TaskState } from "../core/progress.ts";
import type { Owner, WaitingTask } from "./scheduling.ts";
import { must } from "../core/must.ts";

/** The data of a task that the queue needs. */
export interface QueuedTask {
  /** Increases in order of arrival. */
  readonly id: number;
  readonly state: TaskState;
  /** The state of the request to which its time is charged. */
  readonly request: TaskState;
  readonly owner: Owner;
  /** Expected time by its input alone, ms. */
  readonly expectedMs: number;
}

/** The tasks that wait for a thread, one line per state, and the time that requests and their owners have used. */
export class TaskQueue<T extends QueuedTask> {
  /** No line is empty. */
  readonly #lines = new Map<TaskState, T[]>();
  readonly #usedMs = new WeakMap<TaskState, number>();
  readonly #usedMsByOwner = new Map<Owner, number>();
  /** Number of waiting tasks per owner; no zeros. */
  readonly #waitingCounts = new Map<Owner, number>();

  push(task: T): void {
    this.#admit(task);
    const line = this.#lines.get(task.state);
    if (line) line.push(task);
    else this.#lines.set(task.state, [task]);
  }

  /** Queues a task again, before the other tasks of its request. */
  putBack(task: T): void {
    this.#admit(task);
    this.#lines.set(task.state, [task, ...(this.#lines.get(task.state) ?? [])]);
  }

  /** Removes a task. */
  take(task: T): void {
    const line = this.#lines.get(task.state)!;
    line.splice(line.indexOf(task), 1);
    if (line.length === 0) this.#lines.delete(task.state);
    this.#leave(task);
  }

  /** Removes and returns the tasks of a request, or all. */
  takeAll(state?: TaskState): T[] {
    const taken = state === undefined ? [...this.#lines.values()].flat() : (this.#lines.get(state) ?? []);
    if (state === undefined) this.#lines.clear();
    else this.#lines.delete(state);
    for (const task of taken) this.#leave(task);
    return taken;
  }

  /** The first task of each request. */
  heads(): (WaitingTask & { readonly task: T })[] {
    const first = Array.from(this.#lines.values(), ([task]) => must(task, "the first task of a request"));
    return first.map((task) => ({
      task,
      id: task.id,
      owner: task.owner,
      expectedMs: this.usedMs(task) + task.expectedMs,
      ownerMs: this.usedMsByOwner(task),
    }));
  }

  /** Number of waiting tasks per owner that has any. */
  waitingCounts(): ReadonlyMap<Owner, number> {
    return this.#waitingCounts;
  }

  /** Time of threads that the request of the task has used, ms. */
  usedMs({ request }: QueuedTask): number {
    return this.#usedMs.get(request) ?? 0;
  }

  /** Time of threads that the owner of a waiting or running task has used, ms. */
  usedMsByOwner({ owner }: QueuedTask): number {
    return this.#usedMsByOwner.get(owner)!;
  }

  addUsedMs(task: QueuedTask, ms: number): void {
    this.#usedMs.set(task.request, this.usedMs(task) + ms);
    this.#usedMsByOwner.set(task.owner, this.usedMsByOwner(task) + ms);
  }

  /** Forgets the used time of owners that have no task left. */
  forgetIdle(running: readonly QueuedTask[]): void {
    const busy = new Set(running.map(({ owner }) => owner));
    for (const owner of this.#usedMsByOwner.keys()) {
      if (!this.#waitingCounts.has(owner) && !busy.has(owner)) this.#usedMsByOwner.delete(owner);
    }
  }

  /** A new owner starts with the least used time of all, so that it has no advantage over the others. */
  #admit({ owner }: QueuedTask): void {
    this.#waitingCounts.set(owner, (this.#waitingCounts.get(owner) ?? 0) + 1);
    if (this.#usedMsByOwner.has(owner)) return;
    this.#usedMsByOwner.set(owner, this.#usedMsByOwner.size === 0 ? 0 : Math.min(...this.#usedMsByOwner.values()));
  }

  #leave({ owner }: QueuedTask): void {
    const left = this.#waitingCounts.get(owner)! - 1;
    if (left > 0) this.#waitingCounts.set(owner, left);
    else this.#waitingCounts.delete(owner);
  }
}
