import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { toleranceForSize } from "../../../src/format/occt/tolerance-for-size.ts";
import { brepText } from "../../fixture/brep-file.ts";

const OPTIONS = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };

/** A rational surface of 2 × 2 poles over the plane, as entity 128. */
function igesSurface(size: number, at: number): string {
  const poles = [0, size].flatMap((y) => [0, size].flatMap((x) => [at + x, at + y, at]));
  const numbers = [1, 1, 1, 1, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1, 1, 1, 1, 1, ...poles, 0, 1, 0, 1];
  const record = `128,${numbers.map((one) => (Number.isInteger(one) ? `${one}.` : one)).join()};`;
  const lines = record.match(/.{1,64}/g)!;
  return lines.map((line, i) => `${line.padEnd(64)}       1P${String(i + 1).padStart(7)}\n`).join("");
}

const stepPoints = (size: number, at: number): string =>
  [0, 0.3, 0.7, 1]
    .map((share, i) => `#${i + 1} = CARTESIAN_POINT ( 'NONE', ( ${at + share * size}, ${at}, ${-at} ) ) ;\n`)
    .join("");

const TEXTS = {
  Step: stepPoints,
  Iges: igesSurface,
  Brep: (size: number, at: number) => brepText({ size: [size, size / 2, 1], at: [at, -at, 0] }),
} as const;

for (const format of ["Step", "Iges", "Brep"] as const) {
  const raised = (size: number, at: number, unitMm = 1, forcedMm?: number): number => {
    const bytes = Buffer.from(TEXTS[format](size, at));
    return toleranceForSize(bytes, format, { ...OPTIONS, unitMm: forcedMm }, unitMm).options.chordalToleranceMm;
  };
  test(`${format}: the tolerance is raised for models larger than half a metre, wherever they are`, () => {
    for (const at of [0, 5, -40_000]) {
      assert.equal(raised(480, at), 0.01);
      assert.equal(raised(20_000, at), 0.4);
    }
    assert.equal(raised(480, 0, 25.4), 0.24);
    assert.equal(raised(480, 0, 25.4, 1), 0.01);
  });
}

test("a warning names the size and both tolerances", () => {
  const { warnings } = toleranceForSize(Buffer.from(stepPoints(38_400, 0)), "Step", OPTIONS, 1);
  assert.equal(warnings.length, 1);
  assert.match(warnings[0], /some 38000 mm, .* from 10 to 770\. Force its units/);
});

test("a text without points, and real parts, keep the requested tolerance", () => {
  assert.equal(toleranceForSize(Buffer.from("ISO-10303-21;"), "Step", OPTIONS, 1).options, OPTIONS);
  const bracket = readFileSync(new URL("../../../assets/demo/bracket.step", import.meta.url));
  assert.equal(toleranceForSize(bracket, "Step", OPTIONS, 1).options, OPTIONS);
});
