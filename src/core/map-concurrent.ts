import { availableParallelism } from "node:os";

/** Number of results per running job that may wait for an earlier one. */
const RESULTS_PER_JOB = 2;

/**
 * Yields the results of `count` jobs in their order. At most `atOnce` of them run at once, so that other requests are served, and few
 * results wait for an earlier one, so that they do not pile up in memory. No job starts after one has failed or after the caller has stopped.
 */
export async function* mapConcurrent<T>(
  count: number,
  start: (index: number) => Promise<T>,
  atOnce: number,
): AsyncGenerator<T> {
  const waiting: Promise<T>[] = [];
  let [next, running] = [0, 0];
  const stop = (): void => {
    next = count;
  };
  function startMore(): void {
    while (next < count && running < atOnce && waiting.length < RESULTS_PER_JOB * atOnce) {
      running++;
      const job = start(next++);
      // The error is thrown when the result of the job is yielded. Until then it must not count as an unhandled rejection.
      job.catch(stop).finally(() => {
        running--;
        startMore();
      });
      waiting.push(job);
    }
  }
  try {
    for (startMore(); waiting.length > 0; startMore()) yield await waiting.shift()!;
  } finally {
    stop();
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
