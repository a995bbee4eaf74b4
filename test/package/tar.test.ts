import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { systemNeeds } from "../../package/elf.ts";
import { type TarEntry, tarGzOf, tarOf } from "../../package/tar.ts";
import { missing, noLinuxProgram } from "../fixture/package-release.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-tar-"));
after(() => rmSync(folder, { recursive: true }));

const run = (program: string, ...words: string[]) => spawnSync(program, words, { encoding: "utf8" }).stdout;

const DATE = new Date("2026-02-03T04:05:06Z");
const ENTRIES: readonly TarEntry[] = [
  { path: "folder/" },
  { path: "folder/odd", content: "x".repeat(513), mode: 0o750, owner: 65_532 },
  { path: "folder/empty" },
  { path: "open/", mode: 0o1777 },
  { path: "folder/block", content: new Uint8Array(512).fill(7) },
];

test("tar lists and extracts what was put in", { skip: missing("tar") }, () => {
  const archive = join(folder, "a.tar.gz");
  writeFileSync(archive, tarGzOf(ENTRIES, DATE));
  const listed = run("tar", "tzvf", archive, "--numeric-owner", "--utc").trim().split("\n");
  assert.deepEqual(
    listed.map((line) => line.replaceAll(/ +/g, " ")),
    [
      "drwxr-xr-x 0/0 0 2026-02-03 04:05 folder/",
      "-rwxr-x--- 65532/65532 513 2026-02-03 04:05 folder/odd",
      "-rw-r--r-- 0/0 0 2026-02-03 04:05 folder/empty",
      "drwxrwxrwt 0/0 0 2026-02-03 04:05 open/",
      "-rw-r--r-- 0/0 512 2026-02-03 04:05 folder/block",
    ],
  );
  run("tar", "xzf", archive, "-C", folder, "--no-same-owner");
  assert.equal(readFileSync(join(folder, "folder/odd"), "utf8"), "x".repeat(513));
  assert.deepEqual(new Uint8Array(readFileSync(join(folder, "folder/block"))), new Uint8Array(512).fill(7));
  assert.equal(statSync(join(folder, "folder/empty")).size, 0);
});

test("archives depend on their entries and their date alone", () => {
  assert.deepEqual(tarGzOf(ENTRIES, DATE), tarGzOf(ENTRIES, DATE));
  assert.notDeepEqual(tarOf(ENTRIES, DATE), tarOf(ENTRIES, new Date(0)));
  assert.throws(() => tarOf([{ path: "a".repeat(101) }], DATE), /longer than 100 bytes/);
});

test("the needs of an executable are those that readelf shows", { skip: noLinuxProgram || missing("readelf") }, () => {
  const program = "/usr/bin/env";
  const { loader, libraries, glibc } = systemNeeds(program);
  const dynamic = run("readelf", "--dynamic", program);
  assert.deepEqual(
    libraries,
    [...dynamic.matchAll(/\(NEEDED\).*\[(.*)\]/g)].map(([, name]) => name),
  );
  assert.ok(run("readelf", "--program-headers", program).includes(`interpreter: ${loader}]`));
  const versions = [...run("readelf", "--version-info", program).matchAll(/GLIBC_2\.(\d+)/g)];
  assert.equal(glibc, `2.${Math.max(...versions.map(([, minor]) => Number(minor)))}`);
});

test("files that are no executables of Linux are refused", () => {
  const file = join(folder, "text");
  writeFileSync(file, "#!/bin/sh\n".padEnd(100));
  assert.throws(() => systemNeeds(file), /is not a 64-bit little-endian ELF executable/);
});
