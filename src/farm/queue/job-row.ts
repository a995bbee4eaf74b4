import type { JobState, Lane, QueuedJob } from "./job-queue.ts";

/** Stands for "no due date" in an index: after all dates. */
export const NO_DUE = Number.MAX_SAFE_INTEGER;

/** A row of the table `job`, which has the same columns in all databases. Times are in ms since 1970, flags 0 or 1. */
export type Row = Record<string, unknown>;

/** Compares rows of ready jobs by the order in which they are claimed. */
export const byUrgency = (a: Row, b: Row): number =>
  Number(b["priority"]) - Number(a["priority"]) ||
  Number(a["due"] ?? NO_DUE) - Number(b["due"] ?? NO_DUE) ||
  Number(a["seq"]) - Number(b["seq"]);

const dateOf = (value: unknown): Date | undefined =>
  value === null || value === undefined ? undefined : new Date(Number(value));

const textOf = (value: unknown): string | undefined => (value === null ? undefined : String(value));

/** The job of a row of `job`. */
export function toJob(row: Row): QueuedJob {
  const createdAt = new Date(Number(row["created_at"]));
  const runAt = new Date(Number(row["run_at"]));
  const fraction = row["fraction"];
  const step = row["step"];
  const code = textOf(row["error_code"]);
  return {
    id: String(row["id"]),
    key: String(row["key"]),
    lane: row["lane"] as Lane,
    state: row["state"] as JobState,
    priority: Number(row["priority"]),
    due: row["due"] === NO_DUE ? undefined : dateOf(row["due"]),
    group: textOf(row["group_id"]),
    payload: JSON.parse(String(row["payload"])),
    attempt: Number(row["attempt"]),
    fence: Number(row["fence"]),
    maxAttempts: Number(row["max_attempts"]),
    worker: textOf(row["worker"]),
    isCancelling: row["state"] === "running" && row["cancel"] === 1,
    progress:
      fraction === null ? undefined : { fraction: Number(fraction), ...(step === null ? {} : { step: Number(step) }) },
    result: row["result"] === null ? undefined : JSON.parse(String(row["result"])),
    error: code === undefined ? undefined : { code, message: String(row["error_message"]) },
    createdAt,
    notBefore: runAt > createdAt ? runAt : undefined,
    startedAt: dateOf(row["started_at"]),
    endedAt: dateOf(row["ended_at"]),
  };
}
