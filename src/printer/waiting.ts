import { setTimeout as sleep } from "node:timers/promises";
import { CancelledError } from "../core/progress.ts";

/** Waits for `ms`, or until the signal is aborted; for an infinite `ms`, until the signal is aborted. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  if (Number.isFinite(ms)) await sleep(ms, undefined, { signal }).catch(() => {});
  else await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
}

/** The result of `work`. Rejects with the message `late` after `ms`. */
export async function withinTime<T>(work: Promise<T>, ms: number, late: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(late)), ms);
  });
  try {
    return await Promise.race([work, timeout]);
  } finally {
    clearTimeout(timer);
  }
}

/** The result of `work`. Throws `CancelledError` as soon as the signal is aborted; the outcome of work that continues then is ignored. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {});
  if (signal.aborted) throw new CancelledError();
  let cancel = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    cancel = () => reject(new CancelledError());
    signal.addEventListener("abort", cancel);
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}
