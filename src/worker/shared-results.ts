import {
  CancelledError,
  type TaskState,
  isCancelled,
  newTaskState,
  readProgress,
  taskProgress,
  throwIfCancelled,
} from "../core/progress.ts";
import { atOnce, inTurns, mapSteps } from "../core/in-turns.ts";
import { forEachConcurrent } from "../core/map-concurrent.ts";
import type { Pool } from "./pool.ts";
import type { Task } from "./task.ts";
import type { Owner } from "./turns.ts";

/** An input of a task, by whose content its result is known. */
export interface SharedItem<Input> {
  /** Equal for equal contents; all that the result depends on. */
  readonly key: string;
  readonly input: Input;
  /** About how long the task takes, in any unit: its share of the progress. The longest tasks begin first. */
  readonly effort: number;
}

/**
 * Results of tasks that requests of all scenes share: what one has asked for is remembered, and what one waits for is not
 * computed again for another. Only for small results, as numbers and some places.
 */
export interface SharedResults {
  /**
   * The result of a task for each item, in their order; `owner` as in `Pool.compute`. Once `state` is cancelled it rejects with `CancelledError`, and
   * tasks that no other request waits for are cancelled.
   */
  compute<Input, Output>(
    task: Task<Input, Output>,
    items: readonly SharedItem<Input>[],
    state: TaskState,
    owner?: Owner,
  ): Promise<Output[]>;
}

/** A task that at least one request waits for. It has a state of its own, because requests are cancelled one by one. */
interface RunningTask {
  readonly state: TaskState;
  readonly output: Promise<unknown>;
  waiting: number;
}

/** The least recently used results are forgotten when all together take more bytes than this. */
const MAX_BYTES = 32 * 2 ** 20;

/** How often a waiting request learns of progress, and its tasks of its cancelling. */
const POLL_MS = 50;

/** Items that are looked up in one step, in a few milliseconds. */
const ITEMS_PER_STEP = 2048;

export function newSharedResults(pool: Pool, maxBytes = MAX_BYTES): SharedResults {
  /** From the least to the most recently used. */
  const known = new Map<string, unknown>();
  const running = new Map<string, RunningTask>();
  let bytes = 0;

  function remember(key: string, output: unknown): void {
    // A cancelled task may have been at its end, while another one was started for the same result.
    if (known.has(key)) return;
    known.set(key, output);
    bytes += bytesOf(key, output);
    for (const [oldest, old] of known) {
      if (bytes <= maxBytes) return;
      known.delete(oldest);
      bytes -= bytesOf(oldest, old);
    }
  }

  function recall(key: string): unknown {
    const output = known.get(key);
    if (output === undefined) return undefined;
    known.delete(key);
    known.set(key, output);
    return output;
  }

  /** The time that a task uses counts for the request that started it. */
  function start<Input>(
    { key, input }: SharedItem<Input>,
    task: Task<Input, unknown>,
    request: TaskState,
    owner: Owner,
  ): RunningTask {
    const state = newTaskState();
    const output: Promise<unknown> = pool.compute(task, input, state, owner, request);
    const started: RunningTask = { state, output, waiting: 0 };
    running.set(key, started);
    const end = (): void => {
      if (running.get(key) === started) running.delete(key);
    };
    output.then((value) => {
      end();
      remember(key, value);
    }, end);
    return started;
  }

  /** A request no longer waits for a task. */
  function leave(key: string, task: RunningTask): void {
    task.waiting--;
    if (task.waiting > 0 || running.get(key) !== task) return;
    running.delete(key);
    pool.cancel(task.state);
  }

  return {
    async compute<Input, Output>(
      task: Task<Input, Output>,
      items: readonly SharedItem<Input>[],
      state: TaskState,
      owner: Owner = state,
    ) {
      const lookUp = mapSteps(items, ({ key }) => [key, recall(key)] as const, ITEMS_PER_STEP);
      const outputs = new Map(items.length > ITEMS_PER_STEP ? await inTurns(lookUp) : atOnce(lookUp));
      throwIfCancelled(state);
      const missing = new Map<string, SharedItem<Input>>();
      for (const item of items) if (outputs.get(item.key) === undefined) missing.set(item.key, item);
      const total = items.reduce((sum, { effort }) => sum + effort, 0);
      const ordered = [...missing.values()].sort((a, b) => b.effort - a.effort);
      let left = missing.values().reduce((sum, { effort }) => sum + effort, 0);
      const awaited = new Map<SharedItem<Input>, RunningTask>();
      let isOver = false;
      async function awaitItem(item: SharedItem<Input>): Promise<void> {
        if (isOver) return;
        // Another request may have computed it by now.
        let output = recall(item.key);
        if (output === undefined) {
          const started = running.get(item.key) ?? start(item, task, state, owner);
          started.waiting++;
          awaited.set(item, started);
          output = await started.output;
          if (isOver) return;
          awaited.delete(item);
          leave(item.key, started);
        }
        left -= item.effort;
        outputs.set(item.key, output);
      }
      if (missing.size > 0) {
        const { promise: cancelled, reject } = Promise.withResolvers<never>();
        const timer = setInterval(() => {
          if (isCancelled(state)) return reject(new CancelledError());
          const done = awaited
            .entries()
            .reduce((sum, [{ effort }, { state: started }]) => sum + effort * readProgress(started), 0);
          taskProgress(state).report(1 - (left - done) / total);
        }, POLL_MS);
        try {
          await Promise.race([forEachConcurrent(ordered, awaitItem), cancelled]);
        } finally {
          isOver = true;
          clearInterval(timer);
          for (const [{ key }, started] of awaited) leave(key, started);
        }
      }
      return items.map(({ key }) => outputs.get(key) as Output);
    },
  };
}

/** About what an entry of the map takes: two bytes a character of its key and of its output as JSON, and its typed arrays. */
function bytesOf(key: string, output: unknown): number {
  let arrayBytes = 0;
  const plain = JSON.stringify(output, (_, value: unknown) => {
    if (!ArrayBuffer.isView(value)) return value;
    arrayBytes += value.byteLength;
    return undefined;
  });
  return 2 * (key.length + plain.length) + arrayBytes;
}
