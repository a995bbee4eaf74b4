import {
  CancelledError,
  type TaskState,
  isCancelled,
  newTaskState,
  readProgress,
  taskProgress,
  throwIfCancelled,
} from "../core/progress.ts";
import { runAtOnce, runStepwise, mapSteps } from "../core/steps.ts";
import { forEachConcurrent } from "../core/map-concurrent.ts";
import type { Pool } from "./pool.ts";
import type { Compute } from "./compute.ts";
import type { Owner } from "./scheduling.ts";

/** What is done for an item, in one or several tasks. All of them are cancelled and charged together. */
export type SharedWork<Input, Output> = (input: Input, context: Compute) => Promise<Output>;

/** An input of shared work, with a key for its content, by which its result is shared. */
export interface SharedItem<Input> {
  /** Equal for equal contents; holds everything on which the result depends. */
  readonly key: string;
  readonly input: Input;
  /** Estimated time of the task in any unit: its weight in the progress. The longest tasks start first. */
  readonly effort: number;
}

/**
 * Results of tasks that requests of all scenes share: a result that one request computed is remembered, and one that a request waits
 * for is not computed a second time. Only for small results such as numbers and some points.
 */
export interface SharedResults {
  /**
   * Returns the result of `work` for each item, in their order; `owner` as in `Pool.compute`. Once `state` is cancelled it rejects
   * with `CancelledError`, and tasks for which no other request waits are cancelled.
   */
  compute<Input, Output>(
    work: SharedWork<Input, Output>,
    items: readonly SharedItem<Input>[],
    state: TaskState,
    owner?: Owner,
  ): Promise<Output[]>;
}

/** A task for which at least one request waits. It has its own state, because requests are cancelled one by one. */
interface SharedTask {
  readonly state: TaskState;
  readonly output: Promise<unknown>;
  /** Number of requests that wait for it. */
  waiting: number;
}

/** The task, the state and the owner that a request passes to `SharedResults.compute`. */
interface Computation {
  readonly work: SharedWork<never, unknown>;
  readonly state: TaskState;
  readonly owner: Owner;
}

/** Limit of all results together; the least recently used ones are forgotten. */
const MAX_BYTES = 32 * 2 ** 20;

/** Interval at which a waiting request reports progress and checks whether it was cancelled. */
const POLL_MS = 50;

/** Items looked up per step; a step takes a few milliseconds. */
const ITEMS_PER_STEP = 2048;

export const newSharedResults = (pool: Pool, maxBytes = MAX_BYTES): SharedResults => new PoolResults(pool, maxBytes);

class PoolResults implements SharedResults {
  readonly #pool: Pool;
  readonly #known: ResultCache;
  readonly #running = new Map<string, SharedTask>();

  constructor(pool: Pool, maxBytes: number) {
    this.#pool = pool;
    this.#known = new ResultCache(maxBytes);
  }

  async compute<Input, Output>(
    work: SharedWork<Input, Output>,
    items: readonly SharedItem<Input>[],
    state: TaskState,
    owner: Owner = state,
  ): Promise<Output[]> {
    const lookUp = mapSteps(items, ({ key }) => [key, this.#known.get(key)] as const, ITEMS_PER_STEP);
    const outputs = new Map(items.length > ITEMS_PER_STEP ? await runStepwise(lookUp) : runAtOnce(lookUp));
    throwIfCancelled(state);
    const missing = new Map<string, SharedItem<Input>>();
    for (const item of items) if (outputs.get(item.key) === undefined) missing.set(item.key, item);
    const totalEffort = effortOf(items);
    if (missing.size > 0)
      await this.#computeMissing(
        [...missing.values()],
        { work: work as SharedWork<never, unknown>, state, owner },
        totalEffort,
        (key, output) => outputs.set(key, output),
      );
    return items.map(({ key }) => outputs.get(key) as Output);
  }

  /** Waits for the results of the items, and reports progress as 1 minus their part of `totalEffort` that remains. */
  async #computeMissing<Input>(
    items: readonly SharedItem<Input>[],
    computation: Computation,
    totalEffort: number,
    found: (key: string, output: unknown) => void,
  ): Promise<void> {
    const { state } = computation;
    const awaited = new Map<SharedItem<Input>, SharedTask>();
    let remainingEffort = effortOf(items);
    let isOver = false;
    const awaitItem = async (item: SharedItem<Input>): Promise<void> => {
      if (isOver) return;
      // Another request may have computed it by now.
      let output = this.#known.get(item.key);
      if (output === undefined) {
        const started = this.#join(item, computation);
        awaited.set(item, started);
        output = await started.output;
        if (isOver) return;
        awaited.delete(item);
        this.#leave(item.key, started);
      }
      remainingEffort -= item.effort;
      found(item.key, output);
    };
    const { promise: cancelled, reject } = Promise.withResolvers<never>();
    const timer = setInterval(() => {
      if (isCancelled(state)) return reject(new CancelledError());
      const done = awaited
        .entries()
        .reduce((sum, [{ effort }, { state: started }]) => sum + effort * readProgress(started), 0);
      taskProgress(state).report(1 - (remainingEffort - done) / totalEffort);
    }, POLL_MS);
    try {
      const longestFirst = items.toSorted((a, b) => b.effort - a.effort);
      await Promise.race([forEachConcurrent(longestFirst, awaitItem, this.#pool.size), cancelled]);
    } finally {
      isOver = true;
      clearInterval(timer);
      for (const [{ key }, started] of awaited) this.#leave(key, started);
    }
  }

  /** The request waits for the task of this item, which starts if it does not run. */
  #join<Input>(item: SharedItem<Input>, computation: Computation): SharedTask {
    const shared = this.#running.get(item.key) ?? this.#start(item, computation);
    shared.waiting++;
    return shared;
  }

  /** The time of the task is charged to the request that starts it. */
  #start<Input>({ key, input }: SharedItem<Input>, { work, state: request, owner }: Computation): SharedTask {
    const state = newTaskState();
    const output = work(input as never, {
      compute: (task, of) => this.#pool.compute(task, of, state, owner, request),
      tasksAtOnce: (task, workMs, tasks) => this.#pool.tasksAtOnce(task, workMs, owner, tasks),
      held: this.#pool.held,
    });
    const started: SharedTask = { state, output, waiting: 0 };
    this.#running.set(key, started);
    const end = (): void => {
      if (this.#running.get(key) === started) this.#running.delete(key);
    };
    output.then((value) => {
      end();
      this.#known.add(key, value);
    }, end);
    return started;
  }

  /** The request no longer waits for a task, which is cancelled if no other request does. */
  #leave(key: string, task: SharedTask): void {
    task.waiting--;
    if (task.waiting > 0 || this.#running.get(key) !== task) return;
    this.#running.delete(key);
    this.#pool.cancel(task.state);
  }
}

const effortOf = (items: readonly SharedItem<unknown>[]): number => items.reduce((sum, { effort }) => sum + effort, 0);

/** Results by their keys; the least recently used ones are dropped. */
class ResultCache {
  readonly #maxBytes: number;
  /** From the least to the most recently used. */
  readonly #outputs = new Map<string, unknown>();
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  add(key: string, output: unknown): void {
    // A cancelled task may end normally, while another one was started for the same result.
    if (this.#outputs.has(key)) return;
    this.#outputs.set(key, output);
    this.#bytes += bytesOf(key, output);
    for (const [oldest, old] of this.#outputs) {
      if (this.#bytes <= this.#maxBytes) return;
      this.#outputs.delete(oldest);
      this.#bytes -= bytesOf(oldest, old);
    }
  }

  get(key: string): unknown {
    const output = this.#outputs.get(key);
    if (output === undefined) return undefined;
    this.#outputs.delete(key);
    this.#outputs.set(key, output);
    return output;
  }
}

/** Estimated bytes of an entry: two per character of its key and of its output as JSON, and its typed arrays. */
function bytesOf(key: string, output: unknown): number {
  let arrayBytes = 0;
  const plain = JSON.stringify(output, (_, value: unknown) => {
    if (!ArrayBuffer.isView(value)) return value;
    arrayBytes += value.byteLength;
    return undefined;
  });
  return 2 * (key.length + plain.length) + arrayBytes;
}
