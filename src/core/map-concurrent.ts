import { availableParallelism } from "node:os";

/** Jobs that run ahead of the one whose result is awaited: one per thread. */
const AHEAD = availableParallelism();

/**
 * Yields the results of `count` jobs in their order. Only enough of them run at once to occupy all threads, so that other
 * requests get their turn and results do not pile up in memory.
 */
export async function* mapConcurrent<T>(count: number, start: (index: number) => Promise<T>): AsyncGenerator<T> {
  const running: Promise<T>[] = [];
  for (let next = 0; next < count || running.length > 0;) {
    for (; next < count && running.length <= AHEAD; next++) {
      const job = start(next);
      // An error is thrown when the job's turn comes. Until then it must not count as an unhandled rejection.
      job.catch(() => {});
      running.push(job);
    }
    yield await running.shift()!;
  }
}

/** Work that is begun before earlier work has ended: enough that no thread waits for the next task. */
const MAX_AT_ONCE = 2 * availableParallelism();

/**
 * Works through items in their order, few at once: the pool looks at all tasks that wait whenever it gives one to a thread, and a
 * scene of 10,000 models has 30,000. Rejects when any work does; the others go on.
 */
export async function forEachConcurrent<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const next = items[Symbol.iterator]();
  const workNext = async (): Promise<void> => {
    for (let item = next.next(); !item.done; item = next.next()) await work(item.value);
  };
  await Promise.all(Array.from({ length: MAX_AT_ONCE }, workNext));
}
