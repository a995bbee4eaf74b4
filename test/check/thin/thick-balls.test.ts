import assert from "node:assert/strict";
import { test } from "node:test";
import { newThickBalls } from "../../../src/check/thin/thick-balls.ts";
import { length, subtract, type Vec3 } from "../../../src/core/geometry.ts";
import { randomFrom } from "../../fixture/altered.ts";

const REACH = 1.5;
const random = randomFrom(11);
const somePlace = (): Vec3 => [20 * random() - 10, 20 * random() - 10, 20 * random()];

const centres = Array.from({ length: 2000 }, somePlace);

function withCentres() {
  const balls = newThickBalls(REACH);
  centres.forEach(balls.add);
  return balls;
}

function nearestByTrial(place: Vec3, reachMm: number): Vec3 | undefined {
  const distances = centres.map((centre) => length(subtract(centre, place)));
  const least = Math.min(...distances);
  return least <= reachMm ? centres[distances.indexOf(least)] : undefined;
}

test("the nearest centre within reach is found, wherever it lies", () => {
  const balls = withCentres();
  let found = 0;
  for (let i = 0; i < 2000; i++) {
    const [place, reachMm] = [somePlace(), REACH * random()];
    const expected = nearestByTrial(place, reachMm);
    assert.deepEqual(balls.nearest(place, reachMm), expected);
    if (expected) found++;
  }
  assert.ok(found > 200 && found < 1800, String(found));
});

test("those are forgotten alone that no place at a height or above it can reach", () => {
  const balls = withCentres();
  balls.drop(10);
  for (let i = 0; i < 1000; i++) {
    const [x, y] = somePlace();
    const place: Vec3 = [x, y, 10 + random()];
    assert.deepEqual(balls.nearest(place, REACH), nearestByTrial(place, REACH));
  }
  const low = centres.filter(([, , z]) => z < 10 - 3 * REACH);
  assert.ok(low.length > 0 && low.every((centre) => !balls.nearest(centre, 1e-9)));
});
