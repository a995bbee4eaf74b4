import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { fc } from "../fixture/property.ts";
import { readFps, writeFps } from "../../src/format/fps.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fps-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const nested = (levels: number): string => `{"a":`.repeat(levels - 1) + "{}" + "}".repeat(levels - 1);

test("a document with any keys is read as it was written", () => {
  const file = join(folder, "setting.fps");
  const documents = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 5 });
  fc.assert(
    fc.property(documents, (document) => {
      const plain = JSON.parse(JSON.stringify(document));
      writeFps(file, plain, noProgress);
      assert.deepEqual(readFps(file), plain);
    }),
    { numRuns: 50 },
  );
  writeFps(file, JSON.parse('{"__proto__": {"kept": 1}, "ä": "🦷"}'), noProgress);
  assert.equal(JSON.stringify(readFps(file)), '{"__proto__":{"kept":1},"ä":"🦷"}');
});

test("a byte order mark and 64 levels are accepted", () => {
  const file = join(folder, "setting.fps");
  writeFileSync(file, `\uFEFF${nested(64)}`);
  assert.equal(JSON.stringify(readFps(file)), nested(64));
});

test("other files are refused with the cause", () => {
  const cases: [content: string | Uint8Array, why: RegExp][] = [
    ["", /read as JSON/],
    ["{", /read as JSON/],
    ["null", /no object/],
    ["[{}]", /no object/],
    ['"text"', /no object/],
    [nested(65), /deeper than 64/],
    ["[".repeat(1 << 20), /read as JSON/],
    ["{}{}", /read as JSON/],
    [Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d), /read as JSON/],
  ];
  for (const [content, why] of cases) {
    const file = join(folder, "hostile.fps");
    writeFileSync(file, content);
    assert.throws(() => readFps(file), { code: "INPUT_ERROR", message: why });
  }
});

test("missing files, folders and files over 16 MiB are input errors", () => {
  const large = join(folder, "large.fps");
  writeFileSync(large, "{}");
  truncateSync(large, 16 * 2 ** 20 + 1);
  assert.throws(() => readFps(large), { code: "INPUT_ERROR", message: /16777217 bytes/ });
  assert.throws(() => readFps(join(folder, "missing.fps")), { code: "INPUT_ERROR", message: /does not exist/ });
  assert.throws(() => readFps(folder), { code: "INPUT_ERROR", message: /is a folder/ });
});

test("a failed write is reported and leaves only the old file", () => {
  const file = join(folder, "setting.fps");
  writeFps(file, { old: true }, noProgress);
  assert.throws(() => writeFps(file, { unserialisable: 1n }, noProgress), TypeError);
  assert.deepEqual(JSON.parse(readFileSync(file, "utf8")), { old: true });
  mkdirSync(join(folder, "folder.fps"));
  assert.throws(() => writeFps(join(folder, "folder.fps"), {}, noProgress), {
    code: "OPERATION_FAILED",
    message: /is a folder/,
  });
  assert.throws(() => writeFps(join(folder, "none", "x.fps"), {}, noProgress), {
    code: "OPERATION_FAILED",
    message: /folder does not exist/,
  });
  assert.deepEqual(readdirSync(folder).sort(), ["folder.fps", "setting.fps"]);
});
