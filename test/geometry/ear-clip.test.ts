import assert from "node:assert/strict";
import { test } from "node:test";
import { type Progress, STEPS_PER_REPORT, noProgress } from "../../src/core/progress.ts";
import { earClip } from "../../src/geometry/ear-clip.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { fc } from "../fixture/property.ts";

const cross2d = ([ax, ay]: Vec3, [bx, by]: Vec3, [cx, cy]: Vec3): number =>
  (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
const onCircle = (radius: number, turn: number): Vec3 => [
  radius * Math.cos(2 * Math.PI * turn),
  radius * Math.sin(2 * Math.PI * turn),
  0,
];

test("ears cover stars with any radii exactly once", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 5, maxLength: 60 }), (radii) => {
      const corners = radii.map((radius, i) => onCircle(radius, i / radii.length));
      const facets = earClip(corners, () => false, noProgress);
      assert.equal(facets.length, corners.length - 2);
      const areas = facets.map(([a, b, c]) => cross2d(corners[a], corners[b], corners[c]));
      assert.ok(areas.every((area) => area > -1e-9));
      const wanted = corners.reduce((sum, corner, i) => {
        return sum + cross2d([0, 0, 0], corner, corners[(i + 1) % corners.length]);
      }, 0);
      const covered = areas.reduce((sum, area) => sum + area, 0);
      assert.ok(Math.abs(covered - wanted) <= 1e-9 * wanted);
    }),
    { numRuns: 100 },
  );
});

test("an edge that the mesh has already is used only if no other ear is left", () => {
  const corners = Array.from({ length: 12 }, (_, i) => onCircle(10, i / 12));
  const fan = earClip(corners, (i, j) => i !== 0 && j !== 0, noProgress);
  assert.ok(fan.every((facet) => facet.includes(0)));
  assert.equal(earClip(corners, () => true, noProgress).length, 10);
});

/** The steps that a triangulation reports for each corner. */
function stepsPerCorner(corners: readonly Vec3[]): number {
  let sum = 0;
  const progress: Progress = {
    report: (_, steps = STEPS_PER_REPORT) => void (sum += steps),
    part: () => progress,
    silent: () => progress,
  };
  assert.equal(earClip(corners, () => false, progress).length, corners.length - 2);
  return sum / corners.length;
}

test("tangled loops end within a number of steps for each corner", () => {
  const count = 4000;
  const loop = (place: (i: number) => Vec3): Vec3[] => Array.from({ length: count }, (_, i) => place(i));
  for (const [name, corners] of Object.entries({
    "a circle run through forty times": loop((i) => onCircle(10, (40 * i) / count)),
    "the same, not quite round": loop((i) => onCircle(10 + (i % 7) / 100, (40 * i) / count)),
    "a spiral that crosses itself": loop((i) => onCircle(10 + Math.min(i, count - i) + (i % 2), i / 8)),
    "corners in few places": loop((i) => [(i * i) % 11, (i * 7) % 13, 0]),
    "corners on a line": loop((i) => [Math.min(i, count - i), 0, 0]),
  })) {
    const steps = stepsPerCorner(corners);
    assert.ok(steps < 2000, `${name}: ${steps} steps per corner`);
  }
});
