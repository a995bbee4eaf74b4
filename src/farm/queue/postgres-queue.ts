import { excerpt, notFound, operationFailed } from "../../core/api-error.ts";
import { newId, parseId } from "../../core/id.ts";
import { ChangeSignal } from "./change-signal.ts";
import {
  type JobChange,
  type JobClaim,
  type JobCount,
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
} from "./job-queue.ts";
import { type Row, toJob } from "./job-row.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import { PostgresAttempts } from "./postgres-attempts.ts";
import { type Listener, PostgresConnections } from "./postgres-connections.ts";
import { CHANNEL, JOB_COLUMNS, type Sql, changeOf, prepareTables, rowsOf } from "./postgres-schema.ts";
import { mayPassOnceAnswered, withReconnect } from "./reconnect.ts";
import { Tickets } from "./tickets.ts";

const DEFAULT_LIMIT = 100;
/** Rows that one transaction deletes. */
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
  readonly #attempts: PostgresAttempts;
  readonly #changes = new ChangeSignal<JobChange>();
  #listener: Listener | undefined;

  constructor(connections: PostgresConnections, tickets: Tickets, shown: string, leaseMs: number) {
    this.#connections = connections;
    this.#tickets = tickets;
    this.#shown = shown;
    this.#attempts = new PostgresAttempts(tickets, leaseMs);
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
      const added = await rowsOf(
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
      if (isNew.size === rows.length) return rows.map(({ id }) => ({ id, isNew: true }));
      const keys = rows.filter((row) => !isNew.has(row.id)).map(({ key }) => key);
      const existing = await rowsOf(
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
    if (expired) await this.#transaction((sql) => this.#attempts.reap(sql));
    if (!ready && !expired) return [];
    return this.#transaction(async (sql) => {
      const claimed = [];
      for (const [lane, count] of wanted) claimed.push(...(await this.#attempts.begin(sql, worker, lane, count)));
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

  beat(claim: JobClaim, progress?: JobProgress): Promise<"running" | "cancel" | "lost"> {
    return this.#run((sql) => this.#attempts.beat(sql, claim, progress));
  }

  finish(claim: JobClaim, result: unknown): Promise<boolean> {
    return this.#transaction((sql) => this.#attempts.finish(sql, claim, result));
  }

  fail(claim: JobClaim, verdict: Verdict): Promise<boolean> {
    return this.#transaction((sql) => this.#attempts.fail(sql, claim, verdict));
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
      const [other] = await rowsOf(
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
    const [row] = await rowsOf(sql, text, [parseId(id) ?? null]);
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

  watch(kind?: JobChange): (timeoutMs: number, signal?: AbortSignal) => Promise<void> {
    this.#listener ??= this.#connections.listen(CHANNEL, (state) => this.#changes.tell(changeOf(state)));
    return this.#changes.watch(kind);
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
    return this.#run((sql) => rowsOf(sql, text, values));
  }

  #run<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return withReconnect(this.#shown, () => work(this.#connections));
  }

  #transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    return withReconnect(this.#shown, () => this.#connections.transaction(work));
  }
}
