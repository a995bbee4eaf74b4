import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type Holds,
  addHold,
  bearableByOne,
  bearableN,
  discMoments,
  newHolds,
  noRotation,
  surelyBear,
} from "../../src/hold/equilibrium.ts";
import { randomFrom } from "../fixture/random.ts";

const TOUCH_MM = 0.5;

type Point = readonly [strengthN: number, x: number, y: number];

function holdsAt(points: readonly Point[], sizeMm = TOUCH_MM): Holds {
  const holds = newHolds();
  for (const [strengthN, x, y] of points) addHold(holds, strengthN, x, y, discMoments(sizeMm));
  return holds;
}

/**
 * The least of Σ S |1 + b u + c v| over all b, c. The work is linear between the lines at which a hold does not rise, so it is
 * least at a crossing of two of these lines, or at b = c = 0.
 */
function leastWorkOfPoints(points: readonly Point[], x: number, y: number): number {
  const work = (b: number, c: number): number =>
    points.reduce((sum, [s, px, py]) => sum + s * Math.abs(1 + b * (px - x) + c * (py - y)), 0);
  let least = work(0, 0);
  for (const [i, [, px, py]] of points.entries()) {
    for (const [, qx, qy] of points.slice(0, i)) {
      const [pu, pv, qu, qv] = [px - x, py - y, qx - x, qy - y];
      const determinant = pu * qv - pv * qu;
      if (Math.abs(determinant) > 1e-9) least = Math.min(least, work((pv - qv) / determinant, (qu - pu) / determinant));
    }
  }
  return least;
}

const near = (value: number, wanted: number, tolerance: number): void =>
  assert.ok(Math.abs(value - wanted) <= tolerance, `${value} instead of ${wanted}`);

test("one touchpoint bears its strength in its middle, and less away from the middle, depending on its width", () => {
  const holds = holdsAt([[2, 0, 0]]);
  near(bearableN(holds, 0, 0, noRotation()), 2, 1e-6);
  // The plastic moment of a disc: σ d³ / 6, which is strength · 2 d / (3 π).
  const farMm = 20;
  near(bearableN(holds, farMm, 0, noRotation()) * farMm, 2 * ((2 * TOUCH_MM) / (3 * Math.PI)), 0.002);
  near(bearableN(holds, 0, farMm, noRotation()), bearableByOne(2, discMoments(TOUCH_MM), 0, farMm), 1e-6);
});

test("two touches bear the load between them, and less outside of them, depending on the lever", () => {
  const holds = holdsAt([
    [1, 0, 0],
    [1, 10, 0],
  ]);
  near(bearableN(holds, 5, 0, noRotation()), 2, 0.01);
  // 10 mm beyond the touchpoints: the far one is pressed with 1; the near one would need to pull with 2 but bears 1, so that 0.5 remains.
  near(bearableN(holds, 20, 0, noRotation()), 0.5, 0.03);
  assert.ok(bearableN(holds, 5, 5, noRotation()) < 0.2, "nothing keeps them from turning about their line");
});

test("touches on a circle bear their full strength in the middle of the circle", () => {
  const points = Array.from({ length: 12 }, (_, i): Point => {
    const angle = (i * Math.PI) / 6;
    return [0.4, 8 * Math.cos(angle), 8 * Math.sin(angle)];
  });
  near(bearableN(holdsAt(points), 0, 0, noRotation()), 12 * 0.4, 0.01);
});

test("random touchpoints bear as much as points do, and only slightly more because of their width", () => {
  const random = randomFrom(7);
  for (let trial = 0; trial < 150; trial++) {
    const [width, depth] = [2 + 60 * random(), 2 + 60 * random()];
    const points = Array.from({ length: 4 + Math.floor(30 * random()) }, (): Point => [
      0.2 + random(),
      width * random(),
      depth * random(),
    ]);
    const [x, y] = [1.4 * width * random(), 1.4 * depth * random()];
    const n = bearableN(holdsAt(points, 0.01), x, y, noRotation());
    const wanted = leastWorkOfPoints(points, x, y);
    assert.ok(n >= wanted * (1 - 1e-6) && n <= wanted * 1.02 + 0.01, `${n} instead of ${wanted} in trial ${trial}`);
    assert.ok(bearableN(holdsAt(points), x, y, noRotation()) >= n * (1 - 1e-6), "wider touches bear more");
  }
});

test("the rotation shows where another touch helps: a touch adds at most its strength times the rise at its place", () => {
  const random = randomFrom(11);
  for (let trial = 0; trial < 60; trial++) {
    const points = Array.from({ length: 6 }, (): Point => [0.4, 20 * random(), 20 * random()]);
    const [x, y] = [25 * random(), 25 * random()];
    const turn = noRotation();
    const n = bearableN(holdsAt(points), x, y, turn);
    const more: Point = [0.4, 30 * random(), 30 * random()];
    const rise = 1 + turn.b * (more[1] - x) + turn.c * (more[2] - y);
    const widened = 0.4 * Math.sqrt(rise * rise + ((turn.b ** 2 + turn.c ** 2) * TOUCH_MM ** 2) / 16);
    const raised = bearableN(holdsAt([...points, more]), x, y, noRotation());
    assert.ok(raised >= n * (1 - 1e-6) && raised <= n + widened * (1 + 1e-6), `${n} to ${raised}, ${widened} more`);
  }
});

test("a search that starts from the turn of a nearby load finds the same as one without a start", () => {
  const random = randomFrom(5);
  for (let trial = 0; trial < 100; trial++) {
    const points = Array.from({ length: 3 + Math.floor(40 * random()) }, (): Point => [
      0.4,
      30 * random(),
      9 * random(),
    ]);
    const turn = noRotation();
    let [x, y] = [30 * random(), 9 * random()];
    for (let layer = 0; layer < 20; layer++) {
      const holds = holdsAt(points.slice(0, 3 + 2 * layer));
      const wanted = bearableN(holds, x, y, noRotation());
      near(bearableN(holds, x, y, turn), wanted, 2e-3 * wanted);
      [x, y] = [x + random() - 0.5, y + random() - 0.5];
    }
  }
});

test("holds bear every pull that is certainly within their strength", () => {
  const random = randomFrom(3);
  let certain = 0;
  for (let trial = 0; trial < 400; trial++) {
    const points = Array.from({ length: 3 + Math.floor(30 * random()) }, (): Point => [
      0.4,
      30 * random(),
      20 * random(),
    ]);
    const [x, y, n] = [30 * random(), 20 * random(), 0.4 * points.length * random()];
    const holds = holdsAt(points);
    if (!surelyBear(holds, n, x, y)) continue;
    certain++;
    assert.ok(leastWorkOfPoints(points, x, y) >= n * (1 - 1e-3), `trial ${trial}`);
  }
  assert.ok(certain > 50, `${certain}`);
});
