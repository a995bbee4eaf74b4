import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { test } from "node:test";
import { MAX_TEXT_BYTES, listed, quoted, toResult } from "../../src/mcp/answer.ts";
import { Handles } from "../../src/mcp/handles.ts";
import { fc } from "../fixture/property.ts";

const textOf = (lines: readonly string[]): string => {
  const [first] = toResult({ lines, data: {} }).content;
  return first?.type === "text" ? first.text : "";
};

test("texts of answers have at most 4 KB, and whole characters", () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: "grapheme", maxLength: 400 }), { maxLength: 60 }), (lines) => {
      const text = textOf(lines);
      assert.ok(Buffer.byteLength(text) <= MAX_TEXT_BYTES);
      const whole = lines.join("\n");
      if (Buffer.byteLength(whole) <= MAX_TEXT_BYTES) assert.equal(text, whole);
      else assert.ok(text.endsWith("… (cut)") && whole.startsWith(text.slice(0, -"… (cut)".length)));
    }),
  );
});

test("quoted names are one line of JSON, without characters that are not seen", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (name) => {
      const text = quoted(name);
      assert.match(text, /^"[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*"$/u);
      assert.ok(JSON.parse(text).length <= 121);
    }),
    { numRuns: 50 },
  );
  assert.equal(quoted('a "b"\nc'), '"a \\"b\\" c"');
});

test("lists say how many items they leave out", () => {
  assert.deepEqual(listed([1, 2, 3], String, 3), ["- 1", "- 2", "- 3"]);
  assert.deepEqual(listed([1, 2, 3], String, 2), ["- 1", "- 2", "- and 1 more"]);
});

test("a handle stands for one id for ever", () => {
  const handles = new Handles("part");
  assert.equal(handles.of("a"), "part1");
  assert.equal(handles.of("b"), "part2");
  assert.equal(handles.of("a"), "part1");
  assert.equal(handles.idOf("part2"), "b");
  handles.drop((id) => id === "a");
  assert.equal(handles.idOf("part1"), undefined);
  assert.equal(handles.of("a"), "part3");
  assert.deepEqual(handles.all(), ["part2", "part3"]);
});
