import { execFileSync } from "node:child_process";
import { closeSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openRegularFile, readWholeFile } from "../../src/core/read-file.ts";

let folder = "";
before(() => {
  folder = mkdtempSync(join(tmpdir(), "read-file-"));
});
after(() => rmSync(folder, { recursive: true }));

test("a regular file is read, also an empty one and one of exactly the largest size", () => {
  for (const size of [0, 1, 70_000]) {
    const bytes = Uint8Array.from({ length: size }, (_, i) => i % 251);
    const path = join(folder, `${size}`);
    writeFileSync(path, bytes);
    assert.deepEqual(readWholeFile(path, size), bytes);
    const open = openRegularFile(path);
    assert.equal(open.size, size);
    closeSync(open.fd);
  }
});

test("a file that is too large is refused before it is read", () => {
  const path = join(folder, "over");
  writeFileSync(path, "four");
  assert.throws(() => readWholeFile(path, 3), { code: "OPERATION_FAILED", message: /4 bytes, 3 are the most/ });
});

test("missing files, folders and invalid names are reported as such", () => {
  writeFileSync(join(folder, "file"), "");
  const cases: [path: string, why: RegExp][] = [
    [join(folder, "missing"), /does not exist/],
    [folder, /is a folder/],
    [join(folder, "file", "below"), /not a folder/],
    [join(folder, "n".repeat(300)), /name is too long|does not exist/],
    ["", /does not exist/],
    [join(folder, "zero\0byte"), /NUL character/],
  ];
  for (const [path, why] of cases) {
    assert.throws(() => openRegularFile(path), { code: "OPERATION_FAILED", message: why });
  }
});

test("the error for a Git LFS pointer says so, and a longer file that begins like one is read", () => {
  const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"a".repeat(64)}\nsize 684084\n`;
  const path = join(folder, "pointer");
  writeFileSync(path, pointer);
  assert.throws(() => openRegularFile(path), { code: "OPERATION_FAILED", message: /Git LFS pointer.*git lfs pull/ });
  writeFileSync(path, pointer + " ".repeat(1000));
  closeSync(openRegularFile(path).fd);
});

test("a pipe without a writer and a device are refused at once", { skip: process.platform === "win32" }, () => {
  const pipe = join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  for (const path of [pipe, "/dev/zero", "/dev/null"]) {
    assert.throws(() => readWholeFile(path, 10), { code: "OPERATION_FAILED", message: /device or a pipe/ });
  }
});
