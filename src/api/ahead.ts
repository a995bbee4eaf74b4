import { availableParallelism } from "node:os";

/** Jobs that are asked for ahead of the one that is waited for: as many as threads can do at once. */
const AHEAD = availableParallelism();

/**
 * The results of `count` jobs in their order. Only a few are asked for at a time, so that they fill the threads but do not
 * keep other requests from them, nor pile up in memory.
 */
export async function* ahead<T>(count: number, start: (index: number) => Promise<T>): AsyncGenerator<T> {
  const running: Promise<T>[] = [];
  for (let next = 0; next < count || running.length > 0;) {
    for (; next < count && running.length <= AHEAD; next++) {
      const job = start(next);
      // Its failure is told when its turn comes; until then it must not count as unheard.
      job.catch(() => {});
      running.push(job);
    }
    yield await running.shift()!;
  }
}
