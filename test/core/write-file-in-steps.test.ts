import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { Fault } from "../../src/core/fault.ts";
import { writeFileInSteps } from "../../src/core/write-file-in-steps.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "write-in-steps-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("the file holds what was appended, its head written over, and the result is handed on", async () => {
  const path = join(folder, "target");
  writeFileSync(path, "an older, longer file", { mode: 0o640 });
  const result = await writeFileInSteps(path, async (file) => {
    await file.append(bytes("head, "));
    await file.append(bytes("body"));
    await file.overwriteHead(bytes("HE"));
    await file.append(bytes(" and tail"));
    assert.equal(readFileSync(path, "utf8"), "an older, longer file");
    return 42;
  });
  assert.equal(result, 42);
  assert.equal(readFileSync(path, "utf8"), "HEad, body and tail");
  assert.equal(statSync(path).mode & 0o777, 0o640);
  assert.deepEqual(readdirSync(folder), ["target"]);
});

test("a failure on the way leaves the older file and nothing else", async () => {
  const path = join(folder, "target");
  writeFileSync(path, "old");
  const failure = new Error("on the way");
  await assert.rejects(
    writeFileInSteps(path, async (file) => {
      await file.append(bytes("half of it"));
      throw failure;
    }),
    (thrown) => thrown === failure,
  );
  assert.equal(readFileSync(path, "utf8"), "old");
  assert.deepEqual(readdirSync(folder), ["target"]);
});

test("a missing folder is told before anything is asked for", async () => {
  const path = join(folder, "missing", "target");
  const write = (): Promise<void> => assert.fail("must not be asked");
  await assert.rejects(writeFileInSteps(path, write), (thrown) => thrown instanceof Fault && /folder/.test(thrown.message));
});
