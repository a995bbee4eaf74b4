import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import type { Box } from "../../src/geometry/box.ts";
import { IDENTITY_POSE, type Pose } from "../../src/geometry/pose.ts";
import { type Vec3, add, subtract, times } from "../../src/geometry/vector.ts";
import { placedSurface } from "../../src/mesh/mesh.ts";
import { type FillSource, fillChamber } from "../../src/pack/fill-chamber.ts";
import { packChamber } from "../../src/pack/pack-chamber.ts";
import { lockedParts } from "../fixture/disassembly.ts";
import { longTest } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, lathe } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

const regionOf = (sideMm: number, heightMm: number) =>
  ({ min: [-sideMm / 2, -sideMm / 2, 0], max: [sideMm / 2, sideMm / 2, heightMm], filletRadiusMm: 0 }) as const;

const cube = (sideMm: number): FillSource => ({
  mesh: meshOf(box([sideMm, sideMm, sideMm])),
  pose: IDENTITY_POSE,
  turns: "all",
  moves: true,
});

longTest(
  "cubes fill a chamber that exactly fits them and their spacings, whatever fraction of a cell the spacing is",
  () => {
    for (const [sideMm, spacingMm, across, high] of [
      [24, 5, 3, 2],
      [24, 0, 3, 2],
      [23.1, 5.2, 3, 2],
      [21.1, 5.1, 3, 1],
      [20.3, 2.7, 3, 3],
    ] as const) {
      const total = (count: number): number => count * sideMm + (count - 1) * spacingMm;
      const chamber = { obstacles: [], region: regionOf(total(across), total(high)), spacingMm, wallDistanceMm: 0 };
      const filling = fillChamber({ sources: [cube(sideMm)], ...chamber, maxCopies: 1000 }, noProgress);
      const cubes = 1 + filling.sources[0].copies.length;
      assert.equal(cubes, across * across * high, `cubes of ${sideMm} mm, ${spacingMm} mm apart`);
      // In a chamber 0.01 mm narrower not all fit.
      const tight = { ...chamber, region: regionOf(total(across) - 0.01, total(high)) };
      const fewer = fillChamber({ sources: [cube(sideMm)], ...tight, maxCopies: 1000 }, noProgress);
      assert.ok(1 + fewer.sources[0].copies.length < cubes, `cubes of ${sideMm} mm, 0.01 mm less`);
    }
  },
);

/** A chamber filled with cups, and with pins that fit into the cups with a twentieth of a millimetre more than the spacing. */
function cupsAndPins(): { readonly sources: readonly FillSource[]; readonly poses: readonly (readonly Pose[])[] } {
  const standing = (profile: readonly (readonly [number, number])[]): FillSource => ({
    mesh: meshOf(lathe(profile, 32, false)),
    pose: IDENTITY_POSE,
    turns: "none",
    moves: true,
  });
  const [inner, outer, spacingMm] = [9, 10.5, 5];
  const cup = [
    [0, 0],
    [outer, 0],
    [outer, 25],
    [inner, 25],
    [inner, 1.5],
    [0, 1.5],
  ] as const;
  const radius = inner * Math.cos(Math.PI / 32) - spacingMm - 0.05;
  const pin = [
    [0, 0],
    [radius, 0],
    [radius, 35],
    [0, 35],
  ] as const;
  const sources = [cup, pin].map(standing);
  const chamber = { obstacles: [], region: regionOf(53, 45), spacingMm, wallDistanceMm: 0 };
  const filling = fillChamber({ sources, ...chamber, maxCopies: 100 }, noProgress);
  return { sources, poses: filling.sources.map(({ pose, copies }) => [pose!, ...copies]) };
}

test("each cup gets a pin that fits with a twentieth of a millimetre more than the spacing", () => {
  const [cups, pins] = cupsAndPins().poses;
  assert.ok(cups.length >= 2, `${cups.length} cups`);
  for (const { position: at } of cups) {
    const inside = pins.filter(({ position: [x, y] }) => Math.hypot(x - at[0], y - at[1]) < 0.2);
    assert.equal(inside.length, 1, `pins in the cup at ${at}`);
  }
});

longTest("pins in cups can be taken out", () => {
  const { sources, poses } = cupsAndPins();
  const placed = sources.flatMap(({ mesh }, i) => poses[i].map((pose) => placedSurface({ mesh, pose })));
  assert.deepEqual(lockedParts(placed), []);
});

test("layers of parts are as high as parts and spacings together, to a hundredth of a micrometre", () => {
  const chamber = { obstacles: [], region: regionOf(60, 200), spacingMm: 4, wallDistanceMm: 0 };
  const parts = Array.from({ length: 4 }, () => cube(40));
  const { heightMm } = packChamber({ ...chamber, parts }, noProgress);
  assert.ok(Math.abs(heightMm - (4 * 40 + 3 * 4)) < 1e-5, `${heightMm} mm`);
});

/** Whether a box still fits among boxes: at the spacing along each axis, with nothing above it, against a box or wall on its left and in front. */
function freePlaceOf(size: Vec3, boxes: readonly Box[], sideMm: number, heightMm: number, spacingMm: number): boolean {
  const ends = (axis: 0 | 1): number[] =>
    [-sideMm / 2, ...boxes.map(({ max }) => max[axis] + spacingMm)].filter(
      (at) => at + size[axis] <= sideMm / 2 + 1e-6,
    );
  const overlaps = ({ min, max }: Box, axis: 0 | 1, at: number): boolean =>
    at < max[axis] + spacingMm - 1e-5 && min[axis] < at + size[axis] + spacingMm - 1e-5;
  return ends(0).some((x) =>
    ends(1).some((y) => {
      const below = boxes.filter((one) => overlaps(one, 0, x) && overlaps(one, 1, y));
      const floor = Math.max(0, ...below.map(({ max }) => max[2] + spacingMm));
      return floor + size[2] <= heightMm + 1e-6;
    }),
  );
}

longTest("once a chamber is filled with boxes, an exact search finds no place for one more", () => {
  const random = randomFrom(11);
  for (let trial = 0; trial < 16; trial++) {
    const side = (): number => 8 + 20 * random();
    const sizes = Array.from({ length: 1 + (trial % 3) }, (): Vec3 => [side(), side(), side()]);
    const [spacingMm, sideMm, heightMm] = [[0, 1.3, 0, 5][trial % 4], 50 + 30 * random(), 45 + 30 * random()];
    const sources = sizes.map((size): FillSource => ({ ...cube(1), mesh: meshOf(box(size)), turns: "none" }));
    const chamber = { obstacles: [], region: regionOf(sideMm, heightMm), spacingMm, wallDistanceMm: 0 };
    const filling = fillChamber({ sources, ...chamber, maxCopies: 500 }, noProgress);
    const boxes = filling.sources.flatMap(({ pose, copies }, i) =>
      [...(pose ? [pose] : []), ...copies].map(({ position }): Box => {
        const half = times(sizes[i], 0.5);
        return { min: subtract(position, half), max: add(position, half) };
      }),
    );
    for (const size of sizes) {
      const what = `${size} among ${boxes.length}, ${spacingMm} mm apart, in trial ${trial}`;
      assert.equal(freePlaceOf(size, boxes, sideMm, heightMm, spacingMm), false, what);
    }
  }
});
