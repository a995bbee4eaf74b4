import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { parseFloat32 } from "../../src/codec/parse-float32.ts";

const scan = (text: string): number => {
  const bytes = new TextEncoder().encode(`7${text}7`);
  return parseFloat32(bytes, 1, bytes.length - 1);
};

const digits = (maxLength: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(..."0123456789"), minLength: 1, maxLength });
const exponent = fc.oneof(
  fc.constant(""),
  fc.tuple(fc.constantFrom("e", "E"), fc.constantFrom("", "-", "+"), digits(3)).map((parts) => parts.join("")),
);
const decimal = fc
  .tuple(
    fc.constantFrom("", "-", "+"),
    fc.oneof(
      digits(25),
      digits(25).map((text) => `${text}.`),
      digits(25).map((text) => `.${text}`),
      fc.tuple(digits(25), digits(25)).map((parts) => parts.join(".")),
    ),
    exponent,
  )
  .map((parts) => parts.join(""));

test("every decimal gives the same number as `Math.fround(Number(text))`", () => {
  fc.assert(
    fc.property(decimal, (text) => assert.ok(Object.is(scan(text), Math.fround(Number(text))), text)),
    { numRuns: 5000 },
  );
});

test("decimals near the middle between two single-precision numbers are rounded by all their digits", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2 ** 23, max: 2 ** 24 - 2 }), fc.constantFrom("", "000000000001"), (whole, tail) => {
      for (const text of [`${whole}.5${tail}`, `-${whole}.5${tail}`, `${whole}.4${"9".repeat(18)}`]) {
        assert.equal(scan(text), Math.fround(Number(text)), text);
      }
    }),
  );
});

test("other text gives NaN, and numbers that are too large give Infinity", () => {
  const wrong = [
    "",
    "+",
    "-",
    ".",
    "-.",
    "e5",
    ".e5",
    "1e",
    "1e+",
    "1e5.5",
    "1.2.3",
    "1,5",
    "0x10",
    "1_0",
    "nan",
    "inf",
    "Infinity",
    "-1.#IND",
    "--1",
    "+-1",
    "1-",
    "1f",
    "1e1e1",
    "1e-",
    "١",
  ];
  for (const text of wrong) assert.ok(Number.isNaN(scan(text)), text);
  for (const text of ["1e39", "-1e400", "9".repeat(400)]) assert.equal(Math.abs(scan(text)), Infinity, text);
});
