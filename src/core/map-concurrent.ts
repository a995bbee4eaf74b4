import { availableParallelism } from "node:os";

/** Maximum number of jobs that run in addition to the one whose result is awaited: one per thread. */
const AHEAD = availableParallelism();

/**
 * Yields the results of `count` jobs in their order. Only enough of them run at once to occupy all threads, so that other requests are
 * served and results do not pile up in memory.
 */
export async function* mapConcurrent<T>(count: number, start: (index: number) => Promise<T>): AsyncGenerator<T> {
  const running: Promise<T>[] = [];
  for (let next = 0; next < count || running.length > 0;) {
    for (; next < count && running.length <= AHEAD; next++) {
      const job = start(next);
      // The error is thrown when the result of the job is yielded. Until then it must not count as an unhandled rejection.
      job.catch(() => {});
      running.push(job);
    }
    yield await running.shift()!;
  }
}

/** Maximum number of works that run at once: enough that no thread waits for its next task. */
const MAX_AT_ONCE = 2 * availableParallelism();

/**
 * Processes items in their order, few at once: the pool scans all waiting tasks whenever a thread is free, and a scene of 10,000 models has
 * 30,000. Rejects when any work rejects; the other works continue.
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
