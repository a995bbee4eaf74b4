import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { newTemporaryName } from "../../../src/core/temporary-file.ts";
import { workOnMedium } from "../../../src/printer/folder/medium-work.ts";

const root = mkdtempSync(join(tmpdir(), "printwright-medium-"));
after(() => rmSync(root, { recursive: true }));
let used = 0;
const newFolder = (): string => {
  const folder = join(root, `${used++}`);
  mkdirSync(folder);
  return folder;
};

const ignore = (): void => {};

test("a file gets its name, unless another file has it", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "a.part"), "job");
  assert.deepEqual(workOnMedium({ kind: "publish", folder, temporary: "a.part", name: "a.goo" }, ignore), {});
  writeFileSync(join(folder, "b.part"), "other");
  const taken = workOnMedium({ kind: "publish", folder, temporary: "b.part", name: "a.goo" }, ignore);
  assert.equal("refusal" in taken && taken.refusal.kind, "taken");
  assert.deepEqual(readdirSync(folder).toSorted(), ["a.goo", "b.part"]);
});

// Linux refuses links to folders with the error of file systems without links, such as FAT.
test("so it is on file systems without hard links", { skip: process.platform !== "linux" }, () => {
  const folder = newFolder();
  for (const name of ["a.part", "b.part"]) mkdirSync(join(folder, name));
  assert.deepEqual(workOnMedium({ kind: "publish", folder, temporary: "a.part", name: "a.goo" }, ignore), {});
  const taken = workOnMedium({ kind: "publish", folder, temporary: "b.part", name: "a.goo" }, ignore);
  assert.equal("refusal" in taken && taken.refusal.kind, "taken");
  assert.deepEqual(readdirSync(folder).toSorted(), ["a.goo", "b.part"]);
});

test("unfinished files of killed servers are removed when a medium comes, and others are left", () => {
  const folder = newFolder();
  writeFileSync(join(folder, "plate.part"), "");
  const ended = spawnSync(process.execPath, ["--version"]).pid;
  const own = newTemporaryName();
  // The end of the name is the id of the process that writes the file, in hexadecimal.
  const left = own.replace(/[0-9a-f]{8}\.part$/, `${ended.toString(16).padStart(8, "0")}.part`);
  for (const name of [own, left]) writeFileSync(join(folder, name), "");
  const result = workOnMedium({ kind: "check", folder, isFirst: true }, ignore);
  assert.ok("facts" in result && result.facts!.freeBytes! > 0);
  assert.deepEqual(readdirSync(folder).toSorted(), [own, "plate.part"]);
});

test("a copy that is not wanted any more, or whose name is taken, leaves nothing", () => {
  const folder = newFolder();
  const source = join(root, "source");
  writeFileSync(source, Buffer.alloc(10_000_000, 1));
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const copy = { kind: "copy", source, folder, temporary: "a.part", name: "a.goo", cancelled } as const;
  const reported: number[] = [];
  const result = workOnMedium(copy, (bytes) => {
    reported.push(bytes);
    cancelled[0] = 1;
  });
  assert.equal("refusal" in result && result.refusal.kind, "cancelled");
  assert.equal(reported.length, 1);
  assert.deepEqual(readdirSync(folder), []);
  writeFileSync(join(folder, "a.goo"), "foreign");
  cancelled[0] = 0;
  const taken = workOnMedium(copy, ignore);
  assert.equal("refusal" in taken && taken.refusal.kind, "taken");
  assert.deepEqual(readdirSync(folder), ["a.goo"]);
});
