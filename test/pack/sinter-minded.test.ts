import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { IDENTITY_POSE } from "../../src/geometry/pose.ts";
import { distance } from "../../src/geometry/vector.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import { type MovablePart, packChamber } from "../../src/pack/pack-chamber.ts";
import { noSections, addShape, sectionPenalty } from "../../src/pack/sections.ts";
import type { OrientedShape } from "../../src/pack/oriented-shape.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { box, tetrahedron } from "../fixture/shapes.ts";
import { largestLevelFace, sectionsOf } from "../fixture/sintered.ts";
import { meshOf } from "../fixture/slices.ts";

const movable = (surface: Surface, turns: MovablePart["turns"]): MovablePart => ({
  mesh: meshOf(surface),
  pose: IDENTITY_POSE,
  turns,
});

/** The parts where they are packed in a chamber of `sideMm` × `sideMm` × 200 mm. */
function packed(parts: readonly MovablePart[], sideMm: number, evensSections: boolean): PlacedMesh[] {
  const half = sideMm / 2;
  const region = { min: [-half, -half, 0], max: [half, half, 200], filletRadiusMm: 0 } as const;
  const chamber = { obstacles: [], region, spacingMm: 2, wallDistanceMm: 0 };
  const { poses } = packChamber({ parts, ...chamber, evensSections }, noProgress);
  return parts.map(({ mesh }, i) => ({ mesh, pose: poses[i]! }));
}

const repeat = (count: number, part: MovablePart): MovablePart[] => Array.from({ length: count }, () => part);

test("plates and cuboids that may turn lie on no large level face; those that may not stay level", () => {
  for (const size of [
    [50, 40, 6],
    [30, 30, 30],
    [60, 25, 22],
  ] as const) {
    const faceOf = (turns: MovablePart["turns"], evensSections: boolean): number =>
      largestLevelFace(packed([movable(box(size), turns)], 80, evensSections)[0]);
    const base = size[0] * size[1];
    assert.equal(faceOf("all", true), 0);
    assert.ok(Math.abs(faceOf("all", false) - base) < 1);
    for (const turns of ["z-and-flip", "z", "none"] as const) assert.ok(Math.abs(faceOf(turns, true) - base) < 1);
  }
});

test("a part without large level faces is not tilted", () => {
  const [even, low] = [true, false].map((evens) => packed([movable(box([30, 12, 12]), "all")], 80, evens));
  assert.deepEqual(even[0].pose.orientation, low[0].pose.orientation);
});

/** 10 layers of 10 cells. */
const BLOCK = { layers: 10, areas: new Int32Array(10).fill(10) } as OrientedShape;

test("a place costs what it adds to layers beyond the even area, and to jumps", () => {
  const bulk = { coveredMm3: 1000, grownMm3: 1400, boxMm3: 1400 };
  const empty = noSections(100, 40, [bulk]);
  assert.ok(Math.abs(empty.evenArea - 20) < 1e-9);
  const one = addShape(empty, BLOCK, 0);
  const two = addShape(one, BLOCK, 0);
  const costs = [empty, one, two].map((sections) => sectionPenalty(sections, BLOCK, 0));
  // One more makes its jumps steeper; a third is beyond the even area too.
  assert.ok(costs[0] < costs[1] && costs[1] + 20 < costs[2], `${costs}`);
  // On top of the others it takes their jump away.
  assert.equal(sectionPenalty(one, BLOCK, 10), 0);
  assert.ok(sectionPenalty(two, BLOCK, 11) > sectionPenalty(two, BLOCK, 10));
});

test("sections are more even than by height alone, for parts that may not turn too", () => {
  for (const [parts, sideMm] of [
    [repeat(30, movable(tetrahedron(24), "none")), 75],
    [[...repeat(10, movable(box([30, 22, 12]), "all")), ...repeat(10, movable(box([25, 20, 4]), "all"))], 75],
  ] as const) {
    const [even, low] = [true, false].map((evens) => sectionsOf(packed(parts, sideMm, evens)));
    assert.ok(even.largest < 0.95 * low.largest, `${even.largest} and ${low.largest} mm²`);
    assert.ok(even.steepest < 0.85 * low.steepest, `${even.steepest} and ${low.steepest} mm²`);
  }
});

test("thick bodies stand farther apart than by height alone", () => {
  const block = movable(box([25, 25, 25]), "none");
  const parts = [...repeat(4, block), ...repeat(16, movable(box([26, 24, 4]), "none"))];
  const [even, low] = [true, false].map((evens) => gapsOf(packed(parts, 110, evens), block.mesh));
  assert.ok(even > low + 10, `${even} and ${low} mm`);
});

/** The mean distance from the middle of each copy of a mesh to that of the nearest other. */
function gapsOf(placed: readonly PlacedMesh[], mesh: Mesh): number {
  const middles = placed.filter((one) => one.mesh === mesh).map(({ pose }) => pose.position);
  const nearest = middles.map((middle) =>
    Math.min(...middles.filter((other) => other !== middle).map((other) => distance(middle, other))),
  );
  return nearest.reduce((sum, gap) => sum + gap, 0) / nearest.length;
}
