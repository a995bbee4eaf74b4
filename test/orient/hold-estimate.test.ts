import assert from "node:assert/strict";
import { test } from "node:test";
import { supportSettingsOf } from "../../src/feature/support/endpoint.ts";
import { noProgress } from "../../src/core/progress.ts";
import { IDENTITY_POSE, roundedAngles } from "../../src/geometry/pose.ts";
import { type Vec3, unit } from "../../src/geometry/vector.ts";
import { GREEN_MODULUS, PEEL_STRESS } from "../../src/hold/strengths.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { outlineOf } from "../../src/mesh/outline.ts";
import { criteriaOf } from "../../src/orient/criteria.ts";
import { type HoldEstimate, estimateHold, estimateHoldBothWays } from "../../src/orient/hold-estimate.ts";
import { holdEstimator } from "../../src/orient/direction-cost.ts";
import { orientationCandidate } from "../../src/orient/orientation-candidate.ts";
import { partShape } from "../../src/orient/part-shape.ts";
import { surfelsOf } from "../../src/orient/surfels.ts";
import { layerBoundariesMm } from "../../src/slice/layer-heights.ts";
import { placeTouchpoints } from "../../src/support/points/place-touchpoints.ts";
import { longTest } from "../fixture/long.ts";
import { BRACKET, CONE, MUG, orientRequest } from "../fixture/orienting.ts";
import { box, cylinder, torus } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { RESIN_SETTING } from "../fixture/some-scene.ts";
import { assertNear } from "../fixture/test-server.ts";

const CRITERIA = criteriaOf(orientRequest(meshOf(CONE)).profile);

const holdOf = (mesh: Mesh, up: Vec3, cells = 7): HoldEstimate => {
  const { surface, axes } = partShape(mesh, 1);
  return estimateHold(surfelsOf(surface, axes, cells), up);
};

/** A direction that leans from z to x by an angle. */
const leaning = (deg: number): Vec3 => [Math.sin((deg * Math.PI) / 180), 0, Math.cos((deg * Math.PI) / 180)];

test("an upright part needs tips for its largest layer, a part that leans 1 + √2 times as many", () => {
  assertNear(holdOf(meshOf(box([10, 20, 60])), [0, 0, 1]).loadMm2, 200, 10);
  assertNear(holdOf(meshOf(cylinder(10, 50)), [0, 0, 1]).loadMm2, 314, 20);
  // The base of the part is the line on which it rests, and its topmost layer is at the end of that line.
  for (const deg of [20, 30, 40]) {
    const sectionMm2 = 36 / Math.cos((deg * Math.PI) / 180);
    assertNear(holdOf(meshOf(box([6, 6, 120])), leaning(deg)).loadMm2 / sectionMm2, 1 + Math.SQRT2, 0.35, `${deg}°`);
  }
});

test("an upright plate bends like a cantilever, a leaning plate or rod does not", () => {
  const bendMm = (0.1 * PEEL_STRESS * 150 * 90 ** 3) / (3 * GREEN_MODULUS * ((50 * 3 ** 3) / 12));
  const plate = meshOf(box([3, 50, 90]));
  assertNear(holdOf(plate, [0, 0, 1]).bendMm, bendMm, 0.25 * bendMm);
  assertNear(holdOf(plate, leaning(15)).bendMm, 0, 0.1 * bendMm);
  const rod = meshOf(cylinder(3, 100));
  assert.ok(holdOf(rod, [0, 0, 1]).bendMm > 0.2);
  assert.ok(holdOf(rod, leaning(20)).bendMm < 0.1);
  // A plate that leans within its plane has no supports under its faces.
  assert.ok(holdOf(plate, unit([0, 0.3, 1])).bendMm > 0.3 * bendMm);
});

test("the estimate for the reverse side equals that of the opposite direction", () => {
  for (const shape of [BRACKET, CONE, torus(20, 5)]) {
    const { surface, axes } = partShape(meshOf(shape), 1);
    const surfels = surfelsOf(surface, axes, 9);
    for (const up of [unit([1, 2, 3]), unit([-3, 1, 0.5])]) {
      const [, reversed] = estimateHoldBothWays(surfels, up);
      const expected = estimateHold(surfels, [-up[0], -up[1], -up[2]]);
      assertNear(reversed.loadMm2, expected.loadMm2, 0.02 * expected.loadMm2);
      assertNear(reversed.bendMm, expected.bendMm, 0.02 * expected.bendMm + 1e-9);
    }
  }
});

const SETTINGS = { ...supportSettingsOf(RESIN_SETTING)!, raftLabelEnabled: false };
const LAYER_MM = 0.2;

/** Number of touchpoints of the model's supports in a pose. */
function touchpointCount(mesh: Mesh, up: Vec3): number {
  const { surface, moments } = partShape(mesh, 1);
  const { rotation } = orientationCandidate(surface.vertices, moments, up, RESIN_SETTING.printerType.volume);
  const { box: found } = outlineOf(mesh, rotation);
  const liftMm = 5;
  const placed = {
    mesh,
    pose: {
      ...IDENTITY_POSE,
      orientation: roundedAngles(rotation, 1e6),
      position: [0, 0, liftMm - found.min[2]] as const,
    },
  };
  const boundariesMm = layerBoundariesMm(LAYER_MM, found.max[2] - found.min[2] + liftMm, []);
  const request = { placed, boundariesMm, settings: SETTINGS, groundMm: LAYER_MM, standingOf: () => ({}) };
  return placeTouchpoints(request, noProgress).touchpoints.length;
}

const POSES: readonly Vec3[] = [
  [0, 0, 1],
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, -1],
  leaning(15),
  leaning(50),
  unit([0.2, 1, 0.3]),
];

const RANKED = [
  ["mug", MUG],
  ["block", box([40, 25, 15])],
  ["bracket", BRACKET],
] as const;

for (const [name, shape] of RANKED) {
  longTest(`the estimate ranks poses of a ${name} like the number of real touchpoints`, () => {
    const mesh = meshOf(shape);
    const part = partShape(mesh, 1);
    const holds = holdEstimator(part, CRITERIA);
    const estimates = POSES.map((up) => holds.one(up).loadMm2);
    const counts = POSES.map((up) => touchpointCount(mesh, up));
    const correlation = rankCorrelation(estimates, counts);
    assert.ok(correlation > 0.6, `${correlation}: ${estimates.map(Math.round)} of ${counts}`);
  });
}

/** Spearman's rank correlation. */
function rankCorrelation(a: readonly number[], b: readonly number[]): number {
  const [p, q] = [a, b].map((values) =>
    values.map(
      (value) => values.filter((other) => other < value).length + values.filter((other) => other === value).length / 2,
    ),
  );
  const mean = a.length / 2;
  const covariance = (x: readonly number[], y: readonly number[]): number =>
    x.reduce((sum, value, i) => sum + (value - mean) * (y[i] - mean), 0);
  return covariance(p, q) / Math.sqrt(covariance(p, p) * covariance(q, q));
}
