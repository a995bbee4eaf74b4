import assert from "node:assert/strict";
import { test } from "node:test";
import { longTest } from "../fixture/long.ts";
import { runAtOnce } from "../../src/core/steps.ts";
import { noProgress } from "../../src/core/progress.ts";
import { type SceneBody, divideCluster, findClusters } from "../../src/scene/body-clusters.ts";
import { checkGroups } from "../../src/scene/check-groups.ts";
import {
  VOLUME,
  checkRequest,
  cupsPerModel,
  minimaPerModel,
  modelBody,
  percentUnsupported,
  supportBody,
} from "../fixture/check-request.ts";
import { randomFrom } from "../fixture/random.ts";
import { box } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { flooded } from "../fixture/span-layer.ts";
import { moved } from "../fixture/surface-edits.ts";

const REACH_MM = 0.1;
const cube = meshOf(box([10, 10, 10]));
const bar = meshOf(box([30, 2, 4]));
const TOP_MM = 210;
const clusters = (bodies: readonly SceneBody[]) => runAtOnce(findClusters(bodies, TOP_MM, VOLUME, REACH_MM));
/** A hull that overlaps all others. */
const SQUARE = Float64Array.of(-90, -60, 90, -60, 90, 60, -90, 60);
const modelsOf = (bodies: readonly SceneBody[]): number[] => [...new Set(bodies.map(({ model }) => model))];
const groups = (bodies: readonly SceneBody[]) => runAtOnce(checkGroups(checkRequest(bodies), REACH_MM));

test("bodies that overlap seen from above are one cluster, at any height and through other bodies", () => {
  const bodies = [
    modelBody(0, cube),
    modelBody(1, cube, [40, 0, 0]),
    modelBody(2, cube, [8, 8, 30]),
    modelBody(3, cube, [0, 30, 0]),
  ];
  assert.deepEqual(
    clusters(bodies).map(({ bodies: own }) => modelsOf(own)),
    [[0, 2], [1], [3]],
  );
  assert.deepEqual(
    clusters([...bodies, supportBody(3, bar, [20, 0, 0])]).map(({ bodies: own }) => modelsOf(own)),
    [[0, 1, 2, 3], [3]],
  );
});

test("a gap below the reach does not separate bodies", () => {
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
      clusters(bodies).map(({ bodies: own }) => modelsOf(own)),
      expected,
      `seed ${seed}`,
    );
  }
});

test("a cluster's box is inside the volume, and the layers of a group end at its top", () => {
  const bodies = [modelBody(0, cube, [98, 0, 0]), modelBody(1, bar, [0, 0, 20])];
  assert.deepEqual(clusters(bodies)[0].box, { min: [93, -5, 0], max: [100, 5, 10] });
  const [low, high] = groups(bodies).map(({ placed }) => placed);
  assert.equal(low.boundariesMm.length, 101);
  assert.equal(high.boundariesMm.length, 241);
});

test("copies are equal groups; bodies that differ in more than their place are different groups", () => {
  const key = (...bodies: SceneBody[]): string => groups(bodies)[0].centredKey;
  const pair = (x: number, y: number, apart = 3): SceneBody[] => [
    modelBody(0, cube, [x, y, 0]),
    supportBody(0, bar, [x + apart, y, 0]),
  ];
  const first = key(...pair(0, 0));
  assert.equal(key(...pair(12.3, -7.1)), first);
  const others = [
    key(...pair(0, 0, 3.000001)),
    key(modelBody(0, cube), modelBody(0, bar, [3, 0, 0])),
    key(modelBody(0, cube), supportBody(1, bar, [3, 0, 0])),
    key(modelBody(0, cube, [0, 0, 1]), supportBody(0, bar, [3, 0, 0])),
    key(modelBody(0, cube, [0, 0, 0], { orientation: { x: 0, y: 0, z: 90 } }), supportBody(0, bar, [3, 0, 0])),
    key(...pair(94, 0)),
    runAtOnce(checkGroups(checkRequest(pair(0, 0), 0.05), REACH_MM))[0].centredKey,
  ];
  assert.equal(new Set([first, ...others]).size, 8);
  const placedKey = (x: number): string => groups(pair(x, 0))[0].placedKey;
  assert.equal(placedKey(1), placedKey(1));
  assert.notEqual(placedKey(1), placedKey(2));
});

test("only one of several copies is checked, with its result for the models of all", () => {
  const bodies = Array.from({ length: 30 }, (_, i) =>
    modelBody(i, i % 10 === 0 ? bar : cube, [31.7 * (i % 5) - 64, 17.3 * Math.floor(i / 5) - 45, 0]),
  );
  const found = groups(bodies);
  assert.equal(found.length, 2);
  assert.deepEqual(
    found.flatMap(({ modelsOfEach }) => modelsOfEach.flat()).sort((a, b) => a - b),
    bodies.map(({ model }) => model),
  );
});

test("the groups of a cluster are separate, but a model and its supports are always in one group", () => {
  // Two sticks along a diagonal, whose boxes overlap, and supports far from one of them.
  const stick = meshOf(box([40, 2, 2]));
  const turned = { orientation: { x: 0, y: 0, z: 45 } };
  const sticks = [modelBody(0, stick, [0, 0, 0], turned), modelBody(1, stick, [10, 0, 0], turned)];
  const [cluster, ...others] = clusters(sticks);
  assert.equal(others.length, 0);
  assert.deepEqual(runAtOnce(divideCluster(cluster)).map(modelsOf), [[0], [1]]);
  const near = [sticks[0], modelBody(1, stick, [3, 0, 0], turned)];
  assert.deepEqual(runAtOnce(divideCluster(clusters(near)[0])).map(modelsOf), [[0, 1]]);
  const held = [...sticks, supportBody(0, cube, [-3, 13, 0]), supportBody(1, cube, [13, -12, 0])];
  assert.deepEqual(runAtOnce(divideCluster(clusters(held)[0])).map(modelsOf), [[0], [1]]);
});

longTest("checks of the groups find what checks of the whole cluster find", () => {
  const random = randomFrom(7);
  const stick = meshOf(box([25, 3, 4]), moved(box([6, 6, 3]), [11, 0, 3]));
  for (let trial = 0; trial < 2; trial++) {
    const bodies = Array.from({ length: 4 }, (_, i) =>
      modelBody(i, stick, [15 * i + 2 * random(), 3 * random(), 2 * random()], {
        orientation: { x: 20 * random(), y: 10 * random(), z: 45 + 5 * random() },
      }),
    );
    const request = { ...checkRequest(bodies, 0.2), selfSupportingAngleDeg: 45, bridgingDistanceMm: 2 };
    const whole = {
      ...request,
      bodies: bodies.map((one) => ({ ...one, outline: { ...one.outline, hullXy: SQUARE } })),
    };
    assert.ok(runAtOnce(checkGroups(request, REACH_MM)).length > runAtOnce(checkGroups(whole, REACH_MM)).length);
    for (const check of [cupsPerModel, minimaPerModel])
      assert.deepEqual(check(request, noProgress), check(whole, noProgress));
    assert.deepEqual(percentUnsupported(request, noProgress), percentUnsupported(whole, noProgress));
  }
});
