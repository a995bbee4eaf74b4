import assert from "node:assert/strict";
import { test } from "node:test";
import type { SceneBody } from "../../src/scene/body-clusters.ts";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../src/core/progress.ts";
import type { Mesh } from "../../src/mesh/mesh.ts";
import { checkRequest, modelBody, percentUnsupported, supportBody } from "../fixture/check-request.ts";
import { box, cylinder, lathe, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { moved } from "../fixture/surface-edits.ts";

// Supplement, section 7, "supportedness".

const BRIDGE_MM = 5;
const ANGLE_DEG = 45;

function percents(
  bodies: readonly SceneBody[],
  figures: { bridge?: number; angle?: number; layer?: number } = {},
): number[] {
  const { bridge = BRIDGE_MM, angle = ANGLE_DEG, layer = 0.1 } = figures;
  const request = checkRequest(bodies, layer);
  return percentUnsupported({ ...request, selfSupportingAngleDeg: angle, bridgingDistanceMm: bridge }, noProgress);
}

const percentOf = (mesh: Mesh, ...figures: Parameters<typeof percents>[1][]): number =>
  percents([modelBody(0, mesh)], ...figures)[0];

const near = (actual: number, expected: number, tolerance: number, what: string): void =>
  assert.ok(Math.abs(actual - expected) <= tolerance, `${what}: ${actual} is not ${expected}`);

/** A wall of 2 mm, 20 mm high, with a board of 2 mm that extends from its top. */
const cantilever = (lengthMm: number): Mesh =>
  meshOf(moved(box([2, 10, 20]), [-1, 0, 10]), moved(box([lengthMm + 2, 10, 2]), [lengthMm / 2 - 1, 0, 19]));

test("models on the platform and steep walls need no supports", () => {
  assert.equal(percentOf(meshOf(box([10, 10, 10]))), 0);
  assert.equal(percentOf(meshOf(cylinder(4, 10))), 0);
  // A cone on its tip, 50° from horizontal.
  const height = 10 * Math.tan((50 * Math.PI) / 180);
  const steep = meshOf(
    lathe(
      [
        [0, 0],
        [1, 0],
        [11, height],
        [0, height],
      ],
      96,
      false,
    ),
  );
  assert.equal(percentOf(steep), 0);
});

test("a board is supported up to the bridging distance", () => {
  for (const lengthMm of [4, 8, 12, 20]) {
    const expected = 100 * Math.max(0, (lengthMm - BRIDGE_MM) / lengthMm);
    near(percentOf(cantilever(lengthMm)), expected, 1e-9, `${lengthMm} mm`);
  }
  near(percentOf(cantilever(12), { bridge: 3 }), 75, 1e-9, "3 mm");
  // Its end is within a pixel.
  near(percentOf(cantilever(12.05)), (100 * 7.05) / 12.05, 0.3, "12.05 mm");
});

test("the top of a table is supported around its legs", () => {
  const legs = [
    [-13, -8],
    [13, -8],
    [-13, 8],
    [13, 8],
  ].map(([x, y]) => moved(box([4, 4, 13]), [x, y, 6.5]));
  const table = meshOf(moved(box([30, 20, 2]), [0, 0, 13]), ...legs);
  // By the least distance to any of four squares, over a fine lattice.
  let [all, far] = [0, 0];
  for (let x = -14.99; x < 15; x += 0.02) {
    for (let y = -9.99; y < 10; y += 0.02) {
      const [dx, dy] = [Math.max(0, 11 - Math.abs(x)), Math.max(0, 6 - Math.abs(y))];
      if (dx === 0 && dy === 0) continue;
      all++;
      if (dx * dx + dy * dy > BRIDGE_MM ** 2) far++;
    }
  }
  near(percentOf(table), (100 * far) / all, 0.5, "table");
});

test("distance along a slope grows by its excess over the self-supporting slope", () => {
  // A cone on a stub of 1 mm, 20° from horizontal: the distance grows by 1 − tan 20° / tan 45° per mm outward.
  const slope = Math.tan((20 * Math.PI) / 180);
  const cone = meshOf(
    lathe(
      [
        [0, 0],
        [1, 0],
        [1, 2],
        [21, 2 + 20 * slope],
        [0, 2 + 20 * slope],
      ],
      192,
      false,
    ),
  );
  const heldMm = 1 + BRIDGE_MM / (1 - slope);
  near(percentOf(cone), (100 * (21 ** 2 - heldMm ** 2)) / (21 ** 2 - 1), 1.5, "20°");
  assert.equal(percentOf(cone, { angle: 15 }), 0);
  near(percentOf(cone, { layer: 0.05 }), percentOf(cone, { layer: 0.2 }), 1.5, "whatever the layers");
});

test("a ball is supported as far as it rises steeply enough", () => {
  const radius = 30;
  // The first layer is on the platform as far as it extends at half its height. Further out, the distance at x is the
  // way there less the rise on it, which exceeds the bridging distance from some x on.
  const rise = (x: number): number => radius - Math.sqrt(radius * radius - x * x);
  const first = Math.sqrt(2 * radius * 0.05);
  let from = first;
  while (from - first - (rise(from) - rise(first)) < BRIDGE_MM) from += 0.001;
  const overhang = radius * Math.SQRT1_2;
  near(
    percentOf(meshOf(uvSphere(radius, 256, 128))),
    (100 * (overhang ** 2 - from ** 2)) / (overhang ** 2 - first ** 2),
    1.5,
    "ball of 30 mm",
  );
  assert.equal(percentOf(meshOf(uvSphere(8, 96, 48))), 0);
});

test("a body that begins in the air is unsupported, however steep, until something supports it", () => {
  const cube = meshOf(box([10, 10, 10]));
  assert.deepEqual(percents([modelBody(0, cube, [0, 0, 3])]), [100]);
  const spike = meshOf(
    lathe(
      [
        [0, 0],
        [2, 10],
        [0, 10],
      ],
      48,
      false,
    ),
  );
  assert.deepEqual(percents([modelBody(0, spike, [0, 0, 3])]), [100]);
  assert.deepEqual(percents([modelBody(0, spike, [0, 0, 3]), supportBody(0, meshOf(box([1, 1, 4])), [0, 0, 0])]), [0]);
});

test("supports support what is within the bridging distance", () => {
  const cube = modelBody(0, meshOf(box([20, 20, 5])), [0, 0, 3]);
  const post = (x: number, y: number): SceneBody => supportBody(0, meshOf(box([0.4, 0.4, 3.05])), [x, y, 0]);
  const expected = 100 * (1 - (Math.PI * BRIDGE_MM ** 2) / 400);
  near(percents([cube, post(0, 0)])[0], expected, 4, "one post");
  // Round tips in any place: of each, what is within 2 mm of it.
  const tip = meshOf(cylinder(0.4, 3.05, 24));
  const at = [
    [-5.03, -4.02],
    [4.71, -5.36],
    [0.28, 4.47],
  ];
  const tips = at.map(([x, y]) => supportBody(0, tip, [x, y, 0]));
  const heldMm2 = 3 * Math.PI * (2.4 ** 2 - 0.4 ** 2);
  const share = 1 - heldMm2 / (400 - 3 * Math.PI * 0.4 ** 2);
  near(percents([cube, ...tips], { bridge: 2 })[0], 100 * share, 0.5, "three tips");
  const posts = [-7, 0, 7].flatMap((x) => [-7, 0, 7].map((y) => post(x, y)));
  assert.deepEqual(percents([cube, ...posts]), [0]);
});

test("another model supports as far as it is supported, and each model has its own figure", () => {
  const slab = meshOf(box([20, 20, 2]));
  const on = (x: number, bottom: number): SceneBody[] => [
    modelBody(0, meshOf(box([20, 20, 5])), [x, 0, 0]),
    modelBody(1, slab, [x, 0, bottom]),
  ];
  assert.deepEqual(percents(on(0, 5)), [0, 0]);
  const others = [modelBody(2, slab, [60, 0, 3]), modelBody(3, cantilever(10), [-60, 0, 0])];
  const [under, over, floating, board] = percents([...on(0, 5.5), ...others]);
  assert.deepEqual([under, over, floating], [0, 100, 100]);
  near(board, 50, 1.1, "board");
});

test("copies have the same figure at every place", () => {
  const board = cantilever(12);
  const found = percents(
    [
      [0, 0],
      [40.03, 0],
      [-40, 31.7],
      [60, -31],
    ].map(([x, y], i) => modelBody(i, board, [x, y, 0])),
  );
  assert.equal(new Set(found).size, 1);
  near(found[0], (100 * 7) / 12, 1, "board");
});

test("steps that on the whole are as steep as the self-supporting slope are supported", () => {
  const stairs = Array.from({ length: 12 }, (_, i) => moved(box([4, 10, 1]), [i, 0, i + 0.5]));
  assert.equal(percentOf(meshOf(...stairs)), 0);
  const flatter = Array.from({ length: 12 }, (_, i) => moved(box([4, 10, 1]), [2 * i, 0, i + 0.5]));
  assert.ok(percentOf(meshOf(...flatter)) > 40);
});

test("an empty scene has no figures; can be cancelled", () => {
  assert.deepEqual(percents([]), []);
  const state = newTaskState();
  cancelTask(state);
  const request = { ...checkRequest([modelBody(0, cantilever(9))]), selfSupportingAngleDeg: 45, bridgingDistanceMm: 5 };
  assert.throws(() => percentUnsupported(request, taskProgress(state)), CancelledError);
});
