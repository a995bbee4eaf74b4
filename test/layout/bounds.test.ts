import assert from "node:assert/strict";
import { test } from "node:test";
import type { BuildVolume } from "../../src/geometry/build-volume.ts";
import { IDENTITY_POSE, type Pose } from "../../src/geometry/pose.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { inBounds, moveInside, snapToPlatform } from "../../src/layout/bounds.ts";
import type { Outline } from "../../src/mesh/outline.ts";
import { boxOutline, outlineOfPoints } from "../fixture/outline.ts";
import { fc } from "../fixture/property.ts";

const VOLUME: BuildVolume = { dimensionsMm: [200, 125, 210], filletRadiusMm: 5 };
const point = outlineOfPoints([[0, 0, 0]]);
const pointAt = (x: number, y: number, z: number): boolean =>
  inBounds(point, { ...IDENTITY_POSE, position: [x, y, z] }, VOLUME);

test("a point is in bounds to 1 µm beyond each wall, floor and ceiling, and no further", () => {
  for (const side of [-1, 1]) {
    assert.equal(pointAt(side * 100.0009, 0, 0), true);
    assert.equal(pointAt(side * 100.0011, 0, 0), false);
    assert.equal(pointAt(0, side * 62.5009, 0), true);
    assert.equal(pointAt(0, side * 62.5011, 0), false);
  }
  assert.equal(pointAt(0, 0, -0.0009), true);
  assert.equal(pointAt(0, 0, -0.0011), false);
  assert.equal(pointAt(0, 0, 210.0009), true);
  assert.equal(pointAt(0, 0, 210.0011), false);
});

test("vertical edges are rounded: a point in a corner is inside within the fillet radius of its axis", () => {
  const side = fc.constantFrom(-1, 1);
  fc.assert(
    fc.property(fc.double({ min: 0, max: Math.PI / 2, noNaN: true }), side, side, (angle, i, j) => {
      const at = (radius: number): boolean => {
        const [x, y] = [95 + radius * Math.cos(angle), 57.5 + radius * Math.sin(angle)];
        return pointAt(i * x, j * y, 100);
      };
      assert.equal(at(5.0009), true);
      assert.equal(at(5.0011), false);
    }),
  );
});

test("a box as large as the volume is in bounds if the edges of the volume are sharp, but not if they are rounded", () => {
  const whole = boxOutline(VOLUME.dimensionsMm);
  const placed = { ...IDENTITY_POSE, position: [0, 0, 105] as Vec3 };
  assert.equal(inBounds(whole, placed, { ...VOLUME, filletRadiusMm: 0 }), true);
  assert.equal(inBounds(whole, placed, VOLUME), false);
});

test("scale enlarges the model about its origin", () => {
  const part = boxOutline([50, 50, 50]);
  const scaled = (scale: number): boolean => inBounds(part, { ...IDENTITY_POSE, position: [0, 0, 105], scale }, VOLUME);
  assert.equal(scaled(2.4), true);
  assert.equal(scaled(2.6), false);
});

const at = (...position: Vec3): Pose => ({ ...IDENTITY_POSE, position });
/** Millimetres in steps of a micrometre, evenly spread. */
const mm = (min: number, max: number): fc.Arbitrary<number> =>
  fc.integer({ min: Math.ceil(min * 1000), max: Math.floor(max * 1000) }).map((micrometres) => micrometres / 1000);
const within = (size: number): fc.Arbitrary<number> => mm(-size, size);

/** Clouds from small to just too large for volumes from square to long and from sharp to round. */
const cases = fc.record({
  volume: fc.record({
    dimensionsMm: fc.tuple(mm(100, 120), mm(60, 120), mm(80, 120)),
    filletRadiusMm: mm(0, 30),
  }),
  outline: fc
    .tuple(mm(5, 60), mm(5, 40))
    .chain(([x, y]) => fc.array(fc.tuple(within(x), within(y), within(20)), { minLength: 3, maxLength: 12 }))
    .map(outlineOfPoints),
  pose: fc
    .tuple(within(150), within(150), within(150), mm(0.5, 1.2))
    .map(([x, y, z, scale]): Pose => ({ ...IDENTITY_POSE, position: [x, y, z], scale })),
});

/** Whether a place (x, y) is inside, by the literal rule and without tolerance. */
function fitsXy({ hullXy }: Outline, scale: number, volume: BuildVolume, x: number, y: number): boolean {
  const { dimensionsMm, filletRadiusMm: r } = volume;
  for (let i = 0; i < hullXy.length; i += 2) {
    const u = Math.abs(x + scale * hullXy[i]);
    const v = Math.abs(y + scale * hullXy[i + 1]);
    const [a, b] = [dimensionsMm[0] / 2 - r, dimensionsMm[1] / 2 - r];
    if (u > a + r || v > b + r || (u > a && v > b && (u - a) ** 2 + (v - b) ** 2 > r * r)) return false;
  }
  return true;
}

const distanceXy = (a: Pose, x: number, y: number): number => Math.hypot(a.position[0] - x, a.position[1] - y);

test("a model that fits is moved inside, and a fine search finds no nearer position", () => {
  let [moved, cornered] = [0, 0];
  fc.assert(
    fc.property(cases, ({ volume, outline, pose }) => {
      const after = moveInside(outline, pose, volume, "xyz");
      const [x, y] = after.position;
      if (!inBounds(outline, after, volume)) return;
      const length = distanceXy(pose, x, y);
      if (length === 0) return;
      moved++;
      if (x !== pose.position[0] && y !== pose.position[1]) cornered++;
      for (const step of [1e-4, 1e-3, 1e-2, 0.1, 1, 10]) {
        for (let deg = 0; deg < 360; deg += 1) {
          const [u, v] = [x + step * Math.cos((deg * Math.PI) / 180), y + step * Math.sin((deg * Math.PI) / 180)];
          if (distanceXy(pose, u, v) > length - 1e-7) continue;
          assert.ok(!fitsXy(outline, pose.scale, volume, u, v), `(${u}, ${v}) fits and is nearer than (${x}, ${y})`);
        }
      }
    }),
    { numRuns: 400 },
  );
  assert.ok(moved > 100 && cornered > 50, `the cases cover too little: ${moved} moved, ${cornered} in both axes`);
});

test("a model is centred only if it fits at no position of a fine grid", () => {
  let centred = 0;
  fc.assert(
    fc.property(cases, ({ volume, outline, pose }) => {
      const after = moveInside(outline, pose, volume, "xy");
      const flat: Outline = { ...outline, box: { min: [0, 0, 0], max: [0, 0, 0] } };
      if (inBounds(flat, { ...after, position: [after.position[0], after.position[1], 0] }, volume)) return;
      centred++;
      const { min, max } = outline.box;
      for (const axis of [0, 1]) {
        assert.ok(Math.abs(after.position[axis] + (pose.scale * (min[axis] + max[axis])) / 2) < 1e-9);
      }
      for (let i = -40; i <= 40; i++) {
        for (let j = -40; j <= 40; j++) {
          const [x, y] = [after.position[0] + i / 2, after.position[1] + j / 2];
          assert.ok(!fitsXy(outline, pose.scale, volume, x, y), `(${x}, ${y}) fits`);
        }
      }
    }),
    { numRuns: 1500 },
  );
  assert.ok(centred > 10, `the cases cover too little: ${centred} centred`);
});

test("a model inside keeps its pose object, and moving inside is idempotent", () => {
  fc.assert(
    fc.property(cases, fc.constantFrom("xy" as const, "xyz" as const), ({ volume, outline, pose }, axes) => {
      const once = moveInside(outline, pose, volume, axes);
      if (inBounds(outline, pose, volume)) assert.equal(once, pose);
      if (inBounds(outline, once, volume)) assert.equal(moveInside(outline, once, volume, axes), once);
    }),
  );
});

test("a box next to the volume moves straight to the wall, exactly", () => {
  const cube = boxOutline([10, 10, 10]);
  assert.deepEqual(moveInside(cube, at(1000, 0.1, 5), VOLUME, "xy").position, [95, 0.1, 5]);
  assert.deepEqual(moveInside(cube, at(0.1, -1e6, 5), VOLUME, "xy").position, [0.1, -57.5, 5]);
});

test("a disc in a rounded corner of larger radius stops when the two touch", () => {
  const angles = Array.from({ length: 720 }, (_, i) => (i * Math.PI) / 360);
  const disc = outlineOfPoints(angles.map((angle): Vec3 => [2 * Math.cos(angle), 2 * Math.sin(angle), 0]));
  const from = at(95 + 300, 57.5 + 400, 0);
  const [x, y] = moveInside(disc, from, VOLUME, "xy").position;
  assert.ok(Math.abs(distanceXy(from, x, y) - 497) < 1e-4);
  assert.ok(Math.hypot(x - (95 + 3 * 0.6), y - (57.5 + 3 * 0.8)) < 0.02);
});

test("a model exactly as large as the volume is moved to its middle, from any distance", () => {
  const whole = boxOutline([200, 125, 210]);
  const sharp = { ...VOLUME, filletRadiusMm: 0 };
  fc.assert(
    fc.property(within(1e6), within(1e6), within(1e6), (x, y, z) => {
      assert.deepEqual(moveInside(whole, at(x, y, z), sharp, "xyz").position, [0, 0, 105]);
    }),
  );
});

test("the height is clamped separately, for xyz only", () => {
  const cube = boxOutline([10, 10, 10]);
  assert.deepEqual(moveInside(cube, at(3, 4, -50), VOLUME, "xyz").position, [3, 4, 5]);
  assert.deepEqual(moveInside(cube, at(3, 4, 500), VOLUME, "xyz").position, [3, 4, 205]);
  assert.deepEqual(moveInside(cube, at(3, 4, 500), VOLUME, "xy").position, [3, 4, 500]);
  assert.deepEqual(moveInside(boxOutline([10, 10, 211]), at(3, 4, 0), VOLUME, "xyz").position, [0, 0, 105]);
});

const number = fc.double({ min: -1e6, max: 1e6, noNaN: true });
const scale = fc.double({ min: 1e-3, max: 1e3, noNaN: true });

test("the lowest point of a snapped model is at exactly z = 0, and nothing else of its pose changes", () => {
  fc.assert(
    fc.property(number, number, number, number, number, scale, (x, y, z, low, high, scale) => {
      const outline = outlineOfPoints([
        [0, 0, low],
        [1, 2, high],
      ]);
      const pose = { ...IDENTITY_POSE, position: [x, y, z] as const, scale };
      const snapped = snapToPlatform(outline, pose);
      assert.equal(snapped.position[2] + scale * outline.box.min[2], 0);
      assert.deepEqual(snapped, { ...pose, position: [x, y, snapped.position[2]] });
      assert.deepEqual(snapToPlatform(outline, snapped), snapped);
    }),
  );
});

test("a model whose lowest point is its origin snaps to +0", () => {
  const snapped = snapToPlatform(outlineOfPoints([[0, 0, 0]]), { ...IDENTITY_POSE, position: [0, 0, 3] });
  assert.ok(Object.is(snapped.position[2], 0));
});
