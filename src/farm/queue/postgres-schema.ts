import { operationFailed } from "../../core/api-error.ts";
import type { JobChange } from "./job-queue.ts";
import type { Row } from "./job-row.ts";

/** What runs statements: a connection, or a transaction. */
export interface Sql {
  executeSql(text: string, values?: unknown[]): Promise<{ rows: Row[] }>;
}

export const rowsOf = async (sql: Sql, text: string, values?: unknown[]): Promise<Row[]> =>
  (await sql.executeSql(text, values)).rows;

/** The channel on which waiting processes hear of changes. */
export const CHANNEL = "printwright_job";

/** A change of the tables raises it: then an older program says that it is too old, and `prepareTables` changes the tables of an older one. */
const VERSION = 3;

/** Of the lock under which the tables are made: any number that no other program of the database takes. "PW" in ASCII. */
const LOCK = 0x5057;

const EVENT_READER = `
  CREATE INDEX IF NOT EXISTS event_tx ON printwright.event (tx, seq);
  CREATE TABLE IF NOT EXISTS printwright.event_reader (name text PRIMARY KEY, state text NOT NULL);
`;

/** Its notifications have the state of the job; `running` is one that was asked to end. */
const TELL = `
  CREATE OR REPLACE FUNCTION printwright.tell_of_job() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    IF TG_OP = 'INSERT' OR OLD.state <> NEW.state THEN
      INSERT INTO printwright.event (type, subject, data) VALUES ('job.' || NEW.state, 'job/' || NEW.id,
        json_build_object('lane', NEW.lane, 'key', NEW.key, 'group', NEW.group_id, 'attempt', NEW.attempt,
          'worker', NEW.worker, 'error', NEW.error_code)::text);
    END IF;
    -- Nobody waits for the begin of a job.
    IF NEW.state <> 'running' OR NEW.cancel THEN
      PERFORM pg_notify('${CHANNEL}', NEW.state);
    END IF;
    RETURN NULL;
  END $$;
`;

/**
 * `job`: as in SQLite (`sqlite-schema.ts`); `payload` and `result` are JSON as text, so that they come back as they were. `event`: the outbox. A trigger
 * writes it, so that each change of a state and its event are one transaction. `seq` may become visible out of order: readers
 * go by `tx` (`postgres-event-log.ts`). `event_reader`: how far they are.
 */
const SCHEMA = `
  CREATE SCHEMA IF NOT EXISTS printwright;
  CREATE TABLE printwright.meta (version int NOT NULL);
  INSERT INTO printwright.meta VALUES (${VERSION});
  CREATE TABLE printwright.job (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id uuid NOT NULL UNIQUE,
    key text NOT NULL,
    lane text NOT NULL,
    state text NOT NULL DEFAULT 'ready',
    priority int NOT NULL,
    due timestamptz,
    group_id text,
    payload text NOT NULL,
    attempt int NOT NULL DEFAULT 0,
    max_attempts int NOT NULL,
    fence int NOT NULL DEFAULT 0,
    run_at timestamptz NOT NULL DEFAULT now(),
    lease_until timestamptz,
    worker text,
    cancel boolean NOT NULL DEFAULT false,
    fraction float8,
    step int,
    result text,
    error_code text,
    error_message text,
    created_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    ended_at timestamptz
  ) WITH (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
  CREATE UNIQUE INDEX job_key ON printwright.job (key) WHERE state IN ('ready', 'running', 'done');
  CREATE INDEX job_ready ON printwright.job (lane, run_at) WHERE state = 'ready';
  CREATE INDEX job_lease ON printwright.job (lease_until) WHERE state = 'running';
  CREATE INDEX job_ended ON printwright.job (ended_at) WHERE ended_at IS NOT NULL;
  CREATE TABLE printwright.event (
    seq bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
    at timestamptz NOT NULL DEFAULT clock_timestamp(),
    type text NOT NULL,
    subject text NOT NULL,
    data text NOT NULL
  );
  ${EVENT_READER}
  ${TELL}
  CREATE TRIGGER job_submitted AFTER INSERT ON printwright.job FOR EACH ROW EXECUTE FUNCTION printwright.tell_of_job();
  CREATE TRIGGER job_changed AFTER UPDATE OF state, cancel ON printwright.job FOR EACH ROW
    WHEN (OLD.state <> NEW.state OR OLD.cancel <> NEW.cancel) EXECUTE FUNCTION printwright.tell_of_job();
`;

/**
 * Makes the tables in a database that lacks them, and changes those of an older version. Call it in a transaction: processes that come at the same time wait for each other. Throws OPERATION_FAILED if
 * a newer version made them.
 */
export async function prepareTables(sql: Sql): Promise<void> {
  await sql.executeSql("SELECT pg_advisory_xact_lock($1)", [LOCK]);
  const found = await sql.executeSql("SELECT to_regclass('printwright.meta') IS NOT NULL AS exists");
  if (!found.rows[0]?.["exists"]) {
    await sql.executeSql(SCHEMA);
    return;
  }
  const { rows } = await sql.executeSql("SELECT version FROM printwright.meta");
  const version = Number(rows[0]?.["version"]);
  if (version > VERSION)
    throw operationFailed(
      `The queue was made by a newer version of this program (${version}, this one knows ${VERSION}): use that version, or another database.`,
    );
  // Version 1 may lack what readers of events need, and the notifications of version 2 are without a state.
  if (version < VERSION)
    await sql.executeSql(`${EVENT_READER} ${TELL} UPDATE printwright.meta SET version = ${VERSION};`);
}

/** What a notification is about; undefined where it may be about anything. */
export function changeOf(state: string | undefined): JobChange | undefined {
  if (state === undefined || state === "") return undefined;
  if (state === "ready") return "ready";
  return state === "running" ? "cancel" : "end";
}

const ms = (column: string): string => `round(extract(epoch FROM ${column}) * 1000)::float8 AS ${column}`;

/** The columns of `job` as `toJob` (`job-row.ts`) reads them. */
export const JOB_COLUMNS = `id, key, lane, state, priority, group_id, payload, attempt, max_attempts, fence, worker, cancel::int AS cancel,
  fraction, step, result, error_code, error_message, seq,
  ${["due", "run_at", "created_at", "started_at", "ended_at"].map(ms).join(", ")}`;
