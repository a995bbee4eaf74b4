import type { DatabaseSync } from "node:sqlite";
import { operationFailed } from "../../core/api-error.ts";

/** A change of the tables raises it: then an older program says that it is too old, and `prepareSchema` changes the tables of an older one. */
const VERSION = 2;

const EVENT_READER = "CREATE TABLE IF NOT EXISTS event_reader (name TEXT PRIMARY KEY, state TEXT NOT NULL) STRICT;";

/**
 * `job`: `due`, `run_at` and all other times in ms since 1970. `fence` counts claims. The index of ready jobs has them in the order in which they are claimed.
 * `event`: the outbox. Triggers write it, so that each change of a state and its event are one transaction. `event_reader`: how far the readers of the outbox are.
 */
const SCHEMA = `
  CREATE TABLE job (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    key TEXT NOT NULL,
    lane TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'ready',
    priority INTEGER NOT NULL,
    due INTEGER NOT NULL,
    group_id TEXT,
    payload TEXT NOT NULL,
    attempt INTEGER NOT NULL DEFAULT 0,
    max_attempts INTEGER NOT NULL,
    fence INTEGER NOT NULL DEFAULT 0,
    run_at INTEGER NOT NULL,
    lease_until INTEGER,
    worker TEXT,
    cancel INTEGER NOT NULL DEFAULT 0,
    fraction REAL,
    step INTEGER,
    result TEXT,
    error_code TEXT,
    error_message TEXT,
    created_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER
  ) STRICT;
  CREATE UNIQUE INDEX job_key ON job (key) WHERE state IN ('ready', 'running', 'done');
  CREATE INDEX job_ready ON job (lane, priority DESC, due, seq) WHERE state = 'ready';
  CREATE INDEX job_lease ON job (lease_until) WHERE state = 'running';
  CREATE INDEX job_ended ON job (ended_at) WHERE ended_at IS NOT NULL;
  CREATE TABLE event (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    type TEXT NOT NULL,
    subject TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT;
  ${EVENT_READER}
  ${eventTrigger("job_submitted", "INSERT ON job")}
  ${eventTrigger("job_changed", "UPDATE OF state ON job WHEN OLD.state <> NEW.state")}
`;

function eventTrigger(name: string, after: string): string {
  return `
  CREATE TRIGGER ${name} AFTER ${after} BEGIN
    INSERT INTO event (at, type, subject, data) VALUES (
      CAST(unixepoch('subsec') * 1000 AS INTEGER), 'job.' || NEW.state, 'job/' || NEW.id,
      json_object('lane', NEW.lane, 'key', NEW.key, 'group', NEW.group_id, 'attempt', NEW.attempt, 'worker', NEW.worker,
        'error', NEW.error_code));
  END;`;
}

/** What makes the tables of this version of a new file (0), and of those of an older version. Version 1 may lack `event_reader`. */
const CHANGES: Readonly<Record<number, string>> = { 0: SCHEMA, 1: EVENT_READER };

/**
 * Makes the tables in a new file, and changes those of an older version. Throws OPERATION_FAILED if a newer version made them. `path` is for messages. Takes the lock of writers: two
 * processes may open a new file at the same time.
 */
export function prepareSchema(database: DatabaseSync, path: string): void {
  const version = versionOf(database);
  if (version === VERSION) return;
  if (version > VERSION)
    throw operationFailed(
      `The queue ${path} was made by a newer version of this program (${version}, this one knows ${VERSION}): use that version, or another file.`,
    );
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have been faster.
    database.exec(`${CHANGES[versionOf(database)] ?? ""}; PRAGMA user_version = ${VERSION};`);
    database.exec("COMMIT");
  } catch (thrown) {
    database.exec("ROLLBACK");
    throw thrown;
  }
}

const versionOf = (database: DatabaseSync): number =>
  Number(database.prepare("PRAGMA user_version").get()?.["user_version"]);
