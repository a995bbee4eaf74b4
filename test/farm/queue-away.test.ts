import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { DatabaseSync } from "node:sqlite";
import { after, test } from "node:test";
import { runCommand, startCommand } from "../fixture/command.ts";
import { until } from "../fixture/until.ts";

// Commands whose queue is at an address where nobody answers.

const AWAY = ["--queue", "postgres://shop@127.0.0.1:1/farm"];
const folder = mkdtempSync(join(tmpdir(), "printwright-away-"));
after(() => rmSync(folder, { recursive: true }));

test("a worker waits for its queue, says so, and ends at a signal", async () => {
  const worker = startCommand(["worker", ...AWAY, "--store", folder, "--work", folder], folder);
  let log = "";
  worker.stderr!.on("data", (text) => (log += text));
  await until("it waits", () => /waits for the queue: Nobody answers at .*127\.0\.0\.1:1/.test(log));
  // Not worker.kill, because Deno then reports the signal instead of the exit status.
  process.kill(worker.pid!, "SIGTERM");
  assert.deepEqual(await once(worker, "exit"), [0, null]);
});

test("a worker does not wait for tables of a newer version, and ends with status 2", async () => {
  const newer = join(folder, "newer.sqlite");
  const database = new DatabaseSync(newer);
  database.exec("PRAGMA user_version = 99");
  database.close();
  const { status, stderr } = await runCommand(
    ["worker", "--queue", newer, "--store", folder, "--work", folder],
    folder,
  );
  assert.equal(status, 2);
  assert.match(stderr, /made by a newer version of this program \(99, this one knows \d+\): use that version/);
});

test("commands of people say at once that nobody answers, and how to go on", async () => {
  writeFileSync(join(folder, "steps.json"), "[]");
  for (const words of [
    ["jobs", "list"],
    ["submit", "steps.json", "--store", folder],
  ]) {
    const { status, stderr, stdout } = await runCommand([...words, ...AWAY, "--json"], folder);
    assert.equal(status, 2, stderr);
    assert.match(stderr, /Nobody answers at .* Start its server, or correct the address/);
    assert.equal(JSON.parse(stdout).error.code, "OPERATION_FAILED");
  }
});
