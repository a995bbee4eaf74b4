import { excerpt, notFound, operationFailed } from "../../core/api-error.ts";
import { newId, parseId } from "../../core/id.ts";
import { ChangeSignal } from "./change-signal.ts";
import {
  type JobClaim,
  type JobCount,
  type JobError,
  type JobFilter,
  type JobProgress,
  type JobQueue,
  type JobState,
  LANES,
  LEASE_MS,
  type Lane,
  type NewJob,
  type QueuedJob,
  type Slots,
  type SubmittedJob,
  type Verdict,
  maxAttemptsOf,
  payloadText,
  retryDelayMs,
} from "./job-queue.ts";
import { type Row, byUrgency, toJob } from "./job-row.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import { type Listener, PostgresConnections } from "./postgres-connections.ts";
import { CHANNEL, JOB_COLUMNS, type Sql, prepareTables } from "./postgres-schema.ts";
import { mayPassOnceAnswered, withReconnect } from "./reconnect.ts";
import { Tickets } from "./tickets.ts";

const DEFAULT_LIMIT = 100;
/** Expired leases that one claim looks through, and rows that one transaction deletes. */
const LOT = 1000;

/**
 * Opens the queue in a PostgreSQL database, and makes its tables there if they are missing. pg-boss gives ready jobs out: it has a ticket, with the id of the
 * job, for each that is ready or running. The table `job` beside it holds all that pg-boss does not know: keys, leases, progress, wishes to end, results. Both change in one
 * transaction.
 */
export async function openPostgresQueue(
  address: PostgresAddress,
  { leaseMs = LEASE_MS }: { readonly leaseMs?: number } = {},
): Promise<JobQueue> {
  const connections = await PostgresConnections.load(address);
  const tickets = await Tickets.load(connections);
  const queue = new PostgresQueue(connections, tickets, address.shown, leaseMs);
  try {
    // An address that nobody answers at is probably wrong: a person waits for the answer.
    await withReconnect(address.shown, () => queue.start(), mayPassOnceAnswered);
  } catch (thrown) {
    await queue.close();
    throw thrown;
  }
  return queue;
}

class PostgresQueue implements JobQueue {
  readonly #connections: PostgresConnections;
  readonly #tickets: Tickets;
  readonly #shown: string;
  readonly #leaseMs: number;
  readonly #changes = new ChangeSignal();
  #listener: Listener | undefined;

  constructor(connections: PostgresConnections, tickets: Tickets, shown: string, leaseMs: number) {
    this.#connections = connections;
    this.#tickets = tickets;
    this.#shown = shown;
    this.#leaseMs = leaseMs;
  }

  async start(): Promise<void> {
    await this.#tickets.start();
    await this.#connections.transaction(prepareTables);
  }

  async submit(jobs: readonly NewJob[]): Promise<SubmittedJob[]> {
    const rows = jobs.map((job) => ({
      id: newId(),
      key: job.key,
      lane: job.lane,
      priority: job.priority ?? 0,
      due: job.due ?? null,
      group_id: job.group ?? null,
      payload: payloadText(job),
      max_attempts: maxAttemptsOf(job),
    }));
    return this.#transaction(async (sql) => {
      const added = await all(
        sql,
        `INSERT INTO printwright.job (id, key, lane, priority, due, group_id, payload, max_attempts)
         SELECT id, key, lane, priority, due, group_id, payload, max_attempts FROM json_to_recordset($1::text::json)
           AS x (id uuid, key text, lane text, priority int, due timestamptz, group_id text, payload text, max_attempts int)
         ON CONFLICT (key) WHERE state IN ('ready', 'running', 'done') DO NOTHING RETURNING id`,
        [JSON.stringify(rows)],
      );
      const isNew = new Set(added.map(({ id }) => String(id)));
      for (const lane of LANES) {
        await this.#tickets.add(
          sql,
          lane,
          rows.filter((row) => row.lane === lane && isNew.has(row.id)),
        );
      }
      const keys = rows.filter((row) => !isNew.has(row.id)).map(({ key }) => key);
      const existing = await all(
        sql,
        "SELECT key, id FROM printwright.job WHERE key = ANY($1) AND state IN ('ready', 'running', 'done')",
        [keys],
      );
      const idOf = new Map(existing.map(({ key, id }) => [String(key), String(id)]));
      return rows.map(({ id, key }) =>
        isNew.has(id) ? { id, isNew: true } : { id: idOf.get(key) ?? id, isNew: false },
      );
    });
  }

  async claim(worker: string, slots: Slots): Promise<QueuedJob[]> {
    const wanted = LANES.map((lane): [Lane, number] => [lane, slots[lane] ?? 0]).filter(([, count]) => count > 0);
    const { ready, expired } = await this.#waiting(wanted.map(([lane]) => lane));
    if (expired) await this.#transaction((sql) => this.#reap(sql));
    if (!ready && !expired) return [];
    return this.#transaction(async (sql) => {
      const claimed = [];
      for (const [lane, count] of wanted) claimed.push(...(await this.#claimLane(sql, worker, lane, count)));
      return claimed;
    });
  }

  /** Whether jobs are ready, and whether leases ran out. Waiting workers ask often: one statement is cheaper than a claim of nothing. */
  async #waiting(lanes: readonly Lane[]): Promise<{ ready: boolean; expired: boolean }> {
    const [row] = await this.#all(
      `SELECT EXISTS (SELECT 1 FROM printwright.job WHERE state = 'ready' AND lane = ANY($1) AND run_at <= now()) AS ready,
         EXISTS (SELECT 1 FROM printwright.job WHERE state = 'running' AND lease_until < now()) AS expired`,
      [lanes],
    );
    return { ready: row?.["ready"] === true, expired: row?.["expired"] === true };
  }

  /** Ends the attempts whose lease ran out. */
  async #reap(sql: Sql): Promise<void> {
    const rows = await all(
      sql,
      `UPDATE printwright.job SET
         state = CASE WHEN cancel THEN 'cancelled' WHEN attempt >= max_attempts THEN 'dead' ELSE 'ready' END,
         ended_at = CASE WHEN cancel OR attempt >= max_attempts THEN now() END,
         error_code = 'TIMED_OUT', error_message = 'The worker ' || worker || ' was not heard of for the length of its lease.',
         lease_until = NULL, run_at = now()
       WHERE seq IN (SELECT seq FROM printwright.job WHERE state = 'running' AND lease_until < now() LIMIT ${LOT} FOR UPDATE SKIP LOCKED)
       RETURNING ${ENDED_COLUMNS}`,
    );
    for (const row of rows) await this.#settleTicket(sql, row);
  }

  async #claimLane(sql: Sql, worker: string, lane: Lane, count: number): Promise<QueuedJob[]> {
    const ids = await this.#tickets.take(sql, lane, count);
    if (ids.length === 0) return [];
    const rows = await all(
      sql,
      `UPDATE printwright.job SET state = 'running', attempt = attempt + 1, fence = fence + 1, worker = $2,
         lease_until = now() + $3 * interval '1 ms', started_at = now(), cancel = false, fraction = NULL, step = NULL
       WHERE id = ANY($1) AND state = 'ready' RETURNING ${JOB_COLUMNS}`,
      [ids, worker, this.#leaseMs],
    );
    // RETURNING has no order.
    return rows.sort(byUrgency).map(toJob);
  }

  async beat(claim: JobClaim, progress?: JobProgress): Promise<"running" | "cancel" | "lost"> {
    const [row] = await this.#all(
      `UPDATE printwright.job SET lease_until = now() + $3 * interval '1 ms', fraction = coalesce($4, fraction), step = coalesce($5, step)
       WHERE ${IS_CLAIMED} RETURNING cancel`,
      [claim.id, claim.fence, this.#leaseMs, progress?.fraction ?? null, progress?.step ?? null],
    );
    if (!row) return "lost";
    return row["cancel"] === true ? "cancel" : "running";
  }

  async finish(claim: JobClaim, result: unknown): Promise<boolean> {
    const change =
      "state = 'done', result = $3, error_code = NULL, error_message = NULL, fraction = 1, ended_at = now()";
    if (await this.#endAttempt(claim, change, [JSON.stringify(result ?? null)])) return true;
    // The connection may have broken after the first try took effect.
    const text = "SELECT 1 FROM printwright.job WHERE id = $1 AND fence = $2 AND state = 'done'";
    return (await this.#all(text, [claim.id, claim.fence])).length > 0;
  }

  fail(claim: JobClaim, verdict: Verdict): Promise<boolean> {
    switch (verdict.kind) {
      case "retry":
        return this.#retryLater(claim, verdict.error, verdict.delayMs);
      case "give-back":
        return this.#endAttempt(claim, `${READY_OR_CANCELLED}, attempt = attempt - 1, run_at = now()`);
      case "cancelled":
        return this.#endAttempt(claim, "state = 'cancelled', ended_at = now()");
      default:
        return this.#endAttempt(claim, "state = $3, error_code = $4, error_message = $5, ended_at = now()", [
          verdict.kind,
          verdict.error.code,
          verdict.error.message,
        ]);
    }
  }

  #retryLater(claim: JobClaim, error: JobError, delayMs: number | undefined): Promise<boolean> {
    const change = `state = CASE WHEN cancel THEN 'cancelled' WHEN attempt >= max_attempts THEN 'dead' ELSE 'ready' END,
      ended_at = CASE WHEN cancel OR attempt >= max_attempts THEN now() END,
      error_code = $3, error_message = $4,
      run_at = now() + coalesce($5::float8, $6::float8 * 4 ^ (attempt - 1)) * interval '1 ms'`;
    return this.#endAttempt(claim, change, [error.code, error.message, delayMs ?? null, retryDelayMs(1)]);
  }

  /** Changes a running job and its ticket, if the claim is the newest. `change` is a list of `column = value`, whose parameters begin with $3. */
  #endAttempt(claim: JobClaim, change: string, values: readonly unknown[] = []): Promise<boolean> {
    return this.#transaction(async (sql) => {
      const [row] = await all(
        sql,
        `UPDATE printwright.job SET ${change}, lease_until = NULL WHERE ${IS_CLAIMED}
         RETURNING ${ENDED_COLUMNS}`,
        [claim.id, claim.fence, ...values],
      );
      if (row) await this.#settleTicket(sql, row);
      return row !== undefined;
    });
  }

  /** After the end of an attempt. */
  async #settleTicket(sql: Sql, row: Row): Promise<void> {
    const { state, lane, id, ...job } = toJob(row);
    if (state === "ready") await this.#tickets.giveBack(sql, lane, { id, ...job }, Number(row["delay_s"]));
    else await this.#tickets.remove(sql, lane, id);
  }

  cancel(id: string): Promise<QueuedJob> {
    return this.#transaction(async (sql) => {
      const job = await this.#existing(sql, id);
      if (job.state === "ready") {
        await sql.executeSql("UPDATE printwright.job SET state = 'cancelled', ended_at = now() WHERE id = $1", [
          job.id,
        ]);
        await this.#tickets.remove(sql, job.lane, job.id);
      } else if (job.state === "running") {
        await sql.executeSql("UPDATE printwright.job SET cancel = true WHERE id = $1", [job.id]);
      }
      return this.#existing(sql, id);
    });
  }

  retry(id: string): Promise<QueuedJob> {
    return this.#transaction(async (sql) => {
      const job = await this.#existing(sql, id);
      if (job.endedAt === undefined)
        throw operationFailed(`The job ${id} is ${job.state}: only a job that ended can be run again.`);
      const [other] = await all(
        sql,
        "SELECT id FROM printwright.job WHERE key = $1 AND id <> $2 AND state IN ('ready', 'running', 'done')",
        [job.key, job.id],
      );
      if (other)
        throw operationFailed(`The job ${String(other["id"])} does the same as the job ${id}: look at that one.`);
      await sql.executeSql(
        `UPDATE printwright.job SET state = 'ready', attempt = 0, run_at = now(), cancel = false, fraction = NULL, step = NULL,
           result = NULL, error_code = NULL, error_message = NULL, ended_at = NULL WHERE id = $1`,
        [job.id],
      );
      await this.#tickets.add(sql, job.lane, [job]);
      return this.#existing(sql, id);
    });
  }

  /** Locks the row of the job until the transaction ends. */
  async #existing(sql: Sql, id: string): Promise<QueuedJob> {
    const text = `SELECT ${JOB_COLUMNS} FROM printwright.job WHERE id = $1 FOR UPDATE`;
    const [row] = await all(sql, text, [parseId(id) ?? null]);
    if (!row) throw notFound(`The queue has no job ${excerpt(id)}: list the jobs to see their ids.`);
    return toJob(row);
  }

  async list(filter: JobFilter = {}): Promise<QueuedJob[]> {
    const { state = null, lane = null, group = null, limit = DEFAULT_LIMIT } = filter;
    const rows = await this.#all(
      `SELECT ${JOB_COLUMNS} FROM printwright.job WHERE ($1::text IS NULL OR state = $1) AND ($2::text IS NULL OR lane = $2)
         AND ($3::text IS NULL OR group_id = $3) ORDER BY job.seq DESC LIMIT $4`,
      [state, lane, group, limit],
    );
    return rows.map(toJob);
  }

  async get(id: string): Promise<QueuedJob | undefined> {
    const rows = await this.#all(`SELECT ${JOB_COLUMNS} FROM printwright.job WHERE id = $1`, [parseId(id) ?? null]);
    return rows.map(toJob)[0];
  }

  async count(): Promise<JobCount[]> {
    const rows = await this.#all(
      "SELECT lane, state, count(*) AS count, min(created_at) AS oldest FROM printwright.job GROUP BY lane, state ORDER BY lane, state",
    );
    return rows.map(({ lane, state, count, oldest }) => ({
      lane: lane as Lane,
      state: state as JobState,
      count: Number(count),
      oldest: oldest as Date,
    }));
  }

  watch(): (timeoutMs: number, signal?: AbortSignal) => Promise<void> {
    this.#listener ??= this.#connections.listen(CHANNEL, () => this.#changes.tell());
    return this.#changes.watch();
  }

  async removeEnded(ms: number): Promise<number> {
    let total = 0;
    for (;;) {
      const removed = await this.#all(
        `DELETE FROM printwright.job WHERE seq IN (SELECT seq FROM printwright.job WHERE ended_at < now() - $1 * interval '1 ms'
           LIMIT ${LOT}) RETURNING 1`,
        [ms],
      );
      total += removed.length;
      if (removed.length < LOT) return total;
    }
  }

  async close(): Promise<void> {
    await this.#listener?.close();
    await this.#tickets.close();
    await this.#connections.close();
  }

  #all(text: string, values?: unknown[]): Promise<Row[]> {
    return withReconnect(this.#shown, () => all(this.#connections, text, values));
  }

  #transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return withReconnect(this.#shown, () => this.#connections.transaction(work));
  }
}

/** The columns of a job whose attempt ended, and the seconds until its next one may begin. */
const ENDED_COLUMNS = `${JOB_COLUMNS}, extract(epoch FROM run_at - now())::float8 AS delay_s`;
/** Of an attempt: its claim is the newest, and it has not ended. */
const IS_CLAIMED = "id = $1 AND fence = $2 AND state = 'running'";
const READY_OR_CANCELLED =
  "state = CASE WHEN cancel THEN 'cancelled' ELSE 'ready' END, ended_at = CASE WHEN cancel THEN now() END";

const all = async (sql: Sql, text: string, values?: unknown[]): Promise<Row[]> =>
  (await sql.executeSql(text, values)).rows;
