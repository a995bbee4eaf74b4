import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { ApiError } from "../../src/core/api-error.ts";
import { claimFolder } from "../../src/core/claim-folder.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-claim-"));
after(() => rmSync(folder, { recursive: true }));
const claim = join(folder, ".claim");

test("a folder can have one claim at a time, and is free again after its release", () => {
  const release = claimFolder(folder);
  assert.throws(
    () => claimFolder(folder),
    (thrown) => thrown instanceof ApiError && thrown.message.includes(`the process ${process.pid} uses it`),
  );
  release();
  assert.deepEqual(readdirSync(folder), []);
  claimFolder(folder)();
});

test("claims by ended processes, from other machines and from before the start of the system do not count", () => {
  const release = claimFolder(folder);
  const [host] = readFileSync(claim, "utf8").split(" ");
  release();
  const { pid } = spawnSync(process.execPath, ["--version"]);
  writeFileSync(claim, `${host} ${pid}`);
  claimFolder(folder)();
  writeFileSync(claim, `ffff0 ${process.ppid}`);
  claimFolder(folder)();
  writeFileSync(claim, `${host} ${process.ppid}`);
  assert.throws(() => claimFolder(folder));
  utimesSync(claim, 0, 0);
  claimFolder(folder)();
  writeFileSync(claim, "");
  claimFolder(folder)();
});
