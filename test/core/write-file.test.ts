import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import fc from "fast-check";
import { withFile } from "../../src/core/system-error.ts";
import { writeFileAtomically } from "../../src/core/write-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "write-file-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

test("the file holds the chunks one after another, whatever stood there before", () => {
  const path = join(folder, "target");
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 50 }), { maxLength: 5 }), (chunks) => {
      writeFileAtomically(path, chunks);
      assert.deepEqual(new Uint8Array(readFileSync(path)), Uint8Array.from(chunks.flatMap((chunk) => [...chunk])));
    }),
    { numRuns: 20 },
  );
  assert.deepEqual(readdirSync(folder), ["target"]);
});

test("a failure between two chunks leaves the old file whole and no other file, and is passed on", () => {
  const path = join(folder, "target");
  writeFileSync(path, "old");
  const failing = function* () {
    yield bytes("new");
    throw new RangeError("no more");
  };
  assert.throws(() => writeFileAtomically(path, failing()), RangeError);
  assert.throws(() => writeFileAtomically(join(folder, "fresh"), failing()), RangeError);
  assert.equal(readFileSync(path, "utf8"), "old");
  assert.deepEqual(readdirSync(folder), ["target"]);
});

test("the old file is replaced only after the last chunk", () => {
  const path = join(folder, "target");
  writeFileSync(path, "old");
  const seen: string[] = [];
  writeFileAtomically(path, (function* () {
    for (const part of ["n", "ew"]) {
      seen.push(readFileSync(path, "utf8"));
      yield bytes(part);
    }
  })());
  assert.deepEqual([...seen, readFileSync(path, "utf8")], ["old", "old", "new"]);
});

test("targets that cannot be files are refused and nothing is written", () => {
  mkdirSync(join(folder, "a folder"));
  writeFileSync(join(folder, "a file"), "");
  const cases: [path: string, why: RegExp][] = [
    [join(folder, "missing", "target"), /folder does not exist/],
    [join(folder, "a folder"), /is a folder/],
    [join(folder, "a file", "target"), /not a folder/],
    [join(folder, "n".repeat(300)), /name is too long|does not exist/],
  ];
  if (process.platform !== "win32") cases.push(["/dev/null", /device/]);
  for (const [path, why] of cases) {
    assert.throws(() => writeFileAtomically(path, [bytes("x")]), { code: "OPERATION_FAILED", message: why });
  }
  assert.deepEqual(readdirSync(folder).sort(), ["a file", "a folder"]);
  assert.deepEqual(readdirSync(join(folder, "a folder")), []);
});

test("a full disk is told with the way out, other errors of the system with its own words", () => {
  const failWith = (code: string) => () => {
    throw Object.assign(new Error("the system's words"), { code });
  };
  const fault = { code: "OPERATION_FAILED" };
  assert.throws(() => withFile("write", "/x", failWith("ENOSPC")), { ...fault, message: /"\/x".*disk is full; free/ });
  assert.throws(() => withFile("write", "/x", failWith("EIO")), { ...fault, message: /the system's words/ });
  assert.throws(() => withFile("write", "/x", () => new Uint8Array(-1)), RangeError);
});

test("a link and the permissions of its file stay", { skip: process.platform === "win32" }, () => {
  const [path, link] = [join(folder, "target"), join(folder, "link")];
  writeFileSync(path, "old");
  chmodSync(path, 0o640);
  symlinkSync(path, link);
  writeFileAtomically(link, [bytes("new")]);
  assert.equal(readFileSync(path, "utf8"), "new");
  assert.equal(readlinkSync(link), path);
  assert.equal(statSync(path).mode & 0o777, 0o640);
});
