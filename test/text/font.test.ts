import assert from "node:assert/strict";
import { test } from "node:test";
import { isSupportedCharacter } from "../../src/text/font.ts";

test("standalone left-to-right characters are supported", () => {
  for (const character of "Aé ΩЖ№□½→\u00a0") assert.ok(isSupportedCharacter(character), character);
});

test("missing, combining, control and right-to-left characters are not supported", () => {
  const refused = ["漢", "🦄", "\u0301", "\u200d", "\u202e", "\u00ad", "\n", "\u2028", "\ud800", "א", "ب", "ߊ", "ﷲ"];
  assert.deepEqual(refused.filter(isSupportedCharacter), []);
});
