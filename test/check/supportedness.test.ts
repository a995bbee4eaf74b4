import assert from "node:assert/strict";
import { test } from "node:test";
import type { SceneBody } from "../../src/scene/body-clusters.ts";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../src/core/progress.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import { checkRequest, modelBody, percentUnsupported, supportBody } from "../fixture/check-request.ts";
import { slowSample } from "../fixture/long.ts";
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
  // The end of the board is within a pixel.
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
  // The share by the least distance to any of four squares, over a fine lattice.
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

/** Layer thicknesses from the thinnest of resin printers to one that no printer uses. */
const LAYERS_MM = [0.05, 0.1, 0.3];

/** Tolerance of the shares of overhangs, in percent, for single precision and pixels of 0.1 mm. */
const PERCENT_TOLERANCE = 0.2;

/** Where pixels are not along an edge: paths begin at its foremost pixels, up to half a pixel before it, of a board of 20 to 26 mm. */
const TURNED_PERCENT_TOLERANCE = 0.35;

const tangent = (degrees: number): number => Math.tan((degrees * Math.PI) / 180);

const SLOPES_AND_BRIDGES = [
  [35, 1],
  [5, 5],
  [20, 5],
] as const;

test("distance along a slope grows by its excess over the self-supporting slope, whatever the layers", () => {
  for (const [slopeDeg, bridge] of slowSample(SLOPES_AND_BRIDGES, 2)) {
    // A cone on a stub: outward the distance grows by 1 − tan a / tan 45° per mm.
    const slope = tangent(slopeDeg);
    const top = 2.02 + 14 * slope;
    const cone = meshOf(
      lathe(
        [
          [0, 0],
          [2, 0],
          [2, 2.02],
          [16, top],
          [16, top + 2],
          [0, top + 2],
        ],
        192,
        false,
      ),
    );
    const heldMm = 2 + bridge / (1 - slope);
    const expected = (100 * (16 ** 2 - heldMm ** 2)) / (16 ** 2 - 2 ** 2);
    for (const layer of LAYERS_MM) {
      near(percentOf(cone, { bridge, layer }), expected, PERCENT_TOLERANCE, `${slopeDeg}°, layers of ${layer} mm`);
    }
    assert.equal(percentOf(cone, { angle: slopeDeg - 2, layer: 0.3 }), 0);
  }
});

/** The mesh turned by `tiltDeg` about y, then by `yawDeg` about z. */
function turned({ vertices, triangles }: Surface, tiltDeg: number, yawDeg: number): Surface {
  const [[cos, sin], [cosYaw, sinYaw]] = [tiltDeg, yawDeg].map((degrees) => {
    const radians = (degrees * Math.PI) / 180;
    return [Math.cos(radians), Math.sin(radians)];
  });
  const turnedVertices = Float64Array.from(vertices);
  for (let i = 0; i < vertices.length; i += 3) {
    const x = cos * vertices[i] - sin * vertices[i + 2];
    turnedVertices.set([cosYaw * x - sinYaw * vertices[i + 1], sinYaw * x + cosYaw * vertices[i + 1]], i);
    turnedVertices[i + 2] = sin * vertices[i] + cos * vertices[i + 2];
  }
  return { vertices: turnedVertices, triangles };
}

test("a tilted board on a wall is supported up to a distance that follows from its slope, at every turn and with all layers", () => {
  for (const [tiltDeg, bridge, yawDeg] of [
    [3, 5, 0],
    [20, 5, 17],
    [25, 4, 45],
    [30, 3, 17],
    [38, 2, 17],
  ]) {
    const board = moved(turned(moved(box([28, 10, 1.5]), [12, 0, 0.75]), tiltDeg, yawDeg), [0, 0, 4.03]);
    const wall = turned(moved(box([6, 10, 6.5]), [-3, 0, 3.25]), 0, yawDeg);
    const lengthMm = 26 * Math.cos((tiltDeg * Math.PI) / 180);
    const expected = 100 * (1 - bridge / (1 - tangent(tiltDeg)) / lengthMm);
    for (const layer of LAYERS_MM) {
      const found = percentOf(meshOf(board, wall), { bridge, layer });
      near(found, expected, TURNED_PERCENT_TOLERANCE, `${tiltDeg}° turned by ${yawDeg}°, layers of ${layer} mm`);
    }
  }
});

test("a part on an edge or a corner thinner than a pixel counts as on the platform", () => {
  // The first layer of the board is 0.078 mm wide.
  const board = meshOf(turned(box([30, 10, 1.5]), 20, 0));
  const lengthMm = 30 * Math.cos((20 * Math.PI) / 180) - 0.025 / tangent(20);
  near(
    percentOf(board, { layer: 0.05 }),
    100 * (1 - BRIDGE_MM / (1 - tangent(20)) / lengthMm),
    0.6,
    "board on its edge",
  );
  // Upside down, 50° from horizontal.
  const spike = lathe(
    [
      [0, 0],
      [8, 8 * tangent(50)],
      [0, 8 * tangent(50)],
    ],
    96,
    false,
  );
  assert.equal(percentOf(meshOf(spike), { layer: 0.025 }), 0);
});

test("steep faces below a ledge do not add to its distances", () => {
  const top = 3 * tangent(60);
  const funnel = meshOf(
    lathe(
      [
        [0, 0],
        [2, 0],
        [5, top],
        [12, top],
        [12, 9],
        [0, 9],
      ],
      192,
      false,
    ),
  );
  for (const layer of LAYERS_MM) {
    near(percentOf(funnel, { bridge: 2, layer }), (100 * (144 - 49)) / (144 - 25), 0.4, `layers of ${layer} mm`);
  }
});

test("a ball is supported as far out as its surface rises steeply enough", () => {
  const [radius, bridge] = [20, 3];
  const ball = meshOf(uvSphere(radius, 192, 128));
  for (const layer of LAYERS_MM) {
    // The first layer rests on the platform, as wide as the ball is at half the layer's height. Further out, the distance at x is
    // the way to x minus the rise on it, which exceeds the bridging distance from some x on.
    const rise = (x: number): number => radius - Math.sqrt(radius * radius - x * x);
    const first = Math.sqrt(radius * layer);
    let from = first;
    while (from - first - (rise(from) - rise(first)) < bridge) from += 0.001;
    const overhang = radius * Math.SQRT1_2;
    const expected = (100 * (overhang ** 2 - from ** 2)) / (overhang ** 2 - first ** 2);
    near(percentOf(ball, { bridge, layer }), expected, PERCENT_TOLERANCE, `layers of ${layer} mm`);
  }
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

test("supports support overhangs within the bridging distance", () => {
  const cube = modelBody(0, meshOf(box([20, 20, 5])), [0, 0, 3]);
  const post = (x: number, y: number): SceneBody => supportBody(0, meshOf(box([0.4, 0.4, 3.05])), [x, y, 0]);
  const expected = 100 * (1 - (Math.PI * BRIDGE_MM ** 2) / 400);
  near(percents([cube, post(0, 0)])[0], expected, 4, "one post");
  // Round tips at any place; each supports overhangs within 2 mm of it.
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

test("another model supports as far as it is supported itself, and each model has its own figure", () => {
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

test("steps that are on average as steep as the self-supporting slope are supported", () => {
  const stairs = Array.from({ length: 12 }, (_, i) => moved(box([4, 10, 1]), [i, 0, i + 0.5]));
  assert.equal(percentOf(meshOf(...stairs)), 0);
  const flatter = Array.from({ length: 12 }, (_, i) => moved(box([4, 10, 1]), [2 * i, 0, i + 0.5]));
  assert.ok(percentOf(meshOf(...flatter)) > 40);
});

test("an empty scene has no figures, and the check can be cancelled", () => {
  assert.deepEqual(percents([]), []);
  const state = newTaskState();
  cancelTask(state);
  const request = { ...checkRequest([modelBody(0, cantilever(9))]), selfSupportingAngleDeg: 45, bridgingDistanceMm: 5 };
  assert.throws(() => percentUnsupported(request, taskProgress(state)), CancelledError);
});
