import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { ApiError, operationFailed } from "../../core/api-error.ts";
import { withFileErrors } from "../../core/file-error.ts";
import type { Row } from "./job-row.ts";
import { prepareSchema } from "./sqlite-schema.ts";
import { whenFree } from "./when-free.ts";

/** How long SQLite itself waits for the lock of another process. It blocks the thread meanwhile, so it is short, and calls wait in between. */
const BUSY_MS = 50;

/**
 * Opens the file of a queue, which is made if it is missing. Any number of processes of one machine share it; on network file systems its locks
 * do not work. Each committed change survives the end of the process and a power cut (`synchronous = FULL`).
 */
export async function openSqliteFile(path: string): Promise<SqliteFile> {
  const { DatabaseSync } = await import("node:sqlite");
  withFileErrors("write", path, () => mkdirSync(dirname(path), { recursive: true, mode: 0o700 }));
  const database = openDatabase(DatabaseSync, path);
  try {
    await whenFree(() => {
      database.exec(`PRAGMA busy_timeout = ${BUSY_MS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;`);
      prepareSchema(database, path);
    });
  } catch (thrown) {
    database.close();
    throw thrown instanceof ApiError ? thrown : openError(path, thrown);
  }
  return new SqliteFile(database);
}

function openDatabase(Database: typeof DatabaseSync, path: string): DatabaseSync {
  try {
    return new Database(path);
  } catch (thrown) {
    throw openError(path, thrown);
  }
}

const openError = (path: string, thrown: unknown): ApiError =>
  operationFailed(`Cannot open the queue ${path}: ${(thrown as Error).message}. Name another file.`);

/** A connection to the file of a queue. */
export class SqliteFile {
  readonly #database: DatabaseSync;
  readonly #statements = new Map<string, StatementSync>();
  /** Counts the changes of this connection, which the counter of the file leaves out. */
  #ownChanges = 0;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Runs `work` in a transaction that holds the lock of writers from its beginning. */
  async write<T>(work: () => T): Promise<T> {
    return whenFree(() => {
      this.#database.exec("BEGIN IMMEDIATE");
      try {
        const value = work();
        this.#database.exec("COMMIT");
        this.#ownChanges++;
        return value;
      } catch (thrown) {
        this.#database.exec("ROLLBACK");
        throw thrown;
      }
    });
  }

  /** The number of changed rows. */
  run(sql: string, values: readonly SQLInputValue[]): number {
    return Number(this.#statement(sql).run(...values).changes);
  }

  /** Runs a statement that changes at most `lot` rows until it changes fewer: others may write between two lots. Returns the number of all. */
  async runInLots(lot: number, sql: string, values: readonly SQLInputValue[]): Promise<number> {
    let total = 0;
    for (;;) {
      const changed = await this.write(() => this.run(sql, values));
      total += changed;
      if (changed < lot) return total;
    }
  }

  all(sql: string, values: readonly SQLInputValue[] = []): Row[] {
    return this.#statement(sql).all(...values) as Row[];
  }

  #statement(sql: string): StatementSync {
    const found = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, found);
    return found;
  }

  /** As `JobQueue.watch`, for any change of the file. It looks each `pollMs`, which takes microseconds. */
  watch(pollMs: number): (timeoutMs: number, signal?: AbortSignal) => Promise<void> {
    let seen = this.#version();
    return async (timeoutMs, signal) => {
      const end = Date.now() + timeoutMs;
      while (this.#version() === seen && Date.now() < end) {
        const wait = sleep(Math.min(pollMs, end - Date.now()), false, signal && { signal });
        if (await wait.catch(() => true)) break;
      }
      seen = this.#version();
    };
  }

  /** Differs after each change of the file by any process. */
  #version(): string {
    return `${String(this.all("PRAGMA data_version")[0]?.["data_version"])}.${this.#ownChanges}`;
  }

  close(): void {
    this.#database.close();
  }
}
