import { operationFailed } from "../../core/api-error.ts";
import { ChangeSignal } from "../queue/change-signal.ts";
import type { Row } from "../queue/job-row.ts";
import type { PostgresAddress } from "../queue/postgres-address.ts";
import { PostgresConnections } from "../queue/postgres-connections.ts";
import { openPostgresQueue } from "../queue/postgres-queue.ts";
import { rowsOf } from "../queue/postgres-schema.ts";
import { withReconnect } from "../queue/reconnect.ts";
import {
  type Claim,
  type EventLog,
  type EventRange,
  type NewEvent,
  type SavedState,
  type StoredEvent,
  statesOf,
} from "./event-log.ts";

/** How often waiting readers look for new events. */
const POLL_MS = 250;
/** A sequence number is that of the transaction times this, plus the number of the event in it. A transaction has far fewer events. */
const EVENTS_OF_TX = 1_000_000;
/** Of the locks of readers, beside those of others in the database: any number. "PW" in ASCII. */
const LOCKS = 0x5057;
/** The row of `event_reader` with the number of the last event that was removed. */
const REMOVED = "#removed";

const SAVE =
  "INSERT INTO printwright.event_reader VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET state = excluded.state";

/** Events whose transaction, and all that began before it, have ended: none of a smaller number can appear any more. */
const IS_SETTLED = "tx < pg_snapshot_xmin(pg_current_snapshot())";

/**
 * Opens the events of the queue in a PostgreSQL database. Its writers work at the same time, and their rows appear in any order; so readers take the events by the numbers of their
 * transactions, and none of a transaction that an older one may still precede.
 */
export async function openPostgresEventLog(address: PostgresAddress): Promise<EventLog> {
  // Makes the tables where they are missing.
  await (await openPostgresQueue(address)).close();
  return new PostgresEventLog(await PostgresConnections.load(address), address);
}

class PostgresEventLog implements EventLog {
  readonly #connections: PostgresConnections;
  readonly #address: PostgresAddress;
  readonly #changes = new ChangeSignal();
  readonly #closed = new AbortController();
  #newest: unknown;
  #timer: NodeJS.Timeout | undefined;

  constructor(connections: PostgresConnections, address: PostgresAddress) {
    this.#connections = connections;
    this.#address = address;
  }

  async read(after: number, limit: number): Promise<StoredEvent[]> {
    const rows = await this.#all(
      `SELECT * FROM (
         SELECT tx, row_number() OVER (PARTITION BY tx ORDER BY seq)::int AS number, at, type, subject, data
         FROM printwright.event WHERE tx >= $1::text::xid8 AND ${IS_SETTLED}
       ) AS numbered WHERE tx > $1::text::xid8 OR number > $2 ORDER BY tx, number LIMIT $3`,
      [String(Math.floor(after / EVENTS_OF_TX)), after % EVENTS_OF_TX, limit],
    );
    return rows.map(({ tx, number, at, type, subject, data }) => ({
      sequence: sequenceOf(tx, number),
      at: at as Date,
      type: String(type),
      subject: String(subject),
      data: JSON.parse(String(data)),
    }));
  }

  async range(): Promise<EventRange> {
    const [row] = await this.#all(
      `WITH newest AS (SELECT tx FROM printwright.event WHERE ${IS_SETTLED} ORDER BY tx DESC LIMIT 1)
       SELECT tx, (SELECT count(*) FROM printwright.event WHERE event.tx = newest.tx)::int AS number FROM newest`,
      [],
    );
    const removed = Number((await this.load(REMOVED)) ?? 0);
    return { removed, last: row ? sequenceOf(row["tx"], row["number"]) : removed };
  }

  async append(events: readonly NewEvent[], saved?: SavedState): Promise<void> {
    const insert = `INSERT INTO printwright.event (type, subject, data)
       SELECT type, subject, data FROM json_to_recordset($1::text::json) AS x (type text, subject text, data text)`;
    const rows = JSON.stringify(events.map((event) => ({ ...event, data: JSON.stringify(event.data) })));
    if (!saved) await this.#all(insert, [rows]);
    else
      await this.#all(
        `WITH saved AS (${SAVE.replace("$1, $2", "$2, $3")} WHERE event_reader.state <> excluded.state RETURNING 1)
         ${insert} WHERE EXISTS (SELECT FROM saved)`,
        [rows, saved.name, JSON.stringify(saved.state)],
      );
  }

  watch(): (timeoutMs: number, signal?: AbortSignal) => Promise<void> {
    this.#timer ??= setTimeout(() => void this.#poll(), POLL_MS).unref();
    return this.#changes.watch();
  }

  /** One look for all readers. */
  async #poll(): Promise<void> {
    const sql = `SELECT tx FROM printwright.event WHERE ${IS_SETTLED} ORDER BY tx DESC LIMIT 1`;
    const rows = await rowsOf(this.#connections, sql).catch(() => undefined);
    if (this.#closed.signal.aborted) return;
    if (rows) {
      const newest = rows[0]?.["tx"];
      if (newest !== this.#newest) this.#changes.tell();
      this.#newest = newest;
    }
    this.#timer = setTimeout(() => void this.#poll(), POLL_MS).unref();
  }

  async load(reader: string): Promise<unknown> {
    const [row] = await this.#all("SELECT state FROM printwright.event_reader WHERE name = $1", [reader]);
    return row && JSON.parse(String(row["state"]));
  }

  async loadAll(prefix: string): Promise<ReadonlyMap<string, unknown>> {
    const sql = "SELECT name, state FROM printwright.event_reader WHERE starts_with(name, $1) ORDER BY name";
    return statesOf(await this.#all(sql, [prefix]));
  }

  async save(reader: string, state: unknown): Promise<void> {
    await this.#all(SAVE, [reader, JSON.stringify(state)]);
  }

  /** The lock is that of a connection: it is lost with it. */
  async claim(reader: string): Promise<Claim> {
    const { Client } = (await import("pg")).default;
    const { connection, shown } = this.#address;
    return withReconnect(shown, async () => {
      const lost = new AbortController();
      const client = new Client({ ...connection, application_name: "printwright events" });
      client.on("error", () => lost.abort());
      client.on("end", () => lost.abort());
      const release = (): Promise<void> => client.end().catch(() => undefined);
      try {
        await client.connect();
        const sql = "SELECT pg_try_advisory_lock($1, hashtext($2)) AS mine";
        const { rows } = await client.query(sql, [LOCKS, reader]);
        if (rows[0].mine === true) return { lost: lost.signal, release };
      } catch (thrown) {
        void release();
        throw thrown;
      }
      await release();
      throw operationFailed(
        `Another process reads the events of ${shown} as "${reader}": end that one, or choose another name.`,
      );
    });
  }

  async removeOld(ms: number): Promise<number> {
    const [row] = await this.#all(
      `WITH gone AS (
         DELETE FROM printwright.event WHERE ${IS_SETTLED} AND NOT tx >= ANY (
           SELECT tx FROM printwright.event WHERE at >= now() - $1 * interval '1 ms' ORDER BY tx LIMIT 1
         ) RETURNING tx
       ), newest AS (SELECT tx, count(*)::int AS number FROM gone GROUP BY tx ORDER BY tx DESC LIMIT 1)
       , noted AS (
         INSERT INTO printwright.event_reader SELECT $2, (tx::text::numeric * ${EVENTS_OF_TX} + number)::text FROM newest
         ON CONFLICT (name) DO UPDATE SET state = excluded.state
       ) SELECT count(*)::int AS count FROM gone`,
      [ms, REMOVED],
    );
    return Number(row?.["count"]);
  }

  async close(): Promise<void> {
    this.#closed.abort();
    clearTimeout(this.#timer);
    await this.#connections.close();
  }

  #all(text: string, values: unknown[]): Promise<Row[]> {
    return withReconnect(this.#address.shown, () => rowsOf(this.#connections, text, values));
  }
}

const sequenceOf = (tx: unknown, number: unknown): number => Number(tx) * EVENTS_OF_TX + Number(number);
