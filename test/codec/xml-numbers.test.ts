import assert from "node:assert/strict";
import { test } from "node:test";
import { toNumber } from "../../src/codec/xml-numbers.ts";
import { fc } from "../fixture/property.ts";

const NUMBER = /^\s*[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?\s*$/i;

test("numbers in XML are those of the schema, without other texts that JavaScript accepts as numbers", () => {
  const text = fc
    .array(fc.constantFrom(..."0019.+-eE \t\u00a0xbI"), { maxLength: 7 })
    .map((letters) => letters.join(""));
  fc.assert(
    fc.property(text, (word) => assert.equal(toNumber(word), NUMBER.test(word) ? Number(word) : NaN)),
    { numRuns: 2000 },
  );
  for (const word of [undefined, "", " ", ".", "-", "+.", "1-2", "0x10", "Infinity", "1_0"])
    assert.ok(Number.isNaN(toNumber(word)));
});
