import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { Client } from "pg";
import { ApiError } from "../../src/core/api-error.ts";
import pg from "pg";
import { readPostgresUrl } from "../../src/farm/queue/postgres-address.ts";
import { openPostgresQueue } from "../../src/farm/queue/postgres-queue.ts";
import { QueueUnreachable } from "../../src/farm/queue/reconnect.ts";
import { HAS_POSTGRES, type PostgresServer, startPostgres } from "../fixture/postgres.ts";
import { LEASE_MS, testQueue } from "./queue.case.ts";

describe("the queue in PostgreSQL", { skip: HAS_POSTGRES ? false : "no PostgreSQL is installed" }, () => {
  let server: PostgresServer;
  const open = () => openPostgresQueue(readPostgresUrl(server.url), { leaseMs: LEASE_MS });
  before(async () => {
    server = await startPostgres();
  });
  after(() => server.stop());

  testQueue({ name: "postgres", open });

  test("several processes may open a new database at the same time", async () => {
    const queues = await Promise.all(Array.from({ length: 4 }, open));
    await Promise.all(queues.map((queue) => queue.close()));
  });

  test("the tables of a version stay as they are, and a database of version 1 gets what it lacks", async () => {
    const client = new pg.Client(server.url);
    await client.connect();
    const tables = async (): Promise<unknown> => {
      const { rows } = await client.query(
        `SELECT string_agg(line, ', ' ORDER BY line COLLATE "C") AS lines, (SELECT version FROM printwright.meta) AS version FROM (
           SELECT table_name || '.' || column_name || ' ' || data_type AS line FROM information_schema.columns WHERE table_schema = 'printwright'
           UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'printwright') AS x`,
      );
      const hash = createHash("sha256").update(rows[0].lines).digest("hex").slice(0, 16);
      return { hash, version: rows[0].version };
    };
    const expected = { hash: "a50fb206fe11e2f9", version: 2 };
    await (await open()).close();
    assert.deepEqual(await tables(), expected);
    await client.query(
      "DROP TABLE printwright.event_reader; DROP INDEX printwright.event_tx; UPDATE printwright.meta SET version = 1",
    );
    await (await open()).close();
    assert.deepEqual(await tables(), expected);
    await client.query("UPDATE printwright.meta SET version = 3");
    await assert.rejects(open(), /made by a newer version/);
    await client.query("UPDATE printwright.meta SET version = 2");
    await client.end();
  });

  test("tables of a newer version are refused for good", async () => {
    const client = new Client({ connectionString: server.url });
    await client.connect();
    const { rows } = await client.query("SELECT version FROM printwright.meta");
    await client.query("UPDATE printwright.meta SET version = 99");
    await assert.rejects(open(), (thrown) => {
      assert.ok(thrown instanceof ApiError && !(thrown instanceof QueueUnreachable), "a worker would wait");
      return /made by a newer version of this program \(99, this one knows \d+\)/.test(thrown.message);
    });
    await client.query("UPDATE printwright.meta SET version = $1", [rows[0].version]);
    await client.end();
    await (await open()).close();
  });

  test("a restart of the server delays calls, and loses nothing", async () => {
    const queue = await open();
    const changed = queue.watch();
    const [added] = await queue.submit([{ key: "before the restart", lane: "plate", payload: 1 }]);
    const [job] = await queue.claim("w", { plate: 1 });
    assert.ok(job && added);
    await server.kill();
    const finished = queue.finish(job, 2);
    await server.start();
    assert.equal(await finished, true);
    assert.equal((await queue.get(added.id))?.result, 2);
    // Until it listens again.
    await changed(10_000);
    await changed(2000);
    const waiting = changed(60_000);
    const start = Date.now();
    const [next] = await queue.submit([{ key: "after the restart", lane: "plate", payload: 1 }]);
    await waiting;
    assert.ok(Date.now() - start < 30_000);
    await queue.cancel(next?.id ?? "");
    await queue.close();
  });
});
