import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { openSqliteQueue } from "../../src/farm/queue/sqlite-queue.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { LEASE_MS, testQueue } from "./queue.case.ts";

const write = temporaryFiles();
const path = write("queue/queue.sqlite", "");

testQueue({ name: "sqlite", open: () => openSqliteQueue(path, { leaseMs: LEASE_MS }) });

test("each change of a state writes one event, in order", async () => {
  const file = write("events.sqlite", "");
  const queue = await openSqliteQueue(file);
  const [added] = await queue.submit([{ key: "k", lane: "quote", payload: 1, group: "g" }]);
  const [job] = await queue.claim("w", { quote: 1 });
  assert.ok(job && added);
  await queue.beat(job, { fraction: 0.5 });
  await queue.fail(job, { kind: "retry", error: { code: "TIMED_OUT", message: "m" }, delayMs: 0 });
  await queue.cancel(job.id);
  await queue.close();
  const database = new DatabaseSync(file);
  const rows = database.prepare("SELECT type, subject, data, at FROM event ORDER BY seq").all();
  assert.deepEqual(
    rows.map(({ type, subject }) => [type, subject]),
    ["ready", "running", "ready", "cancelled"].map((state) => [`job.${state}`, `job/${added.id}`]),
  );
  assert.deepEqual(JSON.parse(String(rows[2]?.["data"])), {
    lane: "quote",
    key: "k",
    group: "g",
    attempt: 1,
    worker: "w",
    error: "TIMED_OUT",
  });
  assert.ok(Math.abs(Date.now() - Number(rows[0]?.["at"])) < 60_000);
  database.close();
});

test("a file of a newer version, and one that is no queue, are refused", async () => {
  const newer = write("newer.sqlite", "");
  const database = new DatabaseSync(newer);
  database.exec("PRAGMA user_version = 99");
  database.close();
  await assert.rejects(openSqliteQueue(newer), /made by a newer version/);
  const other = write("other.sqlite", "this is a text, and no database at all, however long it may be".repeat(20));
  await assert.rejects(openSqliteQueue(other), { code: "OPERATION_FAILED" });
});

test("several processes may open a new file at the same time", async () => {
  const file = write("new.sqlite", "");
  const queues = await Promise.all(Array.from({ length: 4 }, () => openSqliteQueue(file)));
  await Promise.all(queues.map((queue) => queue.close()));
});
