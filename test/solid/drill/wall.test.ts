import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { times } from "../../../src/geometry/vector.ts";
import { buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import { windingNumber } from "../../../src/mesh/bvh/winding-number.ts";
import { meshReport } from "../../../src/mesh/mesh-report.ts";
import type { Mesh, Surface } from "../../../src/mesh/mesh.ts";
import { type Hole, fromHoleFrame, holeFrame, toHoleFrame } from "../../../src/solid/drill/bore.ts";
import { facetsNearAxis } from "../../../src/solid/drill/cylinder-facets.ts";
import { drill } from "../../../src/solid/drill/drill.ts";
import { solidSpans } from "../../../src/solid/drill/wall.ts";
import { longTest, slowSample } from "../../fixture/long.ts";
import { checkRequest, cupsPerModel, modelBody } from "../../fixture/check-request.ts";
import { corpusMesh } from "../../fixture/orienting.ts";
import { box, lathe, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { randomFrom } from "../../fixture/random.ts";
import { insideOut, moved } from "../../fixture/surface-edits.ts";
import { assertClosedManifold, eulerCharacteristic, inclined, someHole } from "./holes.ts";

/** The start and end of a hole, and the drilled mesh. */
async function drillOne(mesh: Mesh, hole: Partial<Hole>): Promise<{ fromMm: number; toMm: number; left: Mesh }> {
  const { mesh: left, bores } = await drill(mesh, [someHole(hole)], noProgress);
  assert.ok(bores[0], "missed");
  return { ...bores[0], left };
}

const assertBetween = (value: number, least: number, most: number, what = ""): void =>
  assert.ok(value >= least && value <= most, `${what}: ${value} is not between ${least} and ${most}`);

const ball = meshOf(uvSphere(20), insideOut(uvSphere(17)));
/** A box with its top at z = 0; its walls are 3 mm thick around a cavity of 14 mm. */
const hollowBox = meshOf(moved(box([40, 40, 20]), [0, 0, -10]), insideOut(moved(box([34, 34, 14]), [0, 0, -10])));

test("a vent connects a cavity with the outside, from any direction", async () => {
  for (const direction of slowSample(
    [inclined(0), inclined(35), inclined(120, 200), inclined(90, 0), inclined(180)],
    2,
  )) {
    const position = times(direction, -19.9);
    const { left, toMm } = await drillOne(ball, { position, direction, diameterMm: 3 });
    assertBetween(toMm, 2.9, 3.6);
    assertClosedManifold(left);
    assert.equal(meshReport(ball, noProgress).bodies, 2);
    assert.equal(meshReport(left, noProgress).bodies, 1);
    assert.equal(eulerCharacteristic(left), 2);
  }
});

longTest("a hollow ball is not a cup with a vent on the platform side, but with one on the far side", async () => {
  const cupsOf = (mesh: Mesh): number[] => cupsPerModel(checkRequest([modelBody(0, mesh, [0, 0, 5])], 0.4), noProgress);
  const vented = async (side: 1 | -1): Promise<Mesh> =>
    (await drillOne(ball, { position: [0, 0, 20 * side], direction: [0, 0, -side] })).left;
  assert.deepEqual(cupsOf(ball), [1]);
  assert.deepEqual(cupsOf(await vented(-1)), [0]);
  assert.deepEqual(cupsOf(await vented(1)), [1]);
});

test("AUTO goes through the wall to the cavity and no farther", async () => {
  assertBetween((await drillOne(hollowBox, {})).toMm, 3.01, 3.5, "straight");
  const lean = Math.PI / 6;
  const { left, toMm } = await drillOne(hollowBox, { direction: inclined(30) });
  assertBetween(toMm, (3 + 2 * Math.sin(lean)) / Math.cos(lean), 3.6 + 3 / Math.cos(lean), "inclined");
  assert.equal(eulerCharacteristic(left), 2);
});

test("a cavity narrower than the margin keeps its opposite wall", async () => {
  const gap = 0.3;
  const split = meshOf(
    moved(box([40, 40, 20]), [0, 0, -10]),
    insideOut(moved(box([30, 30, gap]), [0, 0, -3 - gap / 2])),
  );
  assertBetween((await drillOne(split, {})).toMm, 3.01, 3 + gap - 0.01);
});

test("a hole next to the wall of a cavity does not follow it down", async () => {
  // The cavity ends at x = 17, the rim of the hole reaches into its wall.
  const { left, toMm } = await drillOne(hollowBox, { position: [16, 0, 0] });
  assertBetween(toMm, 3.01, 3.5);
  assert.equal(meshReport(left, noProgress).bodies, 1);
  assertBetween((await drillOne(hollowBox, { position: [19, 0, 0] })).toMm, 20.01, 20.5, "all within the wall");
});

test("without a cavity, AUTO goes to the far side", async () => {
  const block = meshOf(moved(box([40, 40, 20]), [0, 0, -10]));
  assertBetween((await drillOne(block, {})).toMm, 20.01, 20.5);
  // From a position inside the material the hole starts at the surface.
  const { fromMm, toMm, left } = await drillOne(block, { position: [0, 0, -8] });
  assertBetween(fromMm, -9.1, -8.9);
  assertBetween(toMm, 12.01, 12.5);
  assert.equal(eulerCharacteristic(left), 0);
});

test("AUTO drills the wall at its position, not those behind it", async () => {
  const shelves = meshOf(...[0, -10, -20].map((z) => moved(box([40, 40, 2]), [0, 0, z - 1])));
  const { left } = await drillOne(shelves, {});
  assert.ok(Math.abs(shelves.volumeMm3 - left.volumeMm3 - Math.PI * 8) < 0.01 * Math.PI * 8);
  const through = (await drill(shelves, [someHole({ depthMm: 40 })], noProgress)).mesh;
  assert.ok(Math.abs(shelves.volumeMm3 - through.volumeMm3 - 3 * Math.PI * 8) < 0.01 * 3 * Math.PI * 8);
});

test("the cutter starts outside a curved surface and leaves a step next to it", async () => {
  // A dish with a rim above its centre.
  const dish = meshOf(
    lathe(
      [
        [0, -5],
        [20, -5],
        [20, 4],
        [15, 4],
        [10, 1.5],
        [5, 0.3],
        [0, 0],
      ],
      64,
      false,
    ),
  );
  assertBetween((await drillOne(dish, { diameterMm: 20, depthMm: 3 })).fromMm, -2.6, -2.49, "the dish");
  const oblique = await drillOne(meshOf(box([40, 40, 10])), {
    position: [0, 0, 5],
    direction: inclined(60),
    diameterMm: 6,
    depthMm: 3,
  });
  assertBetween(oblique.fromMm, -1 - 3 * Math.sqrt(3) - 0.1, -1 - 3 * Math.sqrt(3) + 0.1, "inclined");
  const step = meshOf(moved(box([20, 40, 10]), [-10, 0, -5]), moved(box([20, 40, 15]), [10, 0, -2.5]));
  assertBetween((await drillOne(step, { position: [-1, 0, 0], depthMm: 5 })).fromMm, -1.1, -0.9, "the step");
});

test("an AUTO hole moves to the closest surface within its search distance", async () => {
  const { toMm, left } = await drillOne(hollowBox, { position: [4, 5, 6], searchMm: 6.1 });
  assertBetween(toMm, 3.01, 3.5);
  assert.equal(meshReport(left, noProgress).bodies, 1);
  const { bores } = await drill(hollowBox, [someHole({ position: [4, 5, 6], searchMm: 5.9 })], noProgress);
  assert.deepEqual(bores, [undefined]);
});

test("touching bodies are one wall", async () => {
  const stacked = meshOf(moved(box([20, 20, 4]), [0, 0, -2]), moved(box([24, 24, 6]), [0, 0, -7]));
  assertBetween((await drillOne(stacked, {})).toMm, 10.01, 10.5);
});

const STRAIGHT = { origin: [0, 0, 0], u: [1, 0, 0], v: [0, 1, 0], s: [0, 0, 1] } as const;

const upAt = (surface: Surface, u: number, v: number, seamMm = 1e-6): [number, number][] =>
  solidSpans(facetsNearAxis(surface, STRAIGHT, 100, noProgress), u, v, seamMm).map(({ from, to }) => [from, to]);

test("spans agree with the winding number", async () => {
  const random = randomFrom(4);
  const overlapping = meshOf(box([10, 20, 12]), moved(box([10, 8, 30]), [3, 4, 5]));
  const hollow = meshOf(uvSphere(15), insideOut(uvSphere(13)), uvSphere(5));
  for (const mesh of [meshOf(torus(12, 5)), overlapping, hollow, await corpusMesh("thingi-65004.stl")]) {
    const tree = buildBvh(mesh, noProgress);
    let inside = 0;
    for (let round = 0; round < 60; round++) {
      const frame = holeFrame({
        position: somewhereIn(mesh, random),
        direction: inclined(180 * random(), 360 * random()),
      });
      const [u, v] = [2 * random() - 1, 2 * random() - 1];
      const spans = solidSpans(facetsNearAxis(mesh, frame, 1, noProgress), u, v, 0);
      for (let k = 0; k < 40; k++) {
        const along = 60 * (random() - 0.5);
        if (spans.some(({ from, to }) => Math.min(Math.abs(along - from), Math.abs(along - to)) < 1e-3)) continue;
        const isInside = spans.some(({ from, to }) => along > from && along < to);
        assert.equal(isInside, windingNumber(tree, fromHoleFrame(frame, [u, v, along])) > 0);
        if (isInside) inside++;
      }
    }
    assert.ok(inside > 100, `${inside} inside`);
  }
});

const somewhereIn = ({ box: { min, max } }: Mesh, random: () => number): [number, number, number] => [
  min[0] + (max[0] - min[0]) * random(),
  min[1] + (max[1] - min[1]) * random(),
  min[2] + (max[2] - min[2]) * random(),
];

test("a line through vertices and edges crosses each surface once", () => {
  const ball = meshOf(uvSphere(10, 8, 8));
  assert.deepEqual(upAt(ball, 0, 0), [[-10, 10]]);
  const cube = meshOf(box([2, 2, 2]));
  for (const at of [-0.5, 0, 0.25]) assert.deepEqual(upAt(cube, at, at), [[-1, 1]]);
  // On the rim the line may be inside or outside, but each span has an end.
  for (const [u, v] of [
    [1, 1],
    [-1, -1],
    [1, 0],
    [0, -1],
  ] as const) {
    const spans = upAt(cube, u, v);
    assert.ok(spans.length === 0 || (spans.length === 1 && spans[0][0] === -1 && spans[0][1] === 1));
  }
});

test("touching or overlapping bodies are one span, bodies with a gap are two", () => {
  const stack = (gap: number): Surface => meshOf(box([2, 2, 2]), moved(box([2, 2, 2]), [0, 0, 2 + gap]));
  assert.deepEqual(upAt(stack(0), 0.3, 0.1), [[-1, 3]]);
  assert.deepEqual(upAt(stack(-1), 0.3, 0.1), [[-1, 2]]);
  assert.deepEqual(upAt(stack(0.5), 0.3, 0.1), [
    [-1, 1],
    [1.5, 3.5],
  ]);
  assert.deepEqual(upAt(stack(0.5), 0.3, 0.1, 0.6), [[-1, 3.5]]);
  assert.deepEqual(upAt(stack(0.5), 2.3, 0.1), []);
});

test("frames are right-handed, and their maps are inverse to each other", () => {
  for (const direction of [inclined(0), inclined(90, 0), inclined(90, 90), inclined(33, 71)]) {
    const frame = holeFrame({ position: [1, 2, 3], direction });
    const there = toHoleFrame(frame, fromHoleFrame(frame, [4, 5, 6]));
    [4, 5, 6].forEach((value, axis) => assert.ok(Math.abs(there[axis] - value) < 1e-12));
    const [x, y, z] = frame.u;
    const [p, q, r] = frame.v;
    [y * r - z * q, z * p - x * r, x * q - y * p].forEach((value, axis) =>
      assert.ok(Math.abs(value - direction[axis]) < 1e-12),
    );
  }
});
