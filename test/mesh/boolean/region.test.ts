import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { clipped } from "../../../src/mesh/boolean/region/clipped.ts";
import { cutOut } from "../../../src/mesh/boolean/region/cut-out.ts";
import { filled } from "../../../src/mesh/boolean/region/filled.ts";
import { grown } from "../../../src/mesh/boolean/region/grown.ts";
import { loft } from "../../../src/mesh/boolean/region/loft.ts";
import { areaOf, type Ring } from "../../../src/mesh/boolean/region/region.ts";
import { united } from "../../../src/mesh/boolean/region/united.ts";
import { faultsOf, survey } from "../../../src/mesh/survey.ts";
import { randomFrom } from "../../fixture/altered.ts";
import { meshOf } from "../../fixture/slices.ts";

const square = (x: number, y: number, half: number): Ring =>
  Float64Array.of(x - half, y - half, x + half, y - half, x + half, y + half, x - half, y + half);

const near = (actual: number, expected: number, slack = 1e-6): void =>
  assert.ok(Math.abs(actual - expected) <= slack, `${actual} instead of ${expected}`);

test("regions of squares have the areas of squares", async () => {
  const [a, b] = [square(0, 0, 1), square(1, 1, 1)];
  near(areaOf(await united([a, b])), 7);
  near(areaOf(await united([a.toReversed(), b])), 7);
  near(areaOf(await clipped([a], [b])), 1);
  near(areaOf(await cutOut([a], [b])), 3);
  const frame = await cutOut([square(0, 0, 3)], [square(0, 0, 1)]);
  near(areaOf(frame), 32);
  near(areaOf(await filled([...frame])), 36);
});

test("nothing stays nothing", async () => {
  const a = square(0, 0, 1);
  for (const region of [await united([]), await clipped([], [a]), await clipped([a], []), await grown([], 1)]) {
    assert.deepEqual(region, []);
  }
  near(areaOf(await cutOut([a], [])), 4);
  assert.deepEqual(await cutOut([a], [a]), []);
  assert.deepEqual(await grown([a], -2), []);
});

test("a rim moved outward has round corners, and out and in again joins what is near", async () => {
  near(areaOf(await grown([square(0, 0, 5)], 1)), 100 + 40 + Math.PI, 0.03);
  near(areaOf(await grown([square(0, 0, 5)], -1)), 64);
  const pair = [square(0, 0, 2), square(5, 0, 2)];
  assert.equal((await grown(pair, 0.4, -0.4)).length, 2);
  assert.equal((await grown(pair, 0.8, -0.8)).length, 1);
});

test("a loft is a closed body between its sections", async () => {
  const [lower, upper] = [[square(0, 0, 5)], [square(0, 0, 6)]];
  const straight = meshOf(
    await loft([
      { zMm: 1, region: lower },
      { zMm: 3, region: lower },
    ]),
  );
  near(straight.volumeMm3, 200, 1e-4);
  const frustum = meshOf(
    await loft([
      { zMm: 0, region: lower },
      { zMm: 1, region: upper },
      { zMm: 2, region: upper },
    ]),
  );
  near(frustum.volumeMm3, (100 + 144 + 120) / 3 + 144, 1e-3);
  assert.deepEqual(faultsOf(survey(frustum, unwatched)), []);
});

test("lofts whose parts join on their way up are closed", async () => {
  const random = randomFrom(3);
  for (let i = 0; i < 20; i++) {
    const rings = Array.from({ length: 12 }, () => square(20 * random(), 20 * random(), 0.5 + random()));
    const lower = await united(rings);
    const upper = await grown(lower, 1);
    const mesh = meshOf(
      await loft([
        { zMm: 0, region: lower },
        { zMm: 1, region: upper },
        { zMm: 2, region: upper },
      ]),
    );
    const { openEdges, misorientedEdges } = survey(mesh, unwatched);
    assert.deepEqual([openEdges, misorientedEdges], [0, 0]);
    assert.ok(mesh.volumeMm3 > areaOf(lower) + areaOf(upper) && mesh.volumeMm3 < 2 * areaOf(upper));
  }
});
