import assert from "node:assert/strict";
import { test } from "node:test";
import {
  intersectPolygons,
  offsetPolygons,
  subtractPolygons,
  unionPolygons,
  unionWithoutHoles,
} from "../../src/geometry/polygon-operations.ts";
import { type Polygon, polygonsArea } from "../../src/geometry/polygon.ts";

const square = (x: number, y: number, half: number): Polygon =>
  Float64Array.of(x - half, y - half, x + half, y - half, x + half, y + half, x - half, y + half);

const near = (actual: number, expected: number, slack = 1e-6): void =>
  assert.ok(Math.abs(actual - expected) <= slack, `${actual} instead of ${expected}`);

test("operations on squares give the expected areas", async () => {
  const [a, b] = [square(0, 0, 1), square(1, 1, 1)];
  near(polygonsArea(await unionPolygons([a, b])), 7);
  near(polygonsArea(await unionPolygons([a.toReversed(), b])), 7);
  near(polygonsArea(await intersectPolygons([a], [b])), 1);
  near(polygonsArea(await subtractPolygons([a], [b])), 3);
  const frame = await subtractPolygons([square(0, 0, 3)], [square(0, 0, 1)]);
  near(polygonsArea(frame), 32);
  near(polygonsArea(await unionWithoutHoles([...frame])), 36);
});

test("operations on empty regions give empty regions", async () => {
  const a = square(0, 0, 1);
  for (const region of [
    await unionPolygons([]),
    await intersectPolygons([], [a]),
    await intersectPolygons([a], []),
    await offsetPolygons([], 1),
  ]) {
    assert.deepEqual(region, []);
  }
  near(polygonsArea(await subtractPolygons([a], [])), 4);
  assert.deepEqual(await subtractPolygons([a], [a]), []);
  assert.deepEqual(await offsetPolygons([a], -2), []);
});

test("an outward offset has round corners, and a closing joins near parts", async () => {
  near(polygonsArea(await offsetPolygons([square(0, 0, 5)], 1)), 100 + 40 + Math.PI, 0.03);
  near(polygonsArea(await offsetPolygons([square(0, 0, 5)], -1)), 64);
  const pair = [square(0, 0, 2), square(5, 0, 2)];
  assert.equal((await offsetPolygons(pair, 0.4, -0.4)).length, 2);
  assert.equal((await offsetPolygons(pair, 0.8, -0.8)).length, 1);
});
