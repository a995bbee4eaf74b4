import assert from "node:assert/strict";
import { test } from "node:test";
import { runAtOnce } from "../../src/core/steps.ts";
import { type JsonLimits, JsonLimitError, scanJson } from "../../src/core/scan-json.ts";
import { fc } from "../fixture/property.ts";

const UNLIMITED: JsonLimits = { depth: 1000, containers: Infinity };

/** The limit that a scan of the text exceeds; undefined if it exceeds none. */
function passedLimit(text: string, limits: Partial<JsonLimits>): JsonLimitError | undefined {
  try {
    runAtOnce(scanJson(new TextEncoder().encode(text), { ...UNLIMITED, ...limits }));
    return undefined;
  } catch (thrown) {
    return thrown as JsonLimitError;
  }
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null;

/** The counts of the scan, computed from the parsed value. */
function count(value: unknown): { depth: number; containers: number; values: number; keys: number } {
  if (!isContainer(value)) return { depth: 0, containers: 0, values: 0, keys: 0 };
  const entries = Object.values(value);
  const inside = entries.map(count);
  const sum = (of: "containers" | "values"): number => inside.reduce((total, one) => total + one[of], 0);
  return {
    depth: 1 + Math.max(0, ...inside.map(({ depth }) => depth)),
    containers: 1 + sum("containers"),
    values: 1 + Math.max(0, entries.length - 1) + sum("values"),
    keys: Math.max(Array.isArray(value) ? 0 : entries.length, ...inside.map(({ keys }) => keys)),
  };
}

test("any JSON passes limits equal to its counts, and none below them", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.boolean(), (compact, indented) => {
      const value = JSON.parse(compact) as unknown;
      const text = indented ? JSON.stringify(value, null, 3) : compact;
      for (const [limit, found] of Object.entries(count(value)) as [keyof JsonLimits, number][]) {
        assert.equal(passedLimit(text, { [limit]: found }), undefined, `${limit} ${found}`);
        // One field needs no comma, so that it is not counted.
        if (found < 1 || (limit === "keys" && found < 2)) continue;
        assert.equal(passedLimit(text, { [limit]: found - 1 })?.limit, limit);
      }
    }),
  );
});

test("texts and numbers are measured at any position", () => {
  const long = "x".repeat(9);
  for (const text of [
    `"${long}"`,
    `{"${long}": 1}`,
    `{"a": ["b", "${long}"]}`,
    "123456789",
    "[1, -12345678]",
    "[0.1234567]",
  ]) {
    assert.equal(passedLimit(text, { tokenBytes: 9 }), undefined, text);
    assert.equal(passedLimit(text, { tokenBytes: 8 })?.limit, "tokenBytes", text);
  }
  assert.equal(passedLimit(`{ "a" :   ${" ".repeat(100)} 1, "b": [ 2 , 3 ] }`, { tokenBytes: 1 }), undefined);
});

test("escapes are counted, and an escaped quote does not end a text", () => {
  const text = String.raw`{"a": "\"[[[{{{,,,\\", "b": "A\n"}`;
  assert.equal(passedLimit(text, { escapes: 3, depth: 1, values: 2, containers: 1 }), undefined);
  assert.equal(passedLimit(text, { escapes: 2 })?.limit, "escapes");
});

test("the reported path leads to the place of the error", () => {
  const at = (text: string, limits: Partial<JsonLimits>) => passedLimit(text, limits)?.path;
  assert.deepEqual(at('{"ids": ["a", "b", "c"]}', { values: 3 }), ["ids", 2]);
  assert.deepEqual(at('{"a": 1, "b": {"c": [0, {"d": "long"}]}}', { tokenBytes: 3 }), ["b", "c", 1, "d"]);
  assert.deepEqual(at('{"a": {"b": 1, "c": 2, "d": 3}}', { keys: 2 }), ["a"]);
  assert.deepEqual(at('{"a": {"long": 1}}', { tokenBytes: 3 }), ["a"]);
});

test("broken JSON of any kind is left to the parser", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom("[", "]", "{", "}", ",", ":", '"', "\\", "1", "a", " ")), (parts) => {
      assert.equal(passedLimit(parts.join(""), {}), undefined);
    }),
  );
});

test("a large text is scanned in many steps", () => {
  const steps = scanJson(new TextEncoder().encode(`[${"1,".repeat(2_000_000)}1]`), UNLIMITED);
  let count = 0;
  while (!steps.next().done) count++;
  assert.ok(count >= 4, String(count));
});
