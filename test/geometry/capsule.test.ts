import assert from "node:assert/strict";
import { test } from "node:test";
import { areCapsulesApart, squaredSegmentDistance } from "../../src/geometry/capsule.ts";
import { type Vec3, distance, lerp } from "../../src/geometry/vector.ts";
import { fc } from "../fixture/property.ts";

/** Whole numbers, so that segments are often parallel, of length 0 or crossing. */
const point: fc.Arbitrary<Vec3> = fc.tuple(...([0, 1, 2] as const).map(() => fc.integer({ min: -4, max: 4 }))) as never;
const segment = fc.record({ from: point, to: point });

const STEPS = 40;

/** The least distance of points along both segments: at most half a step of each too much. */
function sampledDistance(a: { from: Vec3; to: Vec3 }, b: { from: Vec3; to: Vec3 }): number {
  let least = Infinity;
  for (let i = 0; i <= STEPS; i++) {
    for (let j = 0; j <= STEPS; j++) {
      least = Math.min(least, distance(lerp(a.from, a.to, i / STEPS), lerp(b.from, b.to, j / STEPS)));
    }
  }
  return least;
}

test("the distance of segments is that of their nearest points", () => {
  fc.assert(
    fc.property(segment, segment, (a, b) => {
      const found = Math.sqrt(squaredSegmentDistance(a, b));
      const sampled = sampledDistance(a, b);
      const slack = (distance(a.from, a.to) + distance(b.from, b.to)) / (2 * STEPS);
      assert.ok(found <= sampled + 1e-9 && found >= sampled - slack - 1e-9, `${found} instead of ${sampled}`);
      assert.ok(Math.abs(squaredSegmentDistance(b, a) - found * found) < 1e-9);
    }),
  );
});

test("capsules are apart where the distance of their segments is more than their radii and the gap", () => {
  const a = { from: [0, 0, 0], to: [0, 0, 9], radiusMm: 1 } as const;
  const b = { from: [3.5, -5, 4], to: [3.5, 5, 4], radiusMm: 2 } as const;
  assert.ok(areCapsulesApart(a, b, 0.49));
  assert.ok(!areCapsulesApart(a, b, 0.51));
});
