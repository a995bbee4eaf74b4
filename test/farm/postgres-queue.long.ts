import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { readPostgresUrl } from "../../src/farm/queue/postgres-address.ts";
import { openPostgresQueue } from "../../src/farm/queue/postgres-queue.ts";
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
