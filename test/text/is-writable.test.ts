import assert from "node:assert/strict";
import { test } from "node:test";
import { isWritable } from "../../src/text/is-writable.ts";

test("characters that stand by themselves from left to right can be written", () => {
  for (const character of "Aé ΩЖ№□½→\u00a0") assert.ok(isWritable(character), character);
});

test("what the font lacks, what joins or steers others, and what runs to the left cannot", () => {
  const refused = ["漢", "🦄", "\u0301", "\u200d", "\u202e", "\u00ad", "\n", "\u2028", "\ud800", "א", "ب", "ߊ", "ﷲ"];
  assert.deepEqual(refused.filter(isWritable), []);
});
