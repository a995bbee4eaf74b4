import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import type { Vec3 } from "../../../src/geometry/vector.ts";
import { layerBoundariesMm } from "../../../src/slice/layer-heights.ts";
import { type Candidate, CandidatePool } from "../../../src/support/points/peel-force.ts";
import { placeTouchpoints } from "../../../src/support/points/place-touchpoints.ts";
import { DOWN, type SurfacePoint } from "../../../src/support/points/underside.ts";
import type { Touchpoint } from "../../../src/support/points/touchpoint.ts";
import { randomFrom } from "../../fixture/random.ts";
import { lathe, uvSphere } from "../../fixture/shapes.ts";
import { meshOf, placed } from "../../fixture/slices.ts";
import { SETTINGS } from "../settings.ts";

const LIFT_MM = 5;

const pointsOfBall = (radius: number, density: number): number => {
  const ball = placed(meshOf(uvSphere(radius)), { position: [0, 0, radius + LIFT_MM] });
  const boundariesMm = layerBoundariesMm(0.1, 2 * radius + LIFT_MM, []);
  return placeTouchpoints({ placed: ball, boundariesMm, settings: { ...SETTINGS, density } }, noProgress).touchpoints
    .length;
};

test("a ball gets a touchpoint for each 10 mm² of its equator, the largest area that the film pulls at", () => {
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
  return placeTouchpoints({ placed: standing, boundariesMm, settings: SETTINGS }, noProgress).touchpoints;
};

test("a model that widens upward is held at its foot, more densely than the foot alone needs", () => {
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

test("the peel force alone candidates no points above the model itself", () => {
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

const candidateAt = (position: Vec3, spacingMm = 1): Candidate => ({
  position,
  normal: DOWN,
  pixel: 0,
  since: 0,
  spacingMm,
});
const pointAt = (position: Vec3): SurfacePoint => ({ position, normal: DOWN });

const distance = (a: Vec3, b: Vec3): number => Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0));

/** The distance from the nearest point of the farthest candidate that may be returned, in its spacings. */
function maxSpacings(candidates: readonly Candidate[], points: readonly SurfacePoint[], leastMm: number): number {
  const away = candidates.map((candidate) =>
    Math.min(...points.map(({ position }) => distance(position, candidate.position))),
  );
  return Math.max(0, ...away.map((mm, i) => (mm < leastMm ? 0 : mm / candidates[i].spacingMm)));
}

test("returns the candidate the most spacings away from all points, while both grow in number", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = randomFrom(seed);
    const somewhere = (): Vec3 => [10 * random(), 10 * random(), 3 * random()];
    const leastMm = 0.5 + random();
    const pool = new CandidatePool(leastMm);
    const candidates: Candidate[] = [];
    const points = [pointAt(somewhere())];
    let given = 0;
    for (let step = 0; step < 60; step++) {
      for (let i = 0; i < 3; i++) {
        const candidate = candidateAt(somewhere(), random() < 0.5 ? 1 : 2);
        candidates.push(candidate);
        pool.add(candidate);
      }
      const most = maxSpacings(candidates, points, leastMm);
      const candidate = pool.farthestFrom(points);
      assert.equal(candidate === undefined, most === 0);
      if (!candidate) continue;
      given++;
      assert.ok(Math.abs(maxSpacings([candidate], points, leastMm) - most) < 1e-9);
      points.push(pointAt(candidate.position), ...(random() < 0.5 ? [pointAt(somewhere())] : []));
    }
    assert.ok(given > 5);
  }
});

test("returns the first of equal candidates, and none that is too near to a point", () => {
  const pool = new CandidatePool(1);
  const [left, right] = [candidateAt([-2, 0, 0]), candidateAt([2, 0, 0])];
  for (const candidate of [candidateAt([0.9, 0, 0]), left, right]) pool.add(candidate);
  assert.equal(pool.farthestFrom([pointAt([0, 0, 0])]), left);
  assert.equal(pool.farthestFrom([pointAt([0, 0, 0]), left]), right);
  assert.equal(pool.farthestFrom([pointAt([0, 0, 0]), left, right]), undefined);
});

test("one pixel of each square as wide as the least distance is a sample", () => {
  const grid = { columns: 37, rows: 23, pixelMm: 0.1, leftMm: 0, backMm: 0 };
  const samples = Array.from({ length: 37 * 23 }, (_, pixel) => pixel).filter((pixel) =>
    new CandidatePool(0.5).isSample(pixel, grid),
  );
  assert.equal(samples.length, Math.ceil(37 / 5) * Math.ceil(23 / 5));
  for (const a of samples) {
    for (const b of samples) {
      const apart = [(a % 37) - (b % 37), Math.floor(a / 37) - Math.floor(b / 37)];
      assert.ok(a === b || Math.max(...apart.map(Math.abs)) >= 5);
    }
  }
});
