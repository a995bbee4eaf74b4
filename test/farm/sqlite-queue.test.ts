import assert from "node:assert/strict";
import { createHash } from "node:crypto";
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

const VERSION = 2;
const TABLES = "1e7c34decdfc7a65";

/** A hash of the statements that made the tables of a file, and its version. */
function schemaOf(file: string): { readonly hash: string; readonly version: unknown } {
  const database = new DatabaseSync(file);
  const rows = database.prepare("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name").all();
  const version = database.prepare("PRAGMA user_version").get()?.["user_version"];
  database.close();
  const text = rows.map(({ sql }) => String(sql).replaceAll(/\s+/g, " ")).join("; ");
  return { hash: createHash("sha256").update(text).digest("hex").slice(0, 16), version };
}

test("the tables of a version stay as they are: whoever changes them raises the version, and changes older files", async () => {
  const file = write("tables.sqlite", "");
  await (await openSqliteQueue(file)).close();
  assert.deepEqual(schemaOf(file), { hash: TABLES, version: VERSION });
});

test("a file of version 1, which has no readers of events, gets what it lacks and keeps its jobs", async () => {
  const file = write("older.sqlite", "");
  const queue = await openSqliteQueue(file);
  await queue.submit([{ key: "k", lane: "plate", payload: 7 }]);
  await queue.close();
  const database = new DatabaseSync(file);
  database.exec("DROP TABLE event_reader; PRAGMA user_version = 1");
  database.close();
  const opened = await Promise.all([openSqliteQueue(file), openSqliteQueue(file)]);
  assert.equal((await opened[0]!.list())[0]?.payload, 7);
  for (const one of opened) await one.close();
  assert.deepEqual(schemaOf(file), { hash: TABLES, version: VERSION });
});

test("several processes may open a new file at the same time", async () => {
  const file = write("new.sqlite", "");
  const queues = await Promise.all(Array.from({ length: 4 }, () => openSqliteQueue(file)));
  await Promise.all(queues.map((queue) => queue.close()));
});
