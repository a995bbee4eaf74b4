import { setTimeout as sleep } from "node:timers/promises";
import { ApiError } from "../../core/api-error.ts";
import { type JobClaim, type JobProgress, type JobQueue, LEASE_MS } from "../queue/job-queue.ts";

/** Why an attempt is to end before its steps. */
export type StopReason = "cancelled" | "lost" | "drained" | "late";

/** The lease of an attempt, which is extended until `close`. */
export interface Lease {
  /** What the next beat says of the progress. */
  report(progress: JobProgress): void;
  close(): Promise<void>;
}

/** A beat waits at least so long after the last one, so that changes of other jobs cost little. */
const MIN_BEAT_MS = 1000;

/**
 * Extends a lease until it is closed: each third of it, and when the queue changes, since that may be a cancel. Calls `stop` once the job
 * is cancelled or the lease is lost. While the queue is not reached it tries again.
 */
export function keepLease(
  queue: JobQueue,
  claim: JobClaim,
  stop: (reason: StopReason) => void,
  leaseMs: number = LEASE_MS,
): Lease {
  const closing = new AbortController();
  const { signal } = closing;
  let progress: JobProgress | undefined;
  const beatMs = leaseMs / 3;
  const changed = queue.watch();
  async function keep(): Promise<void> {
    while (!signal.aborted) {
      await sleep(Math.min(MIN_BEAT_MS, beatMs), undefined, { signal }).catch(() => {});
      try {
        if (!signal.aborted) await changed(Math.max(0, beatMs - MIN_BEAT_MS), signal);
        if (signal.aborted) return;
        const answer = await queue.beat(claim, progress);
        if (answer !== "running") stop(answer === "cancel" ? "cancelled" : "lost");
        if (answer === "lost") return;
      } catch {
        // The queue is not reached: whether the lease is lost is decided when the attempt ends.
      }
    }
  }
  const kept = keep();
  return {
    report: (next) => void (progress = next),
    async close() {
      closing.abort();
      await kept;
    },
  };
}

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

/**
 * Repeats a call of the queue or the store until it succeeds, with pauses of 1 to 30 s, or until `signal` is aborted or `tries` are over;
 * then throws its error. What does not pass, by default wrong input, is thrown at once. `onFailure` gets the error of each pause.
 */
export async function untilReached<T>(
  call: () => Promise<T>,
  { signal, tries = Number.POSITIVE_INFINITY, isPassing = isNotWrong, onFailure }: Patience = {},
): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await call();
    } catch (thrown) {
      if (!isPassing(thrown) || signal?.aborted || tried >= tries) throw thrown;
      onFailure?.(thrown as Error);
      const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (tried - 1)) * (0.5 + Math.random());
      await sleep(pauseMs, undefined, { signal }).catch(() => {});
    }
  }
}

const isNotWrong = (thrown: unknown): boolean => !(thrown instanceof ApiError) || thrown.code === "OPERATION_FAILED";

interface Patience {
  readonly signal?: AbortSignal;
  readonly tries?: number;
  readonly isPassing?: (thrown: unknown) => boolean;
  readonly onFailure?: (error: Error) => void;
}
