import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { IDENTITY_POSE } from "../../src/geometry/pose.ts";
import { distance } from "../../src/geometry/vector.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import { type PackingMode, bestPacking } from "../../src/feature/pack/best-packing.ts";
import { type MovablePart, type PackRequest, type Packing, packChamber } from "../../src/pack/pack-chamber.ts";
import { noSections, addShape, sectionPenalty } from "../../src/pack/sections.ts";
import type { OrientedShape } from "../../src/pack/oriented-shape.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { longTest, slowCases } from "../fixture/long.ts";
import { packedHere } from "../fixture/packed-here.ts";
import { box, tetrahedron, torus } from "../fixture/shapes.ts";
import { largestLevelFace, sectionsOf } from "../fixture/sintered.ts";
import { meshOf } from "../fixture/slices.ts";

const inModes = <T>(work: (mode: PackingMode) => Promise<T>): Promise<T[]> =>
  Promise.all((["BALANCED", "HEIGHT"] as const).map(work));

const movable = (surface: Surface, turns: MovablePart["turns"]): MovablePart => ({
  mesh: meshOf(surface),
  pose: IDENTITY_POSE,
  turns,
});

const chamberOf = (sideMm: number) => ({
  obstacles: [],
  region: { min: [-sideMm / 2, -sideMm / 2, 0], max: [sideMm / 2, sideMm / 2, 200], filletRadiusMm: 0 } as const,
  spacingMm: 2,
  wallDistanceMm: 0,
});

/** The parts as packed in a chamber of `sideMm` × `sideMm` × 200 mm. */
async function packed(
  parts: readonly MovablePart[],
  sideMm: number,
  mode: PackingMode | "ALONE" = "BALANCED",
): Promise<PlacedMesh[]> {
  const request = { ...chamberOf(sideMm), parts };
  // ALONE packs by height alone, because HEIGHT may give one of the balanced packings.
  const { poses } = mode === "ALONE" ? packChamber(request, noProgress) : await packedHere(request, mode);
  return parts.map(({ mesh }, i) => ({ mesh, pose: poses[i]! }));
}

const repeat = (count: number, part: MovablePart): MovablePart[] => Array.from({ length: count }, () => part);

test("plates and cuboids that may rotate get no large level faces if a higher part makes room; others stay level", async () => {
  const column = movable(box([10, 10, 70]), "none");
  for (const size of slowCases([
    [50, 40, 6],
    [30, 30, 30],
    [60, 25, 22],
  ] as const)) {
    const faceOf = async (turns: MovablePart["turns"], mode: PackingMode): Promise<number> =>
      largestLevelFace((await packed([movable(box(size), turns), column], 100, mode))[0]);
    const base = size[0] * size[1];
    assert.equal(await faceOf("all", "BALANCED"), 0);
    assert.ok(Math.abs((await faceOf("all", "HEIGHT")) - base) < 1);
    for (const turns of ["z-and-flip", "z", "none"] as const) {
      assert.ok(Math.abs((await faceOf(turns, "BALANCED")) - base) < 1);
    }
  }
});

longTest(
  "a balanced packing is at most a tenth higher than one by height alone, or as high as the obstacles",
  async () => {
    const cubes = repeat(9, movable(box([48, 48, 48]), "all"));
    const gap = { ...chamberOf(165), spacingMm: 5 };
    const { heightMm, placed } = await packedHere({ ...gap, parts: cubes });
    assert.equal(placed, 9);
    assert.ok(Math.abs(heightMm - 48) < 1e-3, `${heightMm} mm`);
    const plate = [movable(box([50, 40, 6]), "all")];
    assert.ok((await packedHere({ ...chamberOf(80), parts: plate })).heightMm < 6.001);
    const post = { ...movable(box([8, 8, 90]), "none"), pose: { ...IDENTITY_POSE, position: [40, 40, 45] as const } };
    const beside = await packedHere({ ...chamberOf(100), parts: plate, obstacles: [post] });
    assert.ok(beside.heightMm > 10 && beside.heightMm < 20, `${beside.heightMm} mm`);
    const mixed = [...repeat(12, movable(box([30, 22, 12]), "all")), ...repeat(12, movable(tetrahedron(24), "all"))];
    const [even, low] = await inModes((mode) => packedHere({ ...chamberOf(75), parts: mixed }, mode));
    assert.ok(even.heightMm <= 1.1 * low.heightMm, `${even.heightMm} and ${low.heightMm} mm`);
  },
);

/** `bestPacking` of two parts, with packings of these heights: by height alone, and balanced. A height is undefined if one part finds no place. */
async function chosenOf(
  mode: PackingMode,
  lows: readonly (number | undefined)[],
  balanced: Readonly<Record<string, number>>,
): Promise<{ heightMm: number; placed: number; withinMm: number | undefined }> {
  let withinMm: number | undefined;
  const request = { ...chamberOf(100), parts: repeat(2, movable(box([9, 9, 9]), "all")), mode };
  const { heightMm, placed } = await bestPacking(request, ({ start, balance }: PackRequest): Promise<Packing> => {
    if (balance) withinMm = balance.heightMm;
    const found = balance ? balanced[`${balance.weight}${balance.tilts ? " tilted" : ""}`] : lows[start!];
    const mm = found ?? 40;
    return Promise.resolve({ poses: [], placed: found === undefined ? 1 : 2, heightMm: mm, jobMm: mm });
  });
  return { heightMm, placed, withinMm };
}

test("the most even packing within a twentieth of the lowest is chosen, for HEIGHT the lowest of all", async () => {
  const all = { "0.5 tilted": 52, "0.1 tilted": 51, "0.3": 49 };
  assert.deepEqual(await chosenOf("BALANCED", [54, 50], all), { heightMm: 52, placed: 2, withinMm: 52.5 });
  assert.equal((await chosenOf("HEIGHT", [54, 50], all)).heightMm, 50);
  const { "0.5 tilted": _, ...less } = all;
  assert.equal((await chosenOf("BALANCED", [54, 50], less)).heightMm, 51);
  // A balanced packing may be lower than one by height alone.
  assert.equal((await chosenOf("BALANCED", [54, 50], { "0.3": 49 })).heightMm, 49);
  assert.equal((await chosenOf("HEIGHT", [54, 50], less)).heightMm, 49);
  assert.equal((await chosenOf("BALANCED", [54, 50], {})).heightMm, 50);
  assert.deepEqual(await chosenOf("BALANCED", [undefined, 54], {}), { heightMm: 54, placed: 2, withinMm: 1.05 * 54 });
  assert.equal((await chosenOf("BALANCED", [undefined, undefined], all)).placed, 1);
});

test("a packing by height is never higher than a balanced one", async () => {
  for (const turns of slowCases(["all", "none"] as const)) {
    const parts = [...repeat(20, movable(tetrahedron(22), turns)), ...repeat(20, movable(torus(9, 3, 12, 8), turns))];
    const [even, low] = await inModes((mode) => packedHere({ ...chamberOf(70), parts }, mode));
    assert.ok(low.heightMm <= even.heightMm, `${low.heightMm} and ${even.heightMm} mm`);
    assert.ok(even.heightMm <= 1.1 * low.heightMm, `${even.heightMm} and ${low.heightMm} mm`);
  }
});

test("a part without large level faces is not tilted", async () => {
  const [even, low] = await inModes((mode) => packed([movable(box([30, 12, 12]), "all")], 80, mode));
  assert.deepEqual(even[0].pose.orientation, low[0].pose.orientation);
});

/** A shape of 10 layers of 10 cells. */
const BLOCK = { layers: 10, areas: new Int32Array(10).fill(10) } as OrientedShape;

test("the cost of a place is what it adds to layers beyond the even area, and to jumps", () => {
  const bulk = { coveredMm3: 1000, grownMm3: 1400, boxMm3: 1400 };
  const empty = noSections(100, 40, [bulk]);
  assert.ok(Math.abs(empty.evenArea - 20) < 1e-9);
  const one = addShape(empty, BLOCK, 0);
  const two = addShape(one, BLOCK, 0);
  const costs = [empty, one, two].map((sections) => sectionPenalty(sections, BLOCK, 0));
  // A second block makes the jumps steeper; a third one also exceeds the even area.
  assert.ok(costs[0] < costs[1] && costs[1] + 20 < costs[2], `${costs}`);
  // On top of the others a block removes their jump.
  assert.equal(sectionPenalty(one, BLOCK, 10), 0);
  assert.ok(sectionPenalty(two, BLOCK, 11) > sectionPenalty(two, BLOCK, 10));
});

longTest("sections are more even than by height alone, also for parts that may not turn", async () => {
  for (const parts of slowCases([
    repeat(40, movable(tetrahedron(24), "none")),
    [...repeat(30, movable(torus(12, 3), "all")), ...repeat(30, movable(box([26, 24, 4]), "all"))],
  ])) {
    const even = sectionsOf(await packed(parts, 75));
    const low = sectionsOf(await packed(parts, 75, "ALONE"));
    assert.ok(even.largest < 0.95 * low.largest, `${even.largest} and ${low.largest} mm²`);
    assert.ok(even.steepest < 0.9 * low.steepest, `${even.steepest} and ${low.steepest} mm²`);
  }
});

test("thick bodies are farther apart than by height alone", async () => {
  const block = movable(box([25, 25, 25]), "none");
  const parts = [...repeat(4, block), ...repeat(16, movable(box([26, 24, 4]), "none"))];
  const even = gapsOf(await packed(parts, 110), block.mesh);
  const low = gapsOf(await packed(parts, 110, "ALONE"), block.mesh);
  assert.ok(even > low + 10, `${even} and ${low} mm`);
});

/** The mean distance from the middle of each copy of a mesh to the middle of the nearest other copy. */
function gapsOf(placed: readonly PlacedMesh[], mesh: Mesh): number {
  const middles = placed.filter((one) => one.mesh === mesh).map(({ pose }) => pose.position);
  const nearest = middles.map((middle) =>
    Math.min(...middles.filter((other) => other !== middle).map((other) => distance(middle, other))),
  );
  return nearest.reduce((sum, gap) => sum + gap, 0) / nearest.length;
}
