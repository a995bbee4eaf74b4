import {
  type JobClaim,
  type JobError,
  type JobProgress,
  type Lane,
  type QueuedJob,
  type Verdict,
  retryDelayMs,
} from "./job-queue.ts";
import { type Row, byUrgency, toJob } from "./job-row.ts";
import { JOB_COLUMNS, type Sql, rowsOf } from "./postgres-schema.ts";
import type { Tickets } from "./tickets.ts";

/** Expired leases that one call looks through. */
const LOT = 1000;

/** The columns of a job whose attempt ended, and the seconds until its next one may begin. */
const ENDED_COLUMNS = `${JOB_COLUMNS}, extract(epoch FROM run_at - now())::float8 AS delay_s`;
/** Of an attempt: its claim is the newest, and it has not ended. */
const IS_CLAIMED = "id = $1 AND fence = $2 AND state = 'running'";
const READY_OR_CANCELLED =
  "state = CASE WHEN cancel THEN 'cancelled' ELSE 'ready' END, ended_at = CASE WHEN cancel THEN now() END";
/** After an attempt that failed. */
const NEXT_OR_ENDED = `state = CASE WHEN cancel THEN 'cancelled' WHEN attempt >= max_attempts THEN 'dead' ELSE 'ready' END,
  ended_at = CASE WHEN cancel OR attempt >= max_attempts THEN now() END`;

/** The attempts of jobs in PostgreSQL. Each call but `beat` changes jobs and their tickets, so `sql` is a transaction. */
export class PostgresAttempts {
  readonly #tickets: Tickets;
  readonly #leaseMs: number;

  constructor(tickets: Tickets, leaseMs: number) {
    this.#tickets = tickets;
    this.#leaseMs = leaseMs;
  }

  /** Gives `worker` at most `count` ready jobs of a lane. */
  async begin(sql: Sql, worker: string, lane: Lane, count: number): Promise<QueuedJob[]> {
    const ids = await this.#tickets.take(sql, lane, count);
    if (ids.length === 0) return [];
    const rows = await rowsOf(
      sql,
      `UPDATE printwright.job SET state = 'running', attempt = attempt + 1, fence = fence + 1, worker = $2,
         lease_until = now() + $3 * interval '1 ms', started_at = now(), cancel = false, fraction = NULL, step = NULL
       WHERE id = ANY($1) AND state = 'ready' RETURNING ${JOB_COLUMNS}`,
      [ids, worker, this.#leaseMs],
    );
    // RETURNING has no order.
    return rows.sort(byUrgency).map(toJob);
  }

  /** As `JobQueue.beat`. */
  async beat(sql: Sql, claim: JobClaim, progress?: JobProgress): Promise<"running" | "cancel" | "lost"> {
    const [row] = await rowsOf(
      sql,
      `UPDATE printwright.job SET lease_until = now() + $3 * interval '1 ms', fraction = coalesce($4, fraction), step = coalesce($5, step)
       WHERE ${IS_CLAIMED} RETURNING cancel`,
      [claim.id, claim.fence, this.#leaseMs, progress?.fraction ?? null, progress?.step ?? null],
    );
    if (!row) return "lost";
    return row["cancel"] === true ? "cancel" : "running";
  }

  /** As `JobQueue.finish`. */
  async finish(sql: Sql, claim: JobClaim, result: unknown): Promise<boolean> {
    const change =
      "state = 'done', result = $3, error_code = NULL, error_message = NULL, fraction = 1, ended_at = now()";
    if (await this.#end(sql, claim, change, [JSON.stringify(result ?? null)])) return true;
    // The connection may have broken after the first try took effect.
    const text = "SELECT 1 FROM printwright.job WHERE id = $1 AND fence = $2 AND state = 'done'";
    return (await rowsOf(sql, text, [claim.id, claim.fence])).length > 0;
  }

  /** As `JobQueue.fail`. */
  fail(sql: Sql, claim: JobClaim, verdict: Verdict): Promise<boolean> {
    switch (verdict.kind) {
      case "retry":
        return this.#retryLater(sql, claim, verdict.error, verdict.delayMs);
      case "give-back":
        return this.#end(sql, claim, `${READY_OR_CANCELLED}, attempt = attempt - 1, run_at = now()`);
      case "cancelled":
        return this.#end(sql, claim, "state = 'cancelled', ended_at = now()");
      default:
        return this.#end(sql, claim, "state = $3, error_code = $4, error_message = $5, ended_at = now()", [
          verdict.kind,
          verdict.error.code,
          verdict.error.message,
        ]);
    }
  }

  /** Ends those whose lease ran out. */
  async reap(sql: Sql): Promise<void> {
    const rows = await rowsOf(
      sql,
      `UPDATE printwright.job SET ${NEXT_OR_ENDED},
         error_code = 'TIMED_OUT', error_message = 'The worker ' || worker || ' was not heard of for the length of its lease.',
         lease_until = NULL, run_at = now()
       WHERE seq IN (SELECT seq FROM printwright.job WHERE state = 'running' AND lease_until < now() LIMIT ${LOT} FOR UPDATE SKIP LOCKED)
       RETURNING ${ENDED_COLUMNS}`,
    );
    for (const row of rows) await this.#settleTicket(sql, row);
  }

  #retryLater(sql: Sql, claim: JobClaim, error: JobError, delayMs: number | undefined): Promise<boolean> {
    const change = `${NEXT_OR_ENDED}, error_code = $3, error_message = $4,
      run_at = now() + coalesce($5::float8, $6::float8 * 4 ^ (attempt - 1)) * interval '1 ms'`;
    return this.#end(sql, claim, change, [error.code, error.message, delayMs ?? null, retryDelayMs(1)]);
  }

  /** Changes a running job and its ticket, if the claim is the newest. `change` is a list of `column = value`, whose parameters begin with $3. */
  async #end(sql: Sql, claim: JobClaim, change: string, values: readonly unknown[] = []): Promise<boolean> {
    const [row] = await rowsOf(
      sql,
      `UPDATE printwright.job SET ${change}, lease_until = NULL WHERE ${IS_CLAIMED} RETURNING ${ENDED_COLUMNS}`,
      [claim.id, claim.fence, ...values],
    );
    if (row) await this.#settleTicket(sql, row);
    return row !== undefined;
  }

  async #settleTicket(sql: Sql, row: Row): Promise<void> {
    const { state, lane, id, ...job } = toJob(row);
    if (state === "ready") await this.#tickets.giveBack(sql, lane, { id, ...job }, Number(row["delay_s"]));
    else await this.#tickets.remove(sql, lane, id);
  }
}
