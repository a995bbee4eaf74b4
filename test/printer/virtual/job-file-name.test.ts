import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, posix, win32 } from "node:path";
import { after, test } from "node:test";
import { fc } from "../../fixture/property.ts";
import { jobFileName } from "../../../src/printer/virtual/job-file-name.ts";

const folder = mkdtempSync(join(tmpdir(), "printwright-names-"));
after(() => rmSync(folder, { recursive: true }));

const ID = "0a1b2c3d-4e5f-4000-8000-000000000000";
const nameOf = (name: string): string => jobFileName({ name, id: ID, extension: ".printjob" });

const DEVICES = ["con", "PRN", "aux", "nul", "COM1", "lpt9", "com¹", "CONIN$"];
const awkward = fc.oneof(
  fc.string({ unit: "binary", maxLength: 300 }),
  fc.string({ unit: fc.constantFrom(...'./\\ :*?"<>|\0\n\r\t~$-a.. '.split(""), "é", "\u202e", "🦷"), maxLength: 200 }),
  fc
    .tuple(fc.constantFrom(...DEVICES), fc.constantFrom("", ".", ".txt", " ", " .x", ".."))
    .map((parts) => parts.join("")),
  fc.constantFrom("..", "../../etc/passwd", "C:\\Windows", "~", "", "   ", "...", "\ud800", "a".repeat(10_000)),
  fc.constant("🦷".repeat(100)),
);

/** Microsoft, "Naming Files, Paths, and Namespaces", and the limits of POSIX file systems. */
function assertAllowedEverywhere(name: string): void {
  assert.doesNotMatch(name, /[<>:"/\\|?*]/);
  // oxlint-disable-next-line no-control-regex
  assert.doesNotMatch(name, /[\u0000-\u001f\u007f]/);
  assert.doesNotMatch(name, /[. ]$/);
  assert.doesNotMatch(name, /^[. ]/);
  const stem = name.split(".")[0].trimEnd().toUpperCase();
  assert.doesNotMatch(stem, /^(CON|PRN|AUX|NUL|COM[0-9¹²³]|LPT[0-9¹²³]|CONIN\$|CONOUT\$)$/);
  assert.ok(Buffer.byteLength(name) <= 143, `${Buffer.byteLength(name)} bytes`);
  assert.equal(Buffer.from(name).toString(), name, "it is whole Unicode");
  for (const path of [posix, win32]) {
    assert.equal(path.basename(name), name);
    assert.equal(path.dirname(path.resolve("/jobs", name)), path.resolve("/jobs"));
  }
}

test("the file name of any job is valid on all systems and ends with id and extension", () => {
  fc.assert(
    fc.property(awkward, (name) => {
      const file = nameOf(name);
      assertAllowedEverywhere(file);
      assert.ok(file.endsWith("-0a1b2c3d.printjob"));
      assert.ok(file.length > "-0a1b2c3d.printjob".length);
    }),
    { numRuns: 2000 },
  );
});

test("a file of that name can be written, in the folder itself", () => {
  fc.assert(
    fc.property(awkward, (name) => {
      const path = join(folder, nameOf(name));
      assert.equal(dirname(path), folder);
      writeFileSync(path, "");
      assert.ok(readdirSync(folder).includes(basename(path)));
    }),
    { numRuns: 100 },
  );
});

test("a valid name is not changed", () => {
  for (const name of ["bracket", "Zahn 12 (links), v2.1", "歯 – 12", "می‌خواهم", "👨‍👩‍👧"]) {
    assert.equal(nameOf(name), `${name}-0a1b2c3d.printjob`);
  }
});

test("forbidden characters become underscores", () => {
  assert.equal(nameOf("a/b\\c:d"), "a_b_c_d-0a1b2c3d.printjob");
  assert.equal(nameOf("../../etc/passwd"), "_.._etc_passwd-0a1b2c3d.printjob");
  assert.equal(nameOf("con.txt"), "_con.txt-0a1b2c3d.printjob");
  assert.equal(nameOf("con"), "con-0a1b2c3d.printjob");
  assert.equal(nameOf(" . "), "job-0a1b2c3d.printjob");
  assert.equal(nameOf("evil\u202egnp"), "evil_gnp-0a1b2c3d.printjob");
});
