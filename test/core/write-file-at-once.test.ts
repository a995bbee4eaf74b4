import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { writeFileAtomically } from "../../src/core/write-file.ts";

test("a file that another program replaces all the while can be written", async () => {
  const folder = mkdtempSync(join(tmpdir(), "write-file-at-once-"));
  const path = join(folder, "target");
  const ended = new Int32Array(new SharedArrayBuffer(4));
  const replacer = new Worker(new URL("../fixture/replacer.ts", import.meta.url), { workerData: { path, ended } });
  const exited = new Promise((resolve) => replacer.once("exit", resolve));
  await new Promise((resolve) => replacer.once("message", resolve));
  try {
    for (let i = 0; i < 400; i++) writeFileAtomically(path, [new TextEncoder().encode("own")]);
  } finally {
    Atomics.store(ended, 0, 1);
    await exited;
  }
  writeFileAtomically(path, [new TextEncoder().encode("own")]);
  assert.equal(readFileSync(path, "utf8"), "own");
  assert.deepEqual(readdirSync(folder), ["target"]);
  rmSync(folder, { recursive: true });
});
