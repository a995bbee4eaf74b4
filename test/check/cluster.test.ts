import assert from "node:assert/strict";
import { test } from "node:test";
import { type SceneBody, clusterKey, countPerModel, findClusters } from "../../src/check/cluster.ts";
import { noProgress } from "../../src/core/progress.ts";
import { checkRequest, modelBody, supportBody } from "../fixture/check-request.ts";
import { randomFrom } from "../fixture/random.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { flooded } from "../fixture/span-layer.ts";

const REACH_MM = 0.1;
const cube = meshOf(box([10, 10, 10]));
const bar = meshOf(box([30, 2, 4]));
const clusters = (bodies: readonly SceneBody[]) => findClusters(checkRequest(bodies), REACH_MM);

test("bodies that overlap seen from above are one cluster, at any height and through other bodies", () => {
  const bodies = [
    modelBody(0, cube),
    modelBody(1, cube, [40, 0, 0]),
    modelBody(2, cube, [8, 8, 30]),
    modelBody(3, cube, [0, 30, 0]),
  ];
  assert.deepEqual(
    clusters(bodies).map(({ models }) => models),
    [[0, 2], [1], [3]],
  );
  assert.deepEqual(
    clusters([...bodies, supportBody(3, bar, [20, 0, 0])]).map(({ models }) => models),
    [[0, 1, 2, 3], [3]],
  );
});

test("a gap below the reach is none", () => {
  const models = (gap: number): number => clusters([modelBody(0, cube), modelBody(1, cube, [10 + gap, 0, 0])]).length;
  assert.deepEqual([0, 0.09, 0.11].map(models), [1, 1, 2]);
});

test("clusters of random boxes are the connected components of overlapping pairs", () => {
  for (let seed = 0; seed < 50; seed++) {
    const random = randomFrom(seed);
    const bodies = Array.from({ length: 25 }, (_, i) =>
      modelBody(i, random() < 0.5 ? cube : bar, [140 * random() - 70, 80 * random() - 40, 0]),
    );
    const isNear = (a: SceneBody, b: SceneBody): boolean =>
      [0, 1].every(
        (axis) => a.box.min[axis] <= b.box.max[axis] + REACH_MM && b.box.min[axis] <= a.box.max[axis] + REACH_MM,
      );
    const near = (i: number): number[] => bodies.flatMap((body, j) => (isNear(bodies[i], body) ? [j] : []));
    const expected = flooded(bodies.length, () => true, near);
    assert.deepEqual(
      clusters(bodies).map(({ models }) => models),
      expected,
      `seed ${seed}`,
    );
  }
});

test("a cluster's box is inside the volume, and its layers end at its top", () => {
  const [low, high] = clusters([modelBody(0, cube, [98, 0, 0]), modelBody(1, bar, [0, 0, 20])]);
  assert.deepEqual(low.box, { min: [93, -5, 0], max: [100, 5, 10] });
  assert.equal(low.boundariesMm.length, 101);
  assert.equal(high.boundariesMm.length, 241);
});

test("copies are in equal clusters; bodies that differ in more than their place are not", () => {
  const key = (...bodies: SceneBody[]): string => clusterKey(clusters(bodies)[0]);
  const pair = (x: number, y: number, apart = 3): SceneBody[] => [
    modelBody(0, cube, [x, y, 0]),
    supportBody(0, bar, [x + apart, y, 0]),
  ];
  const first = key(...pair(0, 0));
  assert.equal(key(...pair(12.3, -7.1)), first);
  const others = [
    key(...pair(0, 0, 3.001)),
    key(modelBody(0, cube), modelBody(0, bar, [3, 0, 0])),
    key(modelBody(0, cube), supportBody(1, bar, [3, 0, 0])),
    key(modelBody(0, cube, [0, 0, 1]), supportBody(0, bar, [3, 0, 0])),
    key(modelBody(0, cube, [0, 0, 0], { orientation: { x: 0, y: 0, z: 90 } }), supportBody(0, bar, [3, 0, 0])),
    key(...pair(94, 0)),
  ];
  assert.equal(new Set([first, ...others]).size, 7);
});

test("of copies one is searched, and each gets what is found", () => {
  const bodies = Array.from({ length: 30 }, (_, i) =>
    modelBody(i, i % 10 === 0 ? bar : cube, [31.7 * (i % 5) - 64, 17.3 * Math.floor(i / 5) - 45, 0]),
  );
  let looks = 0;
  const counts = countPerModel(checkRequest(bodies), REACH_MM, () => (looks++, [0, 0]), noProgress);
  assert.equal(looks, 2);
  assert.deepEqual(
    counts,
    bodies.map(() => 2),
  );
});
