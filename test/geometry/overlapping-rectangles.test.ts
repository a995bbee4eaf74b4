import assert from "node:assert/strict";
import { test } from "node:test";
import { runAtOnce } from "../../src/core/steps.ts";
import { overlappingGroups } from "../../src/geometry/overlapping-rectangles.ts";
import { randomFrom } from "../fixture/random.ts";
import { flooded } from "../fixture/span-layer.ts";

const REACH = 0.5;

test("groups are the connected components of all pairs that overlap or touch", () => {
  let [several, large] = [0, 0];
  for (let seed = 0; seed < 400; seed++) {
    const random = randomFrom(seed);
    // Whole numbers, so that many sides are collinear or exactly a reach apart; some rectangles are long and thin.
    const whole = (most: number): number => Math.floor(random() * most) * REACH;
    const rectangles = Array.from({ length: 2 + Math.floor(random() * 24) }, () => {
      const [minX, minY] = [whole(60), whole(60)];
      return { minX, minY, maxX: minX + whole(random() < 0.2 ? 40 : 8), maxY: minY + whole(random() < 0.2 ? 40 : 8) };
    });
    const isNear = (a: number, b: number): boolean => {
      const [one, other] = [rectangles[a], rectangles[b]];
      return (
        one.minX <= other.maxX + REACH &&
        other.minX <= one.maxX + REACH &&
        one.minY <= other.maxY + REACH &&
        other.minY <= one.maxY + REACH
      );
    };
    const expected = flooded(
      rectangles.length,
      () => true,
      (i) => [...rectangles.keys()].filter((j) => isNear(i, j)),
    );
    const found = runAtOnce(overlappingGroups(rectangles, REACH));
    const ascending = expected.map((group) => group.toSorted((a, b) => a - b));
    assert.deepEqual(found, ascending, `seed ${seed}`);
    if (found.length > 1) several++;
    if (found.some((group) => group.length > 5)) large++;
  }
  assert.ok(several > 100 && large > 50, `${several} ${large}`);
});
