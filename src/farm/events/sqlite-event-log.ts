import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { claimFolder } from "../../core/claim-folder.ts";
import { withFileErrors } from "../../core/file-error.ts";
import { type SqliteFile, openSqliteFile } from "../queue/sqlite-file.ts";
import {
  type Claim,
  type EventLog,
  type EventRange,
  type NewEvent,
  type SavedState,
  type StoredEvent,
  statesOf,
} from "./event-log.ts";

/** How often a waiting reader looks for changes. */
const POLL_MS = 50;
/** Rows that one transaction deletes: a bound on how long others wait. */
const LOT = 1000;

const SAVE = "INSERT INTO event_reader VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET state = ?2";

/** Opens the events of the queue in a SQLite file. Its writers come one after the other, so `seq` is the order in which events became visible. */
export async function openSqliteEventLog(path: string): Promise<EventLog> {
  return new SqliteEventLog(await openSqliteFile(path), path);
}

class SqliteEventLog implements EventLog {
  readonly #file: SqliteFile;
  readonly #path: string;

  constructor(file: SqliteFile, path: string) {
    this.#file = file;
    this.#path = path;
  }

  async read(after: number, limit: number): Promise<StoredEvent[]> {
    const rows = this.#file.all("SELECT * FROM event WHERE seq > ? ORDER BY seq LIMIT ?", [after, limit]);
    return rows.map((row) => ({
      sequence: Number(row["seq"]),
      at: new Date(Number(row["at"])),
      type: String(row["type"]),
      subject: String(row["subject"]),
      data: JSON.parse(String(row["data"])),
    }));
  }

  async range(): Promise<EventRange> {
    // AUTOINCREMENT counts without gaps, and remembers the last number.
    const [row] = this.#file.all(
      `SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'event'), 0) AS last, (SELECT min(seq) FROM event) AS first`,
    );
    const last = Number(row?.["last"]);
    const first = row?.["first"];
    return { removed: first === null ? last : Number(first) - 1, last };
  }

  async append(events: readonly NewEvent[], saved?: SavedState): Promise<void> {
    await this.#file.write(() => {
      if (saved && this.#file.run(`${SAVE} WHERE state <> ?2`, [saved.name, JSON.stringify(saved.state)]) === 0) return;
      for (const { type, subject, data } of events) {
        const values = [Date.now(), type, subject, JSON.stringify(data)];
        this.#file.run("INSERT INTO event (at, type, subject, data) VALUES (?, ?, ?, ?)", values);
      }
    });
  }

  watch(): (timeoutMs: number, signal?: AbortSignal) => Promise<void> {
    return this.#file.watch(POLL_MS);
  }

  async load(reader: string): Promise<unknown> {
    const [row] = this.#file.all("SELECT state FROM event_reader WHERE name = ?", [reader]);
    return row && JSON.parse(String(row["state"]));
  }

  async loadAll(prefix: string): Promise<ReadonlyMap<string, unknown>> {
    const sql = "SELECT name, state FROM event_reader WHERE substr(name, 1, length(?1)) = ?1 ORDER BY name";
    return statesOf(this.#file.all(sql, [prefix]));
  }

  async save(reader: string, state: unknown): Promise<void> {
    await this.#file.write(() => this.#file.run(SAVE, [reader, JSON.stringify(state)]));
  }

  async claim(reader: string): Promise<Claim> {
    const folder = join(`${this.#path}.readers`, encodeURIComponent(reader));
    withFileErrors("write", folder, () => mkdirSync(folder, { recursive: true, mode: 0o700 }));
    const release = claimFolder(folder);
    return { lost: new AbortController().signal, release: async () => release() };
  }

  async removeOld(ms: number): Promise<number> {
    const sql = `DELETE FROM event WHERE seq IN (SELECT seq FROM event ORDER BY seq LIMIT ${LOT}) AND at < ?`;
    return this.#file.runInLots(LOT, sql, [Date.now() - ms]);
  }

  async close(): Promise<void> {
    this.#file.close();
  }
}
