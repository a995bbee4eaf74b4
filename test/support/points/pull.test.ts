import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { layerBoundariesMm } from "../../../src/slice/layer-heights.ts";
import { touchpointsOf } from "../../../src/support/points/touchpoints-of.ts";
import { uvSphere } from "../../fixture/shapes.ts";
import { meshOf, placed } from "../../fixture/slices.ts";
import { SETTINGS } from "../solid/settings.ts";

const pointsOfBall = (radius: number, density: number, lift = 5): number => {
  const ball = placed(meshOf(uvSphere(radius)), { position: [0, 0, radius + lift] });
  const boundariesMm = layerBoundariesMm(0.1, 2 * radius + lift, []);
  return touchpointsOf({ placed: ball, boundariesMm, settings: { ...SETTINGS, density } }, unwatched).length;
};

test("a ball gets about a touch for each 49 mm² of its equator, which a film pulls at", () => {
  for (const radius of [8, 12]) {
    const needed = Math.ceil((Math.PI * radius * radius) / (250 * Math.PI * 0.25 ** 2));
    const points = pointsOfBall(radius, 1);
    assert.ok(points >= 0.6 * needed, `${points} of ${needed} at ${radius} mm`);
  }
});

test("without density nothing but the minimum is held", () => {
  assert.equal(pointsOfBall(12, 0), 1);
});
