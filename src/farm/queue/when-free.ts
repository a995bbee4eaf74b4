import { setTimeout as sleep } from "node:timers/promises";

/** How long a call waits for the lock before it fails. Other processes hold it for milliseconds, so somebody forgot a transaction. */
const MAX_BUSY_MS = 60_000;
const SQLITE_BUSY = 5;

/** Calls `work` until no other process holds the lock that it needs. The thread is free in between. */
export async function whenFree<T>(work: () => T): Promise<T> {
  const end = Date.now() + MAX_BUSY_MS;
  for (;;) {
    try {
      return work();
    } catch (thrown) {
      if (!isBusy(thrown) || Date.now() > end) throw thrown;
    }
    await sleep(10 * Math.random());
  }
}

/** The low byte of the code is the kind of the error; Bun, Deno and Node.js name the field alike. */
const isBusy = (thrown: unknown): boolean =>
  ((thrown as { readonly errcode?: number }).errcode ?? 0) % 256 === SQLITE_BUSY ||
  /database is locked/.test(String(thrown));
