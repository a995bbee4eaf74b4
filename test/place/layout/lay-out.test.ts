import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import fc from "fast-check";
import { cancelJob, Cancelled, newJobState, progressOf, unwatched, watchJob } from "../../../src/core/watch.ts";
import type { BuildVolume } from "../../../src/core/geometry.ts";
import { UPRIGHT, toMatrix } from "../../../src/mesh/pose.ts";
import { floorOf } from "../../../src/place/layout/floor.ts";
import { layOut, type LayoutRequest, type Movable } from "../../../src/place/layout/lay-out.ts";
import { type Standing, turnedPart } from "../../../src/place/layout/part.ts";
import { doubleArea, type Rectangle, type Region } from "../../../src/place/layout/region.ts";
import { silhouetteOf } from "../../../src/place/layout/silhouette-of.ts";
import { arch } from "../../fixture/arch.ts";
import { distanceOf, rectangle, region, standingEdges, star } from "../../fixture/regions.ts";
import { meshOf } from "../../fixture/slices.ts";

const VOLUME: BuildVolume = { dimensionsMm: [200, 125, 210], filletRadiusMm: 5 };
/** What distances may fall short by, and parts stand out by. */
const TOLERANCE_MM = 1e-6;
const BOUNDS_MM = 1e-3;

const free = (...bodies: Region[]): Movable[] => bodies.map((body) => ({ part: { body }, turns: true }));
const request = (changes: Partial<LayoutRequest>): LayoutRequest => ({
  floor: floorOf(VOLUME),
  spacingMm: 2,
  parts: [],
  obstacles: [],
  dental: false,
  ...changes,
});

function assertApart(standing: readonly Standing[], spacingMm: number): void {
  const edges = standing.map((one) => standingEdges(one));
  for (const [i, a] of edges.entries()) {
    for (const b of edges.slice(0, i)) {
      const gap = distanceOf(a, b);
      assert.ok(gap > 0 && gap >= spacingMm - TOLERANCE_MM, `${gap} mm apart`);
    }
  }
}

function assertInside(standing: readonly Standing[], { dimensionsMm: [x, y], filletRadiusMm: r }: BuildVolume): void {
  for (const [u, v] of standing.flatMap((one) => standingEdges(one).map(([corner]) => corner))) {
    const [right, back] = [Math.abs(u) - (x / 2 - r), Math.abs(v) - (y / 2 - r)];
    const beyond = right > 0 && back > 0 ? Math.hypot(right, back) - r : Math.max(right, back) - r;
    assert.ok(beyond <= BOUNDS_MM, `${u}, ${v} is ${beyond} mm outside`);
  }
}

const all = (standing: readonly (Standing | undefined)[]): Standing[] => {
  assert.ok(
    standing.every((one) => one !== undefined),
    "not all were placed",
  );
  return standing as Standing[];
};

const fixed = (body: Region, x: number, y: number): Standing => ({ part: turnedPart({ body }, 0), x, y });

test("parts stand apart from one another and from obstacles, inside the rounded volume; the same way each time", () => {
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
        const asked = request({
          floor: floorOf(volume),
          spacingMm,
          obstacles,
          parts: free(...bodies).map((one) => ({ ...one, turns: false })),
        });
        const { standing } = layOut(asked, unwatched);
        const placed = standing.filter((one) => one !== undefined);
        if (placed.length === bodies.length) complete++;
        assertApart([...placed, obstacles[0]], spacingMm);
        assertInside(placed, volume);
        assert.deepEqual(layOut(asked, unwatched).standing, standing);
      },
    ),
    { numRuns: 12, seed: 4 },
  );
  assert.ok(complete > 10);
});

test("a lone part goes to the middle", () => {
  const [one] = all(layOut(request({ parts: free(rectangle(30, 20)) }), unwatched).standing);
  assert.ok(Math.hypot(one.x, one.y) < 1e-6);
});

const SHARP: BuildVolume = { ...VOLUME, filletRadiusMm: 0 };
for (const [count, width, depth, spacingMm] of [
  [60, 20, 20, 0],
  [40, 20, 23.4, 2],
  [10, 18.2, 120, 2],
] as const) {
  const floorMm = [width * 10 + spacingMm * 9, depth * (count / 10) + spacingMm * (count / 10 - 1), 50] as const;
  test(`${count} boxes of ${width} × ${depth} mm fill ${floorMm[0]} × ${floorMm[1]} mm to the last, ${spacingMm} mm apart`, () => {
    const volume: BuildVolume = { ...SHARP, dimensionsMm: floorMm };
    const parts = free(...Array.from({ length: count }, () => rectangle(width, depth))).map((one) => ({
      ...one,
      turns: false,
    }));
    const standing = all(layOut(request({ floor: floorOf(volume), spacingMm, parts }), unwatched).standing);
    assertApart(standing, spacingMm);
    assertInside(standing, volume);
  });
}

test("a part that fits only turned is turned, unless it may not be", () => {
  const parts = free(rectangle(100, 190));
  const [one] = all(layOut(request({ parts }), unwatched).standing);
  assertInside([one], VOLUME);
  assert.equal(one.part.turnDeg % 180, 90);
  const { standing } = layOut(request({ parts: parts.map((part) => ({ ...part, turns: false })) }), unwatched);
  assert.deepEqual(standing, [undefined]);
});

test("a round corner keeps out a part that a sharp one lets in", () => {
  const parts = free(rectangle(199, 124));
  assert.equal(layOut(request({ parts }), unwatched).standing[0], undefined);
  all(layOut(request({ floor: floorOf(SHARP), parts }), unwatched).standing);
});

test("custom bounds hold", () => {
  const bounds: Partial<Rectangle> = { minX: -20, maxX: 45.5, minY: 10 };
  const standing = all(
    layOut(
      request({
        floor: floorOf(VOLUME, bounds),
        parts: free(rectangle(30, 20), rectangle(30, 20), rectangle(30, 20), rectangle(25, 25)),
      }),
      unwatched,
    ).standing,
  );
  for (const [x, y] of standing.flatMap((one) => standingEdges(one).map(([corner]) => corner))) {
    assert.ok(x >= -20 - BOUNDS_MM && x <= 45.5 + BOUNDS_MM && y >= 10 - BOUNDS_MM, `${x}, ${y}`);
  }
  assertApart(standing, 2);
});

/** Asserts that bodies are apart from all of others; tells how many supports overlap. */
function assertBodiesApart(standing: readonly Standing[], spacingMm: number): number {
  let overlaps = 0;
  for (const [i, a] of standing.entries()) {
    for (const b of standing.slice(0, i)) {
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

test("supports of any shape overlap those of others where they may, but no body", () => {
  let overlaps = 0;
  const supported = fc.record({ body: star(4, 12), supports: star(6, 20) });
  fc.assert(
    fc.property(fc.array(supported, { minLength: 3, maxLength: 9 }), fc.constantFrom(0.3, 2), (parts, spacingMm) => {
      const movable = parts.map((part): Movable => ({ part, turns: true }));
      const { standing } = layOut(request({ parts: movable, spacingMm }), unwatched);
      overlaps += assertBodiesApart(
        standing.filter((one) => one !== undefined),
        spacingMm,
      );
    }),
    { numRuns: 15, seed: 6 },
  );
  assert.ok(overlaps > 10);
});

test("where supports may overlap, more parts fit", () => {
  const part = { body: rectangle(20, 20), supports: rectangle(40, 40) };
  const parts = Array.from({ length: 8 }, (): Movable => ({ part, turns: true }));
  const floor = floorOf({ ...SHARP, dimensionsMm: [134, 72, 100] });
  const standing = all(layOut(request({ floor, parts, spacingMm: 1 }), unwatched).standing);
  assert.ok(assertBodiesApart(standing, 1) > 0);
  const merged = { body: { rings: [...part.body.rings, ...part.supports.rings] } };
  const apart = parts.map((one): Movable => ({ ...one, part: merged }));
  assert.ok(layOut(request({ floor, parts: apart, spacingMm: 1 }), unwatched).standing.includes(undefined));
});

test("dental: arches lie parallel to the front edge, nested into one another", () => {
  const bodies = Array.from({ length: 6 }, (_, i) =>
    silhouetteOf(
      meshOf(arch({ widthMm: 60 + i, depthMm: 45, bandMm: 12, heightMm: 15 })),
      toMatrix({ ...UPRIGHT, z: 77 * i }),
      1,
      unwatched,
    ),
  );
  const standing = all(layOut(request({ parts: free(...bodies), dental: true }), unwatched).standing);
  assertApart(standing, 2);
  assertInside(standing, VOLUME);
  for (const {
    part: { box, turnDeg },
  } of standing) {
    assert.ok(box.maxX - box.minX > 59 && box.maxY - box.minY < 46, `turned by ${turnDeg}`);
  }
  const boxesMeet = standing.some((a, i) =>
    standing
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

test("parts too tight for one after the other are placed all at once", () => {
  const instance: {
    readonly strip_height: number;
    readonly items: readonly {
      readonly demand: number;
      readonly shape: { readonly data: readonly [number, number][] };
    }[];
  } = JSON.parse(readFileSync(new URL("../../fixture/nesting/albano.json", import.meta.url), "utf8"));
  const scale = 120 / instance.strip_height;
  const bodies = instance.items.flatMap(({ demand, shape: { data } }) => {
    const corners = data.slice(0, -1).map(([x, y]): [number, number] => [x * scale, y * scale]);
    const outer = region(corners);
    const body = doubleArea(outer.rings[0]) > 0 ? outer : region(corners.toReversed());
    return Array.from({ length: demand }, () => body);
  });
  const areaMm2 = bodies.reduce((sum, { rings: [ring] }) => sum + doubleArea(ring) / 2, 0);
  const volume: BuildVolume = { ...SHARP, dimensionsMm: [120, areaMm2 / 120 / 0.77, 50] };
  const asked = request({
    floor: floorOf(volume),
    spacingMm: 0,
    parts: free(...bodies).map((one) => ({ ...one, turns: false })),
  });
  const standing = all(layOut(asked, unwatched).standing);
  assertApart(standing, 0);
  assertInside(standing, volume);
  for (const [i, { part }] of standing.entries()) assert.deepEqual(part, turnedPart({ body: bodies[i] }, part.turnDeg));
});

test("it tells how far it is, and stops when it is cancelled", () => {
  const parts = free(...Array.from({ length: 30 }, () => rectangle(30, 31)));
  const state = newJobState();
  layOut(request({ parts }), watchJob(state));
  assert.ok(progressOf(state) > 0.05);
  cancelJob(state);
  assert.throws(() => layOut(request({ parts }), watchJob(state)), Cancelled);
});
