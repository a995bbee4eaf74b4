import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../../src/core/geometry.ts";
import { Reserve, type SparePlace } from "../../../src/support/points/reserve.ts";
import { DOWN, type SurfacePoint } from "../../../src/support/points/surface-point.ts";
import { randomFrom } from "../../fixture/altered.ts";

const placeAt = (position: Vec3, spacingMm = 1): SparePlace => ({
  position,
  normal: DOWN,
  pixel: 0,
  since: 0,
  spacingMm,
});
const pointAt = (position: Vec3): SurfacePoint => ({ position, normal: DOWN });

const distance = (a: Vec3, b: Vec3): number => Math.sqrt(a.reduce((sum, value, i) => sum + (value - b[i]) ** 2, 0));

/** The most spacings that any of the places that may be given lies away from the nearest point. */
function mostSpacings(places: readonly SparePlace[], points: readonly SurfacePoint[], leastMm: number): number {
  const away = places.map((place) => Math.min(...points.map(({ position }) => distance(position, place.position))));
  return Math.max(0, ...away.map((mm, i) => (mm < leastMm ? 0 : mm / places[i].spacingMm)));
}

test("gives the place that lies the most spacings away from all points, as both grow in number", () => {
  for (let seed = 1; seed <= 30; seed++) {
    const random = randomFrom(seed);
    const somewhere = (): Vec3 => [10 * random(), 10 * random(), 3 * random()];
    const leastMm = 0.5 + random();
    const reserve = new Reserve(leastMm);
    const places: SparePlace[] = [];
    const points = [pointAt(somewhere())];
    let given = 0;
    for (let step = 0; step < 60; step++) {
      for (let i = 0; i < 3; i++) {
        const place = placeAt(somewhere(), random() < 0.5 ? 1 : 2);
        places.push(place);
        reserve.add(place);
      }
      const most = mostSpacings(places, points, leastMm);
      const place = reserve.farthestFrom(points);
      assert.equal(place === undefined, most === 0);
      if (!place) continue;
      given++;
      assert.ok(Math.abs(mostSpacings([place], points, leastMm) - most) < 1e-9);
      points.push(pointAt(place.position), ...(random() < 0.5 ? [pointAt(somewhere())] : []));
    }
    assert.ok(given > 5);
  }
});

test("gives the first of equal places, and none that is too near to a point", () => {
  const reserve = new Reserve(1);
  const [left, right] = [placeAt([-2, 0, 0]), placeAt([2, 0, 0])];
  for (const place of [placeAt([0.9, 0, 0]), left, right]) reserve.add(place);
  assert.equal(reserve.farthestFrom([pointAt([0, 0, 0])]), left);
  assert.equal(reserve.farthestFrom([pointAt([0, 0, 0]), left]), right);
  assert.equal(reserve.farthestFrom([pointAt([0, 0, 0]), left, right]), undefined);
});

test("wants one pixel of each square as wide as the least distance", () => {
  const grid = { columns: 37, rows: 23, pixelMm: 0.1, leftMm: 0, backMm: 0 };
  const wanted = Array.from({ length: 37 * 23 }, (_, pixel) => pixel).filter((pixel) =>
    new Reserve(0.5).wants(pixel, grid),
  );
  assert.equal(wanted.length, Math.ceil(37 / 5) * Math.ceil(23 / 5));
  for (const a of wanted) {
    for (const b of wanted) {
      const apart = [(a % 37) - (b % 37), Math.floor(a / 37) - Math.floor(b / 37)];
      assert.ok(a === b || Math.max(...apart.map(Math.abs)) >= 5);
    }
  }
});
