import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import pg from "pg";
import { openPostgresEventLog } from "../../src/farm/events/postgres-event-log.ts";
import { readPostgresUrl } from "../../src/farm/queue/postgres-address.ts";
import { openPostgresQueue } from "../../src/farm/queue/postgres-queue.ts";
import { HAS_POSTGRES, type PostgresServer, startPostgres } from "../fixture/postgres.ts";
import { until } from "../fixture/until.ts";
import { testEventLog } from "./event-log.case.ts";

describe("events in PostgreSQL", { skip: HAS_POSTGRES ? false : "no PostgreSQL is installed" }, () => {
  let server: PostgresServer;
  const open = () => openPostgresEventLog(readPostgresUrl(server.url));
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  testEventLog({ name: "postgres", open, openQueue: () => openPostgresQueue(readPostgresUrl(server.url)) });

  test("events of a transaction that ends late come neither too early nor never, in one order for all readers", async () => {
    const log = await open();
    const { last } = await log.range();
    const clients = [0, 1].map(() => new pg.Client(server.url));
    for (const client of clients) await client.connect();
    const [late, early] = clients as [pg.Client, pg.Client];
    const write = (client: pg.Client, name: string) =>
      client.query("INSERT INTO printwright.event (type, subject, data) VALUES ('job.done', $1, '{}')", [name]);
    const seen = async () => (await log.read(last, 10)).map(({ subject }) => subject);
    await early.query("BEGIN");
    await late.query("BEGIN");
    // The transaction of the lower number writes later: its rows have the higher numbers.
    await late.query("SELECT pg_current_xact_id()");
    await write(early, "b1");
    await write(late, "a1");
    await write(early, "b2");
    await early.query("COMMIT");
    assert.deepEqual(await seen(), []);
    const changed = log.watch();
    await late.query("COMMIT");
    await changed(60_000);
    assert.deepEqual(await seen(), ["a1", "b1", "b2"]);
    const [first, second] = await log.read(last, 2);
    assert.deepEqual(
      (await log.read(first?.sequence ?? 0, 9)).map(({ subject }) => subject),
      ["b1", "b2"],
    );
    assert.deepEqual(
      (await log.read(second?.sequence ?? 0, 9)).map(({ subject }) => subject),
      ["b2"],
    );
    for (const client of clients) await client.end();
    await log.close();
  });

  test("a restart of the server delays reading, and takes claims away", async () => {
    const log = await open();
    const { last } = await log.range();
    await log.append([{ type: "job.done", subject: "job/x", data: {} }]);
    const claim = await log.claim("shop");
    await server.kill();
    const reading = log.read(last, 9);
    await server.start();
    assert.equal((await reading).length, 1);
    await until("the claim is lost", () => claim.lost.aborted);
    await (await log.claim("shop")).release();
    await log.close();
  });
});
