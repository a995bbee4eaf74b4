import { createHash } from "node:crypto";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import type { Client, Pool, PoolClient, PoolConfig } from "pg";
import { getOrInsert } from "../../core/memoize.ts";
import type { PostgresAddress } from "./postgres-address.ts";
import type { Sql } from "./postgres-schema.ts";
import { isUnprepared } from "./reconnect.ts";

/** Connections of a process. Calls wait for a free one. */
const MAX_CONNECTIONS = 4;
const CONNECT_MS = 10_000;
/** The operating system asks after a silent peer from here on, and ends the connection if none answers. */
const KEEP_ALIVE_MS = 10_000;
const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;
/** Of names of statements: PostgreSQL takes 63 bytes. */
const NAME_LETTERS = 40;

/** What hears notifications until it is closed. */
export interface Listener {
  close(): Promise<void>;
}

/**
 * The connections of a process to a PostgreSQL database. A client whose server ends tells so by an event that ends the process where nobody hears it, at any time: with the
 * answer to a statement, between two of them, or while it is closed. So each client here is heard from its begin on; the statements that a broken connection had, or gets,
 * fail with its error.
 */
export class PostgresConnections implements Sql {
  readonly #pool: Pool;
  readonly #newClient: () => Client;
  readonly #names = new Map<string, string>();
  #arePrepared = true;

  private constructor(pool: Pool, newClient: () => Client) {
    this.#pool = pool;
    this.#newClient = newClient;
  }

  /** Connects at the first statement. */
  static async load({ connection }: PostgresAddress): Promise<PostgresConnections> {
    const { Client, Pool } = (await import("pg")).default;
    const config: PoolConfig = {
      ...connection,
      application_name: "printwright",
      connectionTimeoutMillis: CONNECT_MS,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
      max: MAX_CONNECTIONS,
      // Statements that do not wait for one another go out together.
      pipeline: true,
    };
    const pool = new Pool(config);
    pool.on("error", () => undefined);
    pool.on("connect", (client) => void client.on("error", () => undefined));

    const newClient = (): Client => {
      const client = new Client(config);
      client.on("error", () => undefined);
      return client;
    };
    return new PostgresConnections(pool, newClient);
  }

  executeSql(text: string, values?: unknown[]): ReturnType<Sql["executeSql"]> {
    return this.#run(this.#pool, text, values);
  }

  /**
   * Runs a statement. One with parameters is prepared once in each connection, because planning those of pg-boss takes five times as long as they do. Its name is made of its text: a
   * pool of connections that are shared with other programs must not find another statement under it.
   */
  async #run(on: Pool | PoolClient, text: string, values: unknown[] | undefined): ReturnType<Sql["executeSql"]> {
    if (values === undefined || !this.#arePrepared) return on.query(text, values);
    try {
      return await on.query({ name: this.#nameOf(text), text, values });
    } catch (thrown) {
      if (isUnprepared(thrown)) this.#arePrepared = false;
      throw thrown;
    }
  }

  #nameOf(text: string): string {
    return getOrInsert(this.#names, text, () => createHash("sha256").update(text).digest("hex").slice(0, NAME_LETTERS));
  }

  /** Runs statements in a transaction, which is rolled back if `work` throws. */
  async transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
    const client = await this.#pool.connect();
    let isBroken = false;
    try {
      // It goes out with the first statement, which fails as well if it does.
      client.query("BEGIN").catch(() => (isBroken = true));
      const value = await work({ executeSql: (text, values) => this.#run(client, text, values) });
      await client.query("COMMIT");
      return value;
    } catch (thrown) {
      await client.query("ROLLBACK").catch(() => (isBroken = true));
      throw thrown;
    } finally {
      client.release(isBroken);
    }
  }

  /**
   * Calls `hear` at each notification of the channel, and without a payload each time that it listens again, since some may have been missed before. It connects again by itself. Pools
   * that change connections after each transaction give no notifications.
   */
  listen(channel: string, hear: (payload?: string) => void): Listener {
    const closing = new AbortController();
    let failures = 0;
    const listenOnce = async (): Promise<void> => {
      const client = this.#newClient();
      client.on("notification", ({ payload }) => hear(payload));
      const ended = once(client, "end", { signal: closing.signal });
      try {
        await Promise.race([ended, client.connect()]);
        await Promise.race([ended, client.query(`LISTEN ${channel}`)]);
        failures = 0;
        hear();
        await ended;
      } finally {
        client.end().catch(() => undefined);
      }
    };
    const listenOn = async (): Promise<void> => {
      while (!closing.signal.aborted) {
        await listenOnce().catch(() => undefined);
        const pauseMs = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** failures++);
        await sleep(pauseMs, undefined, { signal: closing.signal }).catch(() => undefined);
      }
    };
    const listening = listenOn();
    return {
      async close() {
        closing.abort();
        await listening;
      },
    };
  }

  close(): Promise<void> {
    return this.#pool.end();
  }
}
