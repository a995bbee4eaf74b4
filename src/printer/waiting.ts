import { setTimeout as sleep } from "node:timers/promises";
import { CancelledError } from "../core/progress.ts";

/** Waits for `ms`, or until the signal is aborted; for that alone where `ms` is infinite. */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted) return;
  if (Number.isFinite(ms)) await sleep(ms, undefined, { signal }).catch(() => {});
  else await new Promise<void>((resolve) => signal?.addEventListener("abort", () => resolve()));
}

/** What `work` resolves to. Rejects with `late` after `ms`. */
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

/** What `work` resolves to. Throws `CancelledError` as soon as the signal is aborted; what goes on then is nobody's any more. */
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
