import { availableParallelism } from "node:os";

/** Number of results per running job that may wait for an earlier one. */
const RESULTS_PER_JOB = 2;

/**
 * How many jobs run at once: a number, or a function of the numbers of jobs that have not started and that run, which is asked before each
 * start because other requests come and end.
 */
type AtOnce = number | ((jobsLeft: number, running: number) => number);

/**
 * Yields the results of `count` jobs in their order. At most `atOnce` of them run at once, so that other requests are served, and few
 * results wait for an earlier one, so that they do not pile up in memory. No job starts after one has failed or after the caller has stopped.
 */
export async function* mapConcurrent<T>(
  count: number,
  start: (index: number) => Promise<T>,
  atOnce: AtOnce,
): AsyncGenerator<T> {
  const waiting: Promise<T>[] = [];
  let [next, running] = [0, 0];
  const stop = (): void => {
    next = count;
  };
  const canStart = (): boolean => {
    if (next >= count) return false;
    const most = typeof atOnce === "number" ? atOnce : atOnce(count - next, running);
    return running < most && waiting.length < RESULTS_PER_JOB * most;
  };
  function startMore(): void {
    while (canStart()) {
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

/** Works that run at once for each thread: enough that none waits for its next task. */
const WORKS_PER_THREAD = 2;

/**
 * Processes items in their order, few at once on `threads` threads: the pool scans all waiting tasks whenever a thread is free, and a scene
 * of 10,000 models has 30,000. Rejects when any work rejects; the other works continue.
 */
export async function forEachConcurrent<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
  threads = availableParallelism(),
): Promise<void> {
  const next = items[Symbol.iterator]();
  const workNext = async (): Promise<void> => {
    for (let item = next.next(); !item.done; item = next.next()) await work(item.value);
  };
  await Promise.all(Array.from({ length: WORKS_PER_THREAD * threads }, workNext));
}
