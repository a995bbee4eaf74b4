import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { EMPTY_RECTANGLE, type Rectangle, boxOf } from "../../src/geometry/box.ts";
import { union } from "../../src/mesh/boolean.ts";
import { type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { fineGrid } from "../../src/mesh/column-grid.ts";
import { type OverlapVolume, overlapVolume } from "../../src/mesh/overlap-volume.ts";
import { slowRuns } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";
import { rotated } from "../fixture/rotated.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { facetsOf, insideOut, moved, perforated, withFacets } from "../fixture/surface-edits.ts";

const regionOf = (surface: Surface): Rectangle => {
  const { min, max } = boxOf(surface.vertices);
  return { minX: min[0], minY: min[1], maxX: max[0], maxY: max[1] };
};

/** The volumes in the region of all surfaces. */
const overlapOf = (...surfaces: Surface[]) =>
  overlapVolume(
    surfaces.map((surface) => () => surface),
    fineGrid(
      regionOf(concatenateSurfaces(surfaces)),
      surfaces.map((surface) => () => surface),
    ),
    noProgress,
  );

function assertNothing({ withinMm3, betweenMm3, region }: OverlapVolume): void {
  assert.deepEqual({ withinMm3, betweenMm3, region }, { withinMm3: 0, betweenMm3: 0, region: EMPTY_RECTANGLE });
}

const CUBE = box([10, 10, 10]);

test("the volume that upright boxes have in common is exact", () => {
  const pair = [() => CUBE, () => moved(CUBE, [5, 3, 2])];
  const found = overlapVolume(pair, fineGrid({ minX: 0, minY: -2, maxX: 5, maxY: 5 }, pair), noProgress);
  assert.ok(Math.abs(found.betweenMm3 - 5 * 7 * 8) < 1e-9);
  assert.equal(found.withinMm3, 0);
});

test("the region consists of the cells with anything in common", () => {
  const { region } = overlapOf(CUBE, moved(CUBE, [7, 3, 2]));
  for (const [side, mm] of [
    ["minX", 2],
    ["minY", -2],
    ["maxX", 5],
    ["maxY", 5],
  ] as const) {
    assert.ok(Math.abs(region[side] - mm) < 0.15, `${side}: ${region[side]} is not ${mm}`);
  }
});

test("a surface with gaps encloses nothing twice if a line enters it and does not leave it again", () => {
  const pair = concatenateSurfaces([CUBE, moved(CUBE, [0, 0, 2])]);
  const withoutTops = facetsOf(pair).filter((facet) => facet.some((vertex) => pair.vertices[3 * vertex + 2] < 5));
  assert.ok(overlapOf(pair).withinMm3 > 700);
  assert.equal(overlapOf(withFacets(pair, withoutTops)).withinMm3, 0);
});

test("volume that one surface encloses twice is distinguished from volume that two enclose", () => {
  const pair = concatenateSurfaces([CUBE, moved(CUBE, [5, 0, 0])]);
  assert.ok(Math.abs(overlapOf(pair).withinMm3 - 500) < 5);
  assert.equal(overlapOf(pair).betweenMm3, 0);
  const three = overlapOf(pair, moved(CUBE, [5, 0, 0]));
  assert.ok(Math.abs(three.withinMm3 - 500) < 5 && Math.abs(three.betweenMm3 - 1000) < 10);
});

test("sound parts have nothing in common: a cavity, a ring, parts next to each other, a part in a cavity", () => {
  const hollow = concatenateSurfaces([uvSphere(10), insideOut(uvSphere(8))]);
  for (const surfaces of [
    [hollow],
    [torus(10, 3)],
    [CUBE, moved(CUBE, [10, 0, 0])],
    [CUBE, moved(CUBE, [0, 0, 10])],
    [hollow, box([6, 6, 6])],
  ]) {
    assertNothing(overlapOf(...surfaces));
  }
});

test("the common volume of turned parts at any place is that of booleans, within 0.2 % of the parts' volume", async () => {
  const random = randomFrom(1);
  for (const shape of [box([12, 8, 6]), uvSphere(6), torus(6, 2)]) {
    const turnedPart = (): Surface => {
      const angles = { x: 360 * random(), y: 360 * random(), z: 360 * random() };
      const offset = [6 * random(), 6 * random(), 6 * random()] as const;
      const vertices = shape.vertices.slice();
      for (let at = 0; at < vertices.length; at += 3)
        vertices.set(rotated([vertices[at], vertices[at + 1], vertices[at + 2]], angles), at);
      return moved({ vertices, triangles: shape.triangles }, offset);
    };
    for (let trial = 0; trial < slowRuns(3); trial++) {
      const parts = [turnedPart(), turnedPart(), turnedPart()];
      const sum = parts.reduce((total, part) => total + meshOf(part).volumeMm3, 0);
      const united = meshOf(await union(parts, noProgress)).volumeMm3;
      const { betweenMm3 } = overlapOf(...parts);
      assert.ok(Math.abs(sum - betweenMm3 - united) < 0.002 * united, `${sum} − ${betweenMm3} is not ${united}`);
    }
  }
});

test("the search ends quickly for heaps of facets and surfaces with gaps, with a finite volume", () => {
  const heap = concatenateSurfaces(Array.from({ length: 2000 }, (_, i) => moved(CUBE, [i * 1e-3, 0, 0])));
  assert.ok(Math.abs(overlapOf(heap).withinMm3 / (2000 * 1000 - 1200) - 1) < 0.02);
  const open = perforated(uvSphere(10), 20, randomFrom(2));
  assert.ok(Number.isFinite(overlapOf(open, CUBE).betweenMm3));
  const flat = { vertices: Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0), triangles: Uint32Array.of(0, 1, 2) };
  assertNothing(overlapOf(flat));
});

test("the volume is still a number with facets that are too narrow to have an area", () => {
  // From a damaged file: the middle of a box is about 1e-20, with coordinates that differ in their last digits.
  const [side, a, b, c] = [2.474874, 1.2087848785178816e-20, 1.2087952182755385e-20, 1.2087951374961818e-20];
  const corners = [
    [-side, -side, 1.2087814857849004e-20],
    [-side, -side, side],
    [-side, side, -side],
    [a, a, b],
    [a, b, a],
    [c, a, a],
    [c, b, b],
    [b, a, b],
    [b, b, a],
    [side, side, side],
  ];
  const surface = {
    vertices: Float32Array.from(corners.flat()),
    triangles: Uint32Array.of(0, 3, 9, 1, 9, 2, 3, 8, 5, 4, 7, 6),
  };
  const region = { minX: a, minY: a, maxX: c, maxY: b };
  assert.ok(Number.isFinite(overlapVolume([() => surface], fineGrid(region, [() => surface]), noProgress).withinMm3));
});
