import type { PgBoss } from "pg-boss";
import type { Lane } from "./job-queue.ts";
import { LANES } from "./job-queue.ts";
import type { Sql } from "./postgres-schema.ts";
import { ticketPriority } from "./ticket-priority.ts";

/** The schema of pg-boss, which makes and migrates its tables. */
const BOSS_SCHEMA = "printwright_boss";
/** pg-boss ends attempts by itself after 15 minutes unless it is told otherwise; a day is its maximum. Leases of the table `job` end them here. */
const EXPIRE_S = 24 * 60 * 60;
/** The table `job` counts attempts, so tickets can be tried without end. */
const TICKET_RETRIES = 1_000_000;

/** A database without jobs. */
const NOTHING: Sql = { executeSql: async () => ({ rows: [] }) };

/** What a ticket is made of. */
interface TicketJob {
  readonly id: string;
  readonly priority: number;
  readonly due?: Date | null | undefined;
}

/**
 * The tickets by which pg-boss gives jobs out: one, with the id of its job, for each job that is ready or running. Its queues are named after the lanes. Calls that take a
 * transaction (`sql`) are part of it.
 */
export class Tickets {
  readonly #boss: PgBoss;

  private constructor(boss: PgBoss) {
    this.#boss = boss;
  }

  static async load(db: Sql): Promise<Tickets> {
    const { PgBoss } = await import("pg-boss");
    const boss = new PgBoss({
      db,
      schema: BOSS_SCHEMA,
      // Nothing of it runs by itself: ended jobs have no tickets, and leases are those of the table `job`.
      supervise: false,
      schedule: false,
      registerInstance: false,
    });
    // Of what it does by itself. Calls get their errors.
    boss.on("error", () => undefined);
    return new Tickets(boss);
  }

  /** Connects, and makes what the database lacks. */
  async start(): Promise<void> {
    await this.#boss.start();
    const found = new Set((await this.#boss.getQueues([...LANES])).map(({ name }) => name));
    for (const lane of LANES) {
      if (!found.has(lane))
        await this.#boss.createQueue(lane, { retryLimit: TICKET_RETRIES, expireInSeconds: EXPIRE_S });
      // It looks its queues up once, and goes on where that fails: then each first call would, in a transaction that holds the connection which it needs.
      await this.#boss.fetch(lane, { db: NOTHING });
    }
  }

  async add(sql: Sql, lane: Lane, jobs: readonly TicketJob[]): Promise<void> {
    if (jobs.length === 0) return;
    const tickets = jobs.map(({ id, priority, due }) => ({ id, priority: ticketPriority(priority, due ?? undefined) }));
    await this.#boss.insert(lane, tickets, { db: sql });
  }

  /** The ids of jobs whose tickets this transaction takes. */
  async take(sql: Sql, lane: Lane, count: number): Promise<string[]> {
    return (await this.#boss.fetch(lane, { batchSize: count, db: sql })).map(({ id }) => id);
  }

  /** After the end of an attempt: the ticket can be taken again after `delayS` seconds. */
  async giveBack(sql: Sql, lane: Lane, { id, priority, due }: TicketJob, delayS = 0): Promise<void> {
    await this.#boss.fail(lane, id, null, { db: sql });
    // It is a new row for pg-boss, which would come last among equal ones. `startAfter` is in seconds, as a decimal number.
    const change = {
      priority: ticketPriority(priority, due ?? undefined, true),
      startAfter: Number(delayS.toFixed(3)),
    };
    await this.#boss.update(lane, undefined, { id, ...change, db: sql });
  }

  async remove(sql: Sql, lane: Lane, id: string): Promise<void> {
    await this.#boss.deleteJob(lane, id, { db: sql });
  }

  /** The connections stay open. */
  close(): Promise<void> {
    return this.#boss.stop({ graceful: false });
  }
}
