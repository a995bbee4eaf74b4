import { isRecord } from "../../core/json.ts";
import type { QueuedJob } from "./job-queue.ts";

/** A job as programs get it: by HTTP, and from commands with `--json`. Fields without a value are left out; times are in ISO 8601. */
export function jobOnWire(job: QueuedJob) {
  const { id, key, lane, state, priority, group, attempt, worker, progress, result, error, isCancelling } = job;
  return {
    id,
    key,
    lane,
    state,
    priority,
    ...(job.due && { due: job.due.toISOString() }),
    ...(group !== undefined && { group }),
    attempt,
    max_attempts: job.maxAttempts,
    ...(worker !== undefined && { worker }),
    ...(isCancelling && { is_cancelling: true as const }),
    ...(progress && { progress: progress.fraction }),
    ...(progress?.step !== undefined && { step: progress.step }),
    ...(isRecord(result) && { result }),
    ...(error && { error: { ...error } }),
    created_at: job.createdAt.toISOString(),
    ...(job.notBefore && { not_before: job.notBefore.toISOString() }),
    ...(job.startedAt && { started_at: job.startedAt.toISOString() }),
    ...(job.endedAt && { ended_at: job.endedAt.toISOString() }),
  };
}
