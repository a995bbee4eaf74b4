import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { newTemporaryName, removeStaleTemporaryFiles } from "../../src/core/temporary-file.ts";
import { writeFileAtomically } from "../../src/core/write-file.ts";

const folder = mkdtempSync(join(tmpdir(), "temporary-file-"));
after(() => rmSync(folder, { recursive: true }));

const HOUR_S = 3600;

/** A file in the folder, last written `ageS` seconds ago. */
function written(name: string, ageS = 0): string {
  const path = join(folder, name);
  writeFileSync(path, "unfinished");
  const time = Date.now() / 1000 - ageS;
  utimesSync(path, time, time);
  return name;
}

/** The name of a temporary file of the process with this id. */
const nameBy = (pid: number): string => newTemporaryName().replace(/[0-9a-f]{8}\.part$/, `${hex(pid)}.part`);
const hex = (pid: number): string => pid.toString(16).padStart(8, "0");
/** The same name as another machine would make it: the digits of the host differ. */
const foreign = (name: string): string =>
  name.replace(
    /-([0-9a-f])([0-9a-f]{11})\.part$/,
    (_, first: string, rest: string) => `-${first === "0" ? "1" : "0"}${rest}.part`,
  );

/** The id of a process that has ended. */
const endedPid = (): number => spawnSync(process.execPath, ["--version"]).pid;

test("names are UUIDs, and no two are equal", () => {
  const names = Array.from({ length: 1000 }, newTemporaryName);
  assert.equal(new Set(names).size, 1000);
  for (const name of names)
    assert.match(name, /^\.[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\.part$/);
});

test("a write removes the files that killed processes left in its folder, and nothing else", () => {
  const stale = [
    written(nameBy(endedPid())),
    written(nameBy(process.pid), HOUR_S + process.uptime()),
    written(foreign(nameBy(process.pid)), 25 * HOUR_S),
    written(".00000000-0000-4000-8000-000000000000.part", 25 * HOUR_S),
  ];
  const kept = [
    written(newTemporaryName()),
    written(nameBy(process.ppid), 2 * HOUR_S),
    written(foreign(nameBy(endedPid())), HOUR_S),
    written(".00000000-0000-4000-8000-000000000001.part", HOUR_S),
    written("my.part", 48 * HOUR_S),
    written(".00000000-0000-4000-8000-00000000000g.part", 48 * HOUR_S),
  ];
  writeFileAtomically(join(folder, "target"), [new Uint8Array(3)]);
  const left = readdirSync(folder);
  for (const name of stale) assert.ok(!left.includes(name), name);
  assert.deepEqual(left.sort(), ["target", ...kept].sort());
});

test("a folder that cannot be listed makes the removal fail, not the write", () => {
  assert.throws(() => removeStaleTemporaryFiles(join(folder, "missing")));
});
