import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import type { Mesh } from "../../../src/mesh/mesh.ts";
import { countCups } from "../../../src/check/cups.ts";
import { survey } from "../../../src/mesh/survey.ts";
import { drill } from "../../../src/solid/drill/drill.ts";
import type { Hole } from "../../../src/solid/drill/hole.ts";
import { insideOut, moved } from "../../fixture/altered.ts";
import { checkRequest, modelBody } from "../../fixture/check-request.ts";
import { box, lathe, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { assertSound, eulerOf, leaned, someHole } from "./holes.ts";

/** Where an AUTO hole ends, and what it leaves. */
async function boredBy(mesh: Mesh, hole: Partial<Hole>): Promise<{ fromMm: number; toMm: number; left: Mesh }> {
  const { mesh: left, bores } = await drill(mesh, [someHole(hole)], unwatched);
  assert.ok(bores[0], "missed");
  return { ...bores[0], left };
}

const assertBetween = (value: number, least: number, most: number, what = ""): void =>
  assert.ok(value >= least && value <= most, `${what}: ${value} is not between ${least} and ${most}`);

const ball = meshOf(uvSphere(20), insideOut(uvSphere(17)));
/** Its top at z = 0, 3 mm thick, over a cavity of 14 mm. */
const hollowBox = meshOf(moved(box([40, 40, 20]), [0, 0, -10]), insideOut(moved(box([34, 34, 14]), [0, 0, -10])));

test("a vent joins a cavity to the air, from anywhere around it", async () => {
  for (const direction of [leaned(0), leaned(35), leaned(90, 0), leaned(120, 200), leaned(180)]) {
    const position = direction.map((value) => -19.9 * value) as unknown as Hole["position"];
    const { left, toMm } = await boredBy(ball, { position, direction, diameterMm: 3 });
    assertBetween(toMm, 2.9, 3.6);
    assertSound(left);
    assert.equal(survey(ball, unwatched).bodies, 2);
    assert.equal(survey(left, unwatched).bodies, 1);
    assert.equal(eulerOf(left), 2);
  }
});

test("a hollow ball with a vent at its platform side is no cup, with one at its far side it is", async () => {
  const cupsOf = (mesh: Mesh): number[] => countCups(checkRequest([modelBody(0, mesh, [0, 0, 5])], 0.2), unwatched);
  const vented = async (side: 1 | -1): Promise<Mesh> =>
    (await boredBy(ball, { position: [0, 0, 20 * side], direction: [0, 0, -side] })).left;
  assert.deepEqual(cupsOf(ball), [1]);
  assert.deepEqual(cupsOf(await vented(-1)), [0]);
  assert.deepEqual(cupsOf(await vented(1)), [1]);
});

test("AUTO goes through the wall to the cavity and no farther", async () => {
  assertBetween((await boredBy(hollowBox, {})).toMm, 3.01, 3.5, "straight");
  const lean = Math.PI / 6;
  const { left, toMm } = await boredBy(hollowBox, { direction: leaned(30) });
  assertBetween(toMm, (3 + 2 * Math.sin(lean)) / Math.cos(lean), 3.6 + 3 / Math.cos(lean), "leaned");
  assert.equal(eulerOf(left), 2);
});

test("a cavity that is narrower than the margin keeps its opposite wall", async () => {
  const gap = 0.3;
  const split = meshOf(
    moved(box([40, 40, 20]), [0, 0, -10]),
    insideOut(moved(box([30, 30, gap]), [0, 0, -3 - gap / 2])),
  );
  assertBetween((await boredBy(split, {})).toMm, 3.01, 3 + gap - 0.01);
});

test("a hole beside the wall of a cavity does not follow it down", async () => {
  // The cavity ends at x = 17, the rim of the hole reaches into its wall.
  const { left, toMm } = await boredBy(hollowBox, { position: [16, 0, 0] });
  assertBetween(toMm, 3.01, 3.5);
  assert.equal(survey(left, unwatched).bodies, 1);
  assertBetween((await boredBy(hollowBox, { position: [19, 0, 0] })).toMm, 20.01, 20.5, "all within the wall");
});

test("where there is no cavity, AUTO goes to the far side", async () => {
  const block = meshOf(moved(box([40, 40, 20]), [0, 0, -10]));
  assertBetween((await boredBy(block, {})).toMm, 20.01, 20.5);
  // In the middle of the material, too, and then from the surface.
  const { fromMm, toMm, left } = await boredBy(block, { position: [0, 0, -8] });
  assertBetween(fromMm, -9.1, -8.9);
  assertBetween(toMm, 12.01, 12.5);
  assert.equal(eulerOf(left), 0);
});

test("AUTO drills the wall at its position, not those that follow", async () => {
  const shelves = meshOf(...[0, -10, -20].map((z) => moved(box([40, 40, 2]), [0, 0, z - 1])));
  const { left } = await boredBy(shelves, {});
  assert.ok(Math.abs(shelves.volumeMm3 - left.volumeMm3 - Math.PI * 8) < 0.01 * Math.PI * 8);
  const through = (await drill(shelves, [someHole({ depthMm: 40 })], unwatched)).mesh;
  assert.ok(Math.abs(shelves.volumeMm3 - through.volumeMm3 - 3 * Math.PI * 8) < 0.01 * 3 * Math.PI * 8);
});

test("the cutter starts outside of all of a curved surface, and leaves a step beside it alone", async () => {
  // Into a dish whose rim lies above its middle.
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
  assertBetween((await boredBy(dish, { diameterMm: 20, depthMm: 3 })).fromMm, -2.6, -2.49, "the dish");
  const aslant = await boredBy(meshOf(box([40, 40, 10])), {
    position: [0, 0, 5],
    direction: leaned(60),
    diameterMm: 6,
    depthMm: 3,
  });
  assertBetween(aslant.fromMm, -1 - 3 * Math.sqrt(3) - 0.1, -1 - 3 * Math.sqrt(3) + 0.1, "aslant");
  const step = meshOf(moved(box([20, 40, 10]), [-10, 0, -5]), moved(box([20, 40, 15]), [10, 0, -2.5]));
  assertBetween((await boredBy(step, { position: [-1, 0, 0], depthMm: 5 })).fromMm, -1.1, -0.9, "the step");
});

test("an AUTO hole is snapped to the nearest surface within its search distance", async () => {
  const { toMm, left } = await boredBy(hollowBox, { position: [4, 5, 6], searchMm: 6.1 });
  assertBetween(toMm, 3.01, 3.5);
  assert.equal(survey(left, unwatched).bodies, 1);
  const { bores } = await drill(hollowBox, [someHole({ position: [4, 5, 6], searchMm: 5.9 })], unwatched);
  assert.deepEqual(bores, [undefined]);
});

test("bodies that touch are one wall", async () => {
  const stacked = meshOf(moved(box([20, 20, 4]), [0, 0, -2]), moved(box([24, 24, 6]), [0, 0, -7]));
  assertBetween((await boredBy(stacked, {})).toMm, 10.01, 10.5);
});
