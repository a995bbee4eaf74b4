import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../../src/core/geometry.ts";
import { airAround } from "../../../src/orient/cups/air.ts";
import { sealedMm2 } from "../../../src/orient/cups/sealed.ts";
import { shapeOf } from "../../../src/orient/shape.ts";
import { MUG } from "../../fixture/orienting.ts";
import { box, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";

const UPRIGHT = [1, 0, 0, 0, 1, 0, 0, 0, 1] as const;
/** Some other way to lay the cubes. */
const ASKEW = [0.36, 0.48, -0.8, -0.8, 0.6, 0, 0.48, 0.64, 0.6] as const;

test("a mug is a cup of its inner width either way up, and none where it lies", () => {
  const { part, extremes } = shapeOf(meshOf(MUG), 1);
  for (const frame of [UPRIGHT, ASKEW]) {
    const air = airAround(part, extremes, frame);
    const width = Math.PI * 13 ** 2;
    for (const up of [
      [0, 0, 1],
      [0, 0, -1],
    ] as Vec3[]) {
      const found = sealedMm2(air, up, part.vertices);
      assert.ok(found > 0.75 * width && found < 1.1 * width, `${found} of ${width}`);
    }
    for (const up of [
      [1, 0, 0],
      [0, -1, 0],
    ] as Vec3[])
      assert.equal(sealedMm2(air, up, part.vertices), 0);
  }
});

test("what has no hollow seals nothing, however it stands", () => {
  for (const shape of [box([30, 20, 10]), uvSphere(15)]) {
    const { part, extremes } = shapeOf(meshOf(shape), 1);
    const air = airAround(part, extremes, ASKEW);
    for (const up of [
      [0, 0, 1],
      [0.6, 0, 0.8],
      [0.36, 0.48, -0.8],
    ] as Vec3[]) {
      assert.equal(sealedMm2(air, up, part.vertices), 0);
    }
  }
});

test("a ring seals its hole where it lies, and none where it stands", () => {
  const { part, extremes } = shapeOf(meshOf(torus(20, 5)), 1);
  const air = airAround(part, extremes, UPRIGHT);
  const hole = sealedMm2(air, [0, 0, 1], part.vertices);
  assert.ok(hole > Math.PI * 13 ** 2 && hole < Math.PI * 21 ** 2, `${hole}`);
  assert.equal(sealedMm2(air, [1, 0, 0], part.vertices), 0);
});
