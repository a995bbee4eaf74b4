import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import {
  CancelledError,
  cancelTask,
  newTaskState,
  noProgress,
  readProgress,
  taskProgress,
} from "../../src/core/progress.ts";
import type { Rectangle } from "../../src/geometry/box.ts";
import type { BuildVolume } from "../../src/geometry/build-volume.ts";
import { type Polygons, signedArea } from "../../src/geometry/polygon.ts";
import { UPRIGHT, rotationMatrix } from "../../src/geometry/pose.ts";
import { floorOf } from "../../src/layout/floor.ts";
import { layOutParts } from "../../src/layout/lay-out.ts";
import type { LayoutRequest, MovablePart } from "../../src/layout/layout-request.ts";
import { type PlacedPart, rotatePart } from "../../src/layout/part.ts";
import { silhouetteOf } from "../../src/layout/silhouette.ts";
import { arch } from "../fixture/arch.ts";
import { longTest, slowRuns } from "../fixture/long.ts";
import { distanceOf, polygons, rectangle, standingEdges, star } from "../fixture/polygons.ts";
import { fc } from "../fixture/property.ts";
import { meshOf } from "../fixture/slices.ts";

const RUNS = slowRuns(24);

const VOLUME: BuildVolume = { dimensionsMm: [200, 125, 210], filletRadiusMm: 5 };
/** Tolerances of distances and of bounds. */
const TOLERANCE_MM = 1e-6;
const BOUNDS_MM = 1e-3;

const free = (...bodies: Polygons[]): MovablePart[] => bodies.map((body) => ({ part: { body }, turns: true }));
const request = (changes: Partial<LayoutRequest>): LayoutRequest => ({
  floor: floorOf(VOLUME),
  spacingMm: 2,
  parts: [],
  obstacles: [],
  dental: false,
  ...changes,
});

function assertApart(placed: readonly PlacedPart[], spacingMm: number): void {
  const edges = placed.map((one) => standingEdges(one));
  for (const [i, a] of edges.entries()) {
    for (const b of edges.slice(0, i)) {
      const gap = distanceOf(a, b);
      assert.ok(gap > 0 && gap >= spacingMm - TOLERANCE_MM, `${gap} mm apart`);
    }
  }
}

function assertInside(placed: readonly PlacedPart[], { dimensionsMm: [x, y], filletRadiusMm: r }: BuildVolume): void {
  for (const [u, v] of placed.flatMap((one) => standingEdges(one).map(([corner]) => corner))) {
    const [right, back] = [Math.abs(u) - (x / 2 - r), Math.abs(v) - (y / 2 - r)];
    const beyond = right > 0 && back > 0 ? Math.hypot(right, back) - r : Math.max(right, back) - r;
    assert.ok(beyond <= BOUNDS_MM, `${u}, ${v} is ${beyond} mm outside`);
  }
}

const all = (placed: readonly (PlacedPart | undefined)[]): PlacedPart[] => {
  assert.ok(
    placed.every((one) => one !== undefined),
    "not all were placed",
  );
  return placed as PlacedPart[];
};

const fixed = (body: Polygons, x: number, y: number): PlacedPart => ({ part: rotatePart({ body }, 0), x, y });

longTest(
  "parts keep the spacing to each other and to obstacles inside the rounded volume, in the same layout each time",
  () => {
    let complete = 0;
    const spacing = fc.constantFrom(0, 0.3, 1, 2, 6.5);
    fc.assert(
      fc.property(
        fc.array(star(3, 26), { minLength: 1, maxLength: 12 }),
        star(5, 25),
        spacing,
        fc.constantFrom(0, 5, 40),
        (bodies, obstacle, spacingMm, filletRadiusMm) => {
          const volume = { ...VOLUME, filletRadiusMm };
          const obstacles = [fixed(obstacle, 30, -10), fixed(obstacle, 400, 0)];
          const layoutRequest = request({
            floor: floorOf(volume),
            spacingMm,
            obstacles,
            parts: free(...bodies).map((one) => ({ ...one, turns: false })),
          });
          const layout = layOutParts(layoutRequest, noProgress).placed;
          const placed = layout.filter((one) => one !== undefined);
          if (placed.length === bodies.length) complete++;
          assertApart([...placed, obstacles[0]], spacingMm);
          assertInside(placed, volume);
          assert.deepEqual(layOutParts(layoutRequest, noProgress).placed, layout);
        },
      ),
      { numRuns: RUNS },
    );
    assert.ok(complete > 0.8 * RUNS);
  },
);

test("a single part is placed in the middle", () => {
  const [one] = all(layOutParts(request({ parts: free(rectangle(30, 20)) }), noProgress).placed);
  assert.ok(Math.hypot(one.x, one.y) < 1e-6);
});

const SHARP: BuildVolume = { ...VOLUME, filletRadiusMm: 0 };
for (const [count, width, depth, spacingMm] of [
  [60, 20, 20, 0],
  [40, 20, 23.4, 2],
  [10, 18.2, 120, 2],
] as const) {
  const floorMm = [width * 10 + spacingMm * 9, depth * (count / 10) + spacingMm * (count / 10 - 1), 50] as const;
  test(`${count} boxes of ${width} × ${depth} mm fill ${floorMm[0]} × ${floorMm[1]} mm exactly, ${spacingMm} mm apart`, () => {
    const volume: BuildVolume = { ...SHARP, dimensionsMm: floorMm };
    const parts = free(...Array.from({ length: count }, () => rectangle(width, depth))).map((one) => ({
      ...one,
      turns: false,
    }));
    const placed = all(layOutParts(request({ floor: floorOf(volume), spacingMm, parts }), noProgress).placed);
    assertApart(placed, spacingMm);
    assertInside(placed, volume);
  });
}

test("a part that fits only rotated is rotated, unless it may not be", () => {
  const parts = free(rectangle(100, 190));
  const [one] = all(layOutParts(request({ parts }), noProgress).placed);
  assertInside([one], VOLUME);
  assert.equal(one.part.turnDeg % 180, 90);
  const { placed } = layOutParts(request({ parts: parts.map((part) => ({ ...part, turns: false })) }), noProgress);
  assert.deepEqual(placed, [undefined]);
});

test("a part that fits a sharp corner does not fit a rounded one", () => {
  const parts = free(rectangle(199, 124));
  assert.equal(layOutParts(request({ parts }), noProgress).placed[0], undefined);
  all(layOutParts(request({ floor: floorOf(SHARP), parts }), noProgress).placed);
});

test("custom bounds are respected", () => {
  const bounds: Partial<Rectangle> = { minX: -20, maxX: 45.5, minY: 10 };
  const placed = all(
    layOutParts(
      request({
        floor: floorOf(VOLUME, bounds),
        parts: free(rectangle(30, 20), rectangle(30, 20), rectangle(30, 20), rectangle(25, 25)),
      }),
      noProgress,
    ).placed,
  );
  for (const [x, y] of placed.flatMap((one) => standingEdges(one).map(([corner]) => corner))) {
    assert.ok(x >= -20 - BOUNDS_MM && x <= 45.5 + BOUNDS_MM && y >= 10 - BOUNDS_MM, `${x}, ${y}`);
  }
  assertApart(placed, 2);
});

/** Asserts that bodies keep the spacing to all other parts; returns the number of overlapping pairs of supports. */
function assertBodiesApart(placed: readonly PlacedPart[], spacingMm: number): number {
  let overlaps = 0;
  for (const [i, a] of placed.entries()) {
    for (const b of placed.slice(0, i)) {
      for (const [which, other] of [
        ["body", "body"],
        ["body", "supports"],
        ["supports", "body"],
      ] as const) {
        const gap = distanceOf(standingEdges(a, which), standingEdges(b, other));
        assert.ok(gap >= spacingMm - TOLERANCE_MM, `${which} and ${other} are ${gap} mm apart`);
      }
      if (distanceOf(standingEdges(a, "supports"), standingEdges(b, "supports")) === 0) overlaps++;
    }
  }
  return overlaps;
}

longTest("supports of any shape overlap supports of other parts if allowed, but no body", () => {
  let overlaps = 0;
  const supported = fc.record({ body: star(4, 12), supports: star(6, 20) });
  fc.assert(
    fc.property(fc.array(supported, { minLength: 3, maxLength: 9 }), fc.constantFrom(0.3, 2), (parts, spacingMm) => {
      const movable = parts.map((part): MovablePart => ({ part, turns: true }));
      const { placed } = layOutParts(request({ parts: movable, spacingMm }), noProgress);
      overlaps += assertBodiesApart(
        placed.filter((one) => one !== undefined),
        spacingMm,
      );
    }),
    { numRuns: slowRuns(15) },
  );
  assert.ok(overlaps > slowRuns(10));
});

test("more parts fit if supports may overlap", () => {
  const part = { body: rectangle(20, 20), supports: rectangle(40, 40) };
  const parts = Array.from({ length: 8 }, (): MovablePart => ({ part, turns: true }));
  const floor = floorOf({ ...SHARP, dimensionsMm: [134, 72, 100] });
  const placed = all(layOutParts(request({ floor, parts, spacingMm: 1 }), noProgress).placed);
  assert.ok(assertBodiesApart(placed, 1) > 0);
  const merged = { body: [...part.body, ...part.supports] };
  const apart = parts.map((one): MovablePart => ({ ...one, part: merged }));
  assert.ok(layOutParts(request({ floor, parts: apart, spacingMm: 1 }), noProgress).placed.includes(undefined));
});

test("dental arches are parallel to the front edge and nested into one another", () => {
  const bodies = Array.from({ length: 6 }, (_, i) =>
    silhouetteOf(
      meshOf(arch({ widthMm: 60 + i, depthMm: 45, bandMm: 12, heightMm: 15 })),
      rotationMatrix({ ...UPRIGHT, z: 77 * i }),
      1,
      noProgress,
    ),
  );
  const placed = all(layOutParts(request({ parts: free(...bodies), dental: true }), noProgress).placed);
  assertApart(placed, 2);
  assertInside(placed, VOLUME);
  for (const {
    part: { box, turnDeg },
  } of placed) {
    assert.ok(box.maxX - box.minX > 59 && box.maxY - box.minY < 46, `turned by ${turnDeg}`);
  }
  const boxesMeet = placed.some((a, i) =>
    placed
      .slice(0, i)
      .some(
        (b) =>
          a.x + a.part.box.minX < b.x + b.part.box.maxX - 5 &&
          b.x + b.part.box.minX < a.x + a.part.box.maxX - 5 &&
          a.y + a.part.box.minY < b.y + b.part.box.maxY - 5 &&
          b.y + b.part.box.minY < a.y + a.part.box.maxY - 5,
      ),
  );
  assert.ok(boxesMeet, "none is nested");
});

longTest("parts that do not fit one after the other are placed together", () => {
  const instance: {
    readonly strip_height: number;
    readonly items: readonly {
      readonly demand: number;
      readonly shape: { readonly data: readonly [number, number][] };
    }[];
  } = JSON.parse(readFileSync(new URL("../fixture/nesting/albano.json", import.meta.url), "utf8"));
  const scale = 120 / instance.strip_height;
  const bodies = instance.items.flatMap(({ demand, shape: { data } }) => {
    const corners = data.slice(0, -1).map(([x, y]): [number, number] => [x * scale, y * scale]);
    const outer = polygons(corners);
    const body = signedArea(outer[0]) > 0 ? outer : polygons(corners.toReversed());
    return Array.from({ length: demand }, () => body);
  });
  const areaMm2 = bodies.reduce((sum, [ring]) => sum + signedArea(ring), 0);
  const volume: BuildVolume = { ...SHARP, dimensionsMm: [120, areaMm2 / 120 / 0.77, 50] };
  const layoutRequest = request({
    floor: floorOf(volume),
    spacingMm: 0,
    parts: free(...bodies).map((one) => ({ ...one, turns: false })),
  });
  const placed = all(layOutParts(layoutRequest, noProgress).placed);
  assertApart(placed, 0);
  assertInside(placed, volume);
  for (const [i, { part }] of placed.entries()) assert.deepEqual(part, rotatePart({ body: bodies[i] }, part.turnDeg));
});

longTest("the layout reports progress, and stops when it is cancelled", () => {
  const parts = free(...Array.from({ length: 14 }, () => rectangle(45, 46)));
  const state = newTaskState();
  layOutParts(request({ parts }), taskProgress(state));
  assert.ok(readProgress(state) > 0.05);
  cancelTask(state);
  assert.throws(() => layOutParts(request({ parts }), taskProgress(state)), CancelledError);
});
