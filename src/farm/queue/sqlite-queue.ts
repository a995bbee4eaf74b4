import { excerpt, notFound, operationFailed } from "../../core/api-error.ts";
import { newId, parseId } from "../../core/id.ts";
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
import { NO_DUE, byUrgency, toJob } from "./job-row.ts";
import { type SqliteFile, openSqliteFile } from "./sqlite-file.ts";

/** How often a waiting process looks for changes of others. Reading the counter of the file takes microseconds. */
const POLL_MS = 20;
const DEFAULT_LIMIT = 100;
/** The leases that one call looks through, and the rows that one transaction deletes: a bound on how long others wait. */
const LOT = 1000;

interface SqliteQueueOptions {
  readonly leaseMs?: number;
}

/** Opens the queue in a SQLite file, which is made if it is missing: see {@link openSqliteFile}. */
export async function openSqliteQueue(path: string, options: SqliteQueueOptions = {}): Promise<JobQueue> {
  return new SqliteQueue(await openSqliteFile(path), options.leaseMs ?? LEASE_MS);
}

class SqliteQueue implements JobQueue {
  readonly #file: SqliteFile;
  readonly #leaseMs: number;

  constructor(file: SqliteFile, leaseMs: number) {
    this.#file = file;
    this.#leaseMs = leaseMs;
  }

  async submit(jobs: readonly NewJob[]): Promise<SubmittedJob[]> {
    const payloads = jobs.map(payloadText);
    return this.#file.write(() => jobs.map((job, index) => this.#submitOne(job, payloads[index] ?? "")));
  }

  #submitOne(job: NewJob, payload: string): SubmittedJob {
    const id = newId();
    const now = Date.now();
    const due = job.due?.getTime() ?? NO_DUE;
    const added = this.#file.run(
      `INSERT INTO job (id, key, lane, priority, due, group_id, payload, max_attempts, run_at, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (key) WHERE state IN ('ready', 'running', 'done') DO NOTHING`,
      [id, job.key, job.lane, job.priority ?? 0, due, job.group ?? null, payload, maxAttemptsOf(job), now, now],
    );
    if (added > 0) return { id, isNew: true };
    const [row] = this.#file.all("SELECT id FROM job WHERE key = ? AND state IN ('ready', 'running', 'done')", [
      job.key,
    ]);
    return { id: String(row?.["id"]), isNew: false };
  }

  async claim(worker: string, slots: Slots): Promise<QueuedJob[]> {
    const wanted = LANES.map((lane): [Lane, number] => [lane, slots[lane] ?? 0]).filter(([, count]) => count > 0);
    // Workers that wait ask often: only those that find work take the lock of writers.
    if (!this.#hasExpired() && !wanted.some(([lane]) => this.#hasReady(lane))) return [];
    return this.#file.write(() => {
      this.#reap();
      return wanted.flatMap(([lane, count]) => this.#claimLane(worker, lane, count));
    });
  }

  #hasExpired(): boolean {
    return (
      this.#file.all("SELECT 1 FROM job WHERE state = 'running' AND lease_until < ? LIMIT 1", [Date.now()]).length > 0
    );
  }

  #hasReady(lane: Lane): boolean {
    const sql = "SELECT 1 FROM job WHERE state = 'ready' AND lane = ? AND run_at <= ? LIMIT 1";
    return this.#file.all(sql, [lane, Date.now()]).length > 0;
  }

  #claimLane(worker: string, lane: Lane, count: number): QueuedJob[] {
    const now = Date.now();
    const rows = this.#file.all(
      `UPDATE job SET state = 'running', attempt = attempt + 1, fence = fence + 1, worker = ?, lease_until = ?, started_at = ?,
         cancel = 0, fraction = NULL, step = NULL
       WHERE seq IN (SELECT seq FROM job WHERE state = 'ready' AND lane = ? AND run_at <= ? ORDER BY priority DESC, due, seq LIMIT ?)
       RETURNING *`,
      [worker, now + this.#leaseMs, now, lane, now, count],
    );
    // RETURNING has no order.
    return rows.sort(byUrgency).map(toJob);
  }

  /** Ends the attempts whose lease ran out. */
  #reap(): void {
    const now = Date.now();
    this.#file.run(
      `UPDATE job SET
         state = CASE WHEN cancel THEN 'cancelled' WHEN attempt >= max_attempts THEN 'dead' ELSE 'ready' END,
         ended_at = CASE WHEN cancel OR attempt >= max_attempts THEN ? END,
         error_code = 'TIMED_OUT', error_message = 'The worker ' || worker || ' was not heard of for the length of its lease.',
         lease_until = NULL, run_at = ?
       WHERE seq IN (SELECT seq FROM job WHERE state = 'running' AND lease_until < ? LIMIT ${LOT})`,
      [now, now, now],
    );
  }

  async beat(claim: JobClaim, progress?: JobProgress): Promise<"running" | "cancel" | "lost"> {
    const [row] = await this.#file.write(() =>
      this.#file.all(
        `UPDATE job SET lease_until = ?, fraction = coalesce(?, fraction), step = coalesce(?, step)
         WHERE ${IS_CLAIMED} RETURNING cancel`,
        [Date.now() + this.#leaseMs, progress?.fraction ?? null, progress?.step ?? null, claim.id, claim.fence],
      ),
    );
    if (!row) return "lost";
    return row["cancel"] ? "cancel" : "running";
  }

  async finish(claim: JobClaim, result: unknown): Promise<boolean> {
    const sql = `UPDATE job SET state = 'done', result = ?, error_code = NULL, error_message = NULL, fraction = 1, ended_at = ?,
      lease_until = NULL WHERE ${IS_CLAIMED}`;
    return this.#file.write(
      () =>
        this.#file.run(sql, [JSON.stringify(result ?? null), Date.now(), claim.id, claim.fence]) > 0 ||
        this.#file.all("SELECT 1 FROM job WHERE id = ? AND fence = ? AND state = 'done'", [claim.id, claim.fence])
          .length > 0,
    );
  }

  async fail(claim: JobClaim, verdict: Verdict): Promise<boolean> {
    return this.#file.write(() => {
      switch (verdict.kind) {
        case "retry":
          return this.#retryLater(claim, verdict.error, verdict.delayMs);
        case "give-back":
          return (
            this.#file.run(
              `UPDATE job SET state = CASE WHEN cancel THEN 'cancelled' ELSE 'ready' END, ended_at = CASE WHEN cancel THEN ? END,
                 attempt = attempt - 1, lease_until = NULL WHERE ${IS_CLAIMED}`,
              [Date.now(), claim.id, claim.fence],
            ) > 0
          );
        case "cancelled":
          return this.#end(claim, "cancelled");
        default:
          return this.#end(claim, verdict.kind, verdict.error);
      }
    });
  }

  #retryLater(claim: JobClaim, error: JobError, delayMs: number | undefined): boolean {
    const [row] = this.#file.all(`SELECT attempt, max_attempts FROM job WHERE ${IS_CLAIMED}`, [claim.id, claim.fence]);
    if (!row) return false;
    const attempt = Number(row["attempt"]);
    if (attempt >= Number(row["max_attempts"])) return this.#end(claim, "dead", error);
    const runAt = Math.round(Date.now() + (delayMs ?? retryDelayMs(attempt)));
    return (
      this.#file.run(
        `UPDATE job SET state = CASE WHEN cancel THEN 'cancelled' ELSE 'ready' END, ended_at = CASE WHEN cancel THEN ? END,
           run_at = ?, error_code = ?, error_message = ?, lease_until = NULL WHERE ${IS_CLAIMED}`,
        [Date.now(), runAt, error.code, error.message, claim.id, claim.fence],
      ) > 0
    );
  }

  #end(claim: JobClaim, state: JobState, error?: JobError): boolean {
    const sql = `UPDATE job SET state = ?, error_code = ?, error_message = ?, ended_at = ?, lease_until = NULL WHERE ${IS_CLAIMED}`;
    return (
      this.#file.run(sql, [state, error?.code ?? null, error?.message ?? null, Date.now(), claim.id, claim.fence]) > 0
    );
  }

  async cancel(id: string): Promise<QueuedJob> {
    return this.#file.write(() => {
      const job = this.#existing(id);
      const now = Date.now();
      this.#file.run("UPDATE job SET state = 'cancelled', ended_at = ? WHERE id = ? AND state = 'ready'", [
        now,
        job.id,
      ]);
      this.#file.run("UPDATE job SET cancel = 1 WHERE id = ? AND state = 'running'", [job.id]);
      return this.#existing(id);
    });
  }

  async retry(id: string): Promise<QueuedJob> {
    return this.#file.write(() => {
      const job = this.#existing(id);
      if (job.endedAt === undefined)
        throw operationFailed(`The job ${id} is ${job.state}: only a job that ended can be run again.`);
      const sql = "SELECT id FROM job WHERE key = ? AND id <> ? AND state IN ('ready', 'running', 'done')";
      const [other] = this.#file.all(sql, [job.key, job.id]);
      if (other)
        throw operationFailed(`The job ${String(other["id"])} does the same as the job ${id}: look at that one.`);
      this.#file.run(
        `UPDATE job SET state = 'ready', attempt = 0, run_at = ?, cancel = 0, fraction = NULL, step = NULL, result = NULL,
           error_code = NULL, error_message = NULL, ended_at = NULL WHERE id = ?`,
        [Date.now(), job.id],
      );
      return this.#existing(id);
    });
  }

  #existing(id: string): QueuedJob {
    const [row] = this.#file.all("SELECT * FROM job WHERE id = ?", [parseId(id) ?? null]);
    if (!row) throw notFound(`The queue has no job ${excerpt(id)}: list the jobs to see their ids.`);
    return toJob(row);
  }

  async list(filter: JobFilter = {}): Promise<QueuedJob[]> {
    const { state = null, lane = null, group = null, limit = DEFAULT_LIMIT } = filter;
    const sql = `SELECT * FROM job WHERE (?1 IS NULL OR state = ?1) AND (?2 IS NULL OR lane = ?2) AND (?3 IS NULL OR group_id = ?3)
      ORDER BY seq DESC LIMIT ?4`;
    return this.#file.all(sql, [state, lane, group, limit]).map(toJob);
  }

  async get(id: string): Promise<QueuedJob | undefined> {
    return this.#file.all("SELECT * FROM job WHERE id = ?", [parseId(id) ?? null]).map(toJob)[0];
  }

  async count(): Promise<JobCount[]> {
    const rows = this.#file.all(
      "SELECT lane, state, count(*) AS count, min(created_at) AS oldest FROM job GROUP BY lane, state ORDER BY lane, state",
    );
    return rows.map((row) => ({
      lane: row["lane"] as Lane,
      state: row["state"] as JobState,
      count: Number(row["count"]),
      oldest: new Date(Number(row["oldest"])),
    }));
  }

  watch(): (timeoutMs: number, signal?: AbortSignal) => Promise<void> {
    return this.#file.watch(POLL_MS);
  }

  async removeEnded(ms: number): Promise<number> {
    const sql = `DELETE FROM job WHERE seq IN (SELECT seq FROM job WHERE ended_at < ? LIMIT ${LOT})`;
    return this.#file.runInLots(LOT, sql, [Date.now() - ms]);
  }

  async close(): Promise<void> {
    this.#file.close();
  }
}

/** Of an attempt: its claim is the newest, and it has not ended. */
const IS_CLAIMED = "id = ? AND fence = ? AND state = 'running'";
