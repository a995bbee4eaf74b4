import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { layerBoundariesMm } from "../../../src/slice/layer-heights.ts";
import { touchpointsOf } from "../../../src/support/points/touchpoints-of.ts";
import type { Touchpoint } from "../../../src/support/touchpoint.ts";
import { lathe, uvSphere } from "../../fixture/shapes.ts";
import { meshOf, placed } from "../../fixture/slices.ts";
import { SETTINGS } from "../solid/settings.ts";

const LIFT_MM = 5;

const pointsOfBall = (radius: number, density: number): number => {
  const ball = placed(meshOf(uvSphere(radius)), { position: [0, 0, radius + LIFT_MM] });
  const boundariesMm = layerBoundariesMm(0.1, 2 * radius + LIFT_MM, []);
  return touchpointsOf({ placed: ball, boundariesMm, settings: { ...SETTINGS, density } }, unwatched).length;
};

test("a ball gets a touch for each 10 mm² of its equator, which a film pulls at", () => {
  for (const radius of [8, 12]) {
    const needed = (Math.PI * radius * radius) / (50 * Math.PI * 0.25 ** 2);
    const points = pointsOfBall(radius, 1);
    assert.ok(points >= Math.floor(needed) && points <= 1.3 * needed, `${points} of ${needed} at ${radius} mm`);
  }
});

const pointsUnder = (profile: readonly (readonly [radius: number, z: number])[]): readonly Touchpoint[] => {
  const [top] = profile.at(-1)!.toReversed();
  const standing = placed(meshOf(lathe(profile, 96, false)), { position: [0, 0, top / 2 + LIFT_MM] });
  const boundariesMm = layerBoundariesMm(0.1, top + LIFT_MM, []);
  return touchpointsOf({ placed: standing, boundariesMm, settings: SETTINGS }, unwatched);
};

test("what widens upward is held at its foot, more densely than the foot alone asks", () => {
  const [alone, widened] = [6, 14].map((radius) =>
    pointsUnder([
      [0, 0],
      [6, 0],
      [radius, 20],
      [0, 20],
    ]),
  );
  const needed = (Math.PI * 14 * 14) / (50 * Math.PI * 0.25 ** 2);
  assert.ok(alone.length < needed / 2, `${alone.length} of ${needed}`);
  assert.ok(Math.abs(widened.length - needed) <= 1, `${widened.length} of ${needed}`);
  widened.forEach(({ position: [x, y, z] }, i) => {
    assert.ok(Math.abs(z - LIFT_MM) < 1e-4 && Math.sqrt(x * x + y * y) < 6);
    for (const { position } of widened.slice(0, i)) {
      assert.ok((position[0] - x) ** 2 + (position[1] - y) ** 2 > 0.7 ** 2);
    }
  });
});

test("the pull alone sets no points above the model itself", () => {
  const points = pointsUnder([
    [0, 0],
    [6, 0],
    [6, 2],
    [3, 3],
    [3, 10],
    [5, 10],
    [14, 35],
    [0, 35],
  ]);
  assert.ok(points.length >= 50);
  for (const { position } of points) assert.ok(Math.abs(position[2] - LIFT_MM) < 1e-4, `${position}`);
});

test("without density nothing but the minimum is held", () => {
  assert.equal(pointsOfBall(12, 0), 1);
});
