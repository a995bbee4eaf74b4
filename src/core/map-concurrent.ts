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
