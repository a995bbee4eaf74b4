import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Vec3 } from "../../src/core/geometry.ts";
import { HOME } from "../../src/mesh/pose.ts";
import { inBounds } from "../../src/place/in-bounds.ts";
import { boxOutline, outlineOfPoints } from "../fixture/outline.ts";

const VOLUME = { dimensionsMm: [200, 125, 210] as Vec3, filletRadiusMm: 5 };
const point = outlineOfPoints([[0, 0, 0]]);
const pointAt = (x: number, y: number, z: number): boolean => inBounds(point, { ...HOME, position: [x, y, z] }, VOLUME);

test("a point is in bounds to 1 µm beyond each wall, floor and ceiling, and no further", () => {
  for (const side of [-1, 1]) {
    assert.equal(pointAt(side * 100.0009, 0, 0), true);
    assert.equal(pointAt(side * 100.0011, 0, 0), false);
    assert.equal(pointAt(0, side * 62.5009, 0), true);
    assert.equal(pointAt(0, side * 62.5011, 0), false);
  }
  assert.equal(pointAt(0, 0, -0.0009), true);
  assert.equal(pointAt(0, 0, -0.0011), false);
  assert.equal(pointAt(0, 0, 210.0009), true);
  assert.equal(pointAt(0, 0, 210.0011), false);
});

test("the rounded vertical edges count: a point in a corner is inside within the fillet's radius of its axis", () => {
  const side = fc.constantFrom(-1, 1);
  fc.assert(fc.property(fc.double({ min: 0, max: Math.PI / 2, noNaN: true }), side, side, (angle, i, j) => {
    const at = (radius: number): boolean => {
      const [x, y] = [95 + radius * Math.cos(angle), 57.5 + radius * Math.sin(angle)];
      return pointAt(i * x, j * y, 100);
    };
    assert.equal(at(5.0009), true);
    assert.equal(at(5.0011), false);
  }));
});

test("a box as large as the volume is in bounds where its edges are sharp, and not where they are rounded", () => {
  const whole = boxOutline(VOLUME.dimensionsMm);
  const standing = { ...HOME, position: [0, 0, 105] as Vec3 };
  assert.equal(inBounds(whole, standing, { ...VOLUME, filletRadiusMm: 0 }), true);
  assert.equal(inBounds(whole, standing, VOLUME), false);
});

test("scale grows the model about its origin", () => {
  const part = boxOutline([50, 50, 50]);
  const scaled = (scale: number): boolean => inBounds(part, { ...HOME, position: [0, 0, 105], scale }, VOLUME);
  assert.equal(scaled(2.4), true);
  assert.equal(scaled(2.6), false);
});
