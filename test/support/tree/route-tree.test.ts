import assert from "node:assert/strict";
import { test } from "node:test";
import { CancelledError, cancelTask, newTaskState, readProgress, taskProgress } from "../../../src/core/progress.ts";
import type { BuildVolume } from "../../../src/geometry/build-volume.ts";
import { type EulerDeg, UPRIGHT, rotationMatrix } from "../../../src/geometry/pose.ts";
import { type Vec3, length, subtract } from "../../../src/geometry/vector.ts";
import { type Mesh, type Surface, concatenateSurfaces } from "../../../src/mesh/mesh.ts";
import { outlineOf } from "../../../src/mesh/outline.ts";
import type { PlacedMesh } from "../../../src/mesh/placed-mesh.ts";
import { slowRuns, sampledTests } from "../../fixture/long.ts";
import { type RouteRequest, routeTouchpoints } from "../../fixture/route-touchpoints.ts";
import { latticeTouchpoints } from "../../fixture/lattice-touchpoints.ts";
import { box, cylinder, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshFrom, meshOf } from "../../fixture/stage.ts";
import { insideOut, moved } from "../../fixture/surface-edits.ts";
import { assertClear, assertJoined, assertSteep, materialOf, nodeOf, nodesOf } from "../../fixture/tree-checks.ts";
import { SETTINGS } from "../settings.ts";

const INTERNAL = { ...SETTINGS, internalSupportsEnabled: true };
const VOLUME: BuildVolume = { dimensionsMm: [200, 125, 210], filletRadiusMm: 5 };
const GROUND_MM = 2;

const shape = (...parts: readonly Surface[]): Mesh => meshOf(concatenateSurfaces(parts));

/** The mesh with its lowest point `liftMm` above the ground. */
function raised(mesh: Mesh, liftMm: number, orientation: EulerDeg = UPRIGHT, [x, y] = [0, 0]): PlacedMesh {
  const lowest = outlineOf(mesh, rotationMatrix(orientation)).box.min[2];
  return { mesh, pose: { position: [x, y, GROUND_MM + liftMm - lowest], orientation, scale: 1 } };
}

const request = (placed: PlacedMesh, spacingMm: number, changes: Partial<RouteRequest> = {}): RouteRequest => ({
  placed,
  touchpoints: latticeTouchpoints(placed, spacingMm, (changes.settings ?? SETTINGS).touchpointSizeMm),
  settings: SETTINGS,
  groundMm: GROUND_MM,
  volume: VOLUME,
  ...changes,
});

/** Routes a tree and asserts the properties of every tree. */
function routed(input: RouteRequest, mostStruts?: number) {
  const { placed, touchpoints, settings, groundMm, volume } = input;
  const tree = routeTouchpoints(input);
  assertJoined(tree);
  assertSteep(tree);
  assertClear(tree, placed, mostStruts);
  assert.equal(tree.touches.length, touchpoints.length);
  touchpoints.forEach(({ position }, i) => {
    if (tree.touches[i] < 0) return;
    const { centre, radiusMm } = nodeOf(tree, tree.touches[i]);
    const apart = length(subtract(centre, position));
    assert.ok(apart < radiusMm, `touch ${i} is ${apart} mm away from its point`);
  });
  for (const { node, on } of tree.feet) {
    if (on === "GROUND") assert.equal(nodeOf(tree, node).centre[2], groundMm);
    else assert.ok(settings.internalSupportsEnabled);
  }
  if (volume) for (const { centre, radiusMm } of nodesOf(tree)) assertInside(volume, centre, radiusMm);
  return tree;
}

/** Asserts that a ball seen from above is inside the rounded rectangle of a volume. */
function assertInside({ dimensionsMm: [width, depth], filletRadiusMm }: BuildVolume, [x, y]: Vec3, radiusMm: number) {
  for (let i = 0; i < 16; i++) {
    const [dx, dy] = [Math.cos, Math.sin].map((part) => radiusMm * part((Math.PI * i) / 8));
    const outX = Math.max(0, Math.abs(x + dx) - (width / 2 - filletRadiusMm));
    const outY = Math.max(0, Math.abs(y + dy) - (depth / 2 - filletRadiusMm));
    assert.ok(Math.hypot(outX, outY) <= filletRadiusMm + 1e-6, `${x}, ${y} is outside`);
  }
}

const countUnreached = ({ touches }: { readonly touches: Int32Array }): number => touches.filter((at) => at < 0).length;

/** A closed box with a cavity. */
const closedBox = (): Mesh => shape(box([30, 30, 40]), insideOut(box([24, 24, 34])));

const TABLE = shape(box([40, 40, 3]));
/** A cap high above a plate that is between the cap and the ground. */
const CAP_OVER_PLATE = shape(moved(box([16, 16, 3]), [0, 0, 40]), box([24, 24, 2]));

const SHAPES: Readonly<Record<string, PlacedMesh>> = {
  table: raised(TABLE, 12),
  "leaning table": raised(TABLE, 5, { x: 25, y: 10, z: 0 }),
  ball: raised(shape(uvSphere(12)), 5),
  ring: raised(shape(torus(14, 4)), 6, { x: 80, y: 0, z: 0 }),
  "lying cylinder": raised(shape(cylinder(8, 50)), 30, { x: 90, y: 0, z: 30 }),
  "cap over a plate": raised(CAP_OVER_PLATE, 5),
  "high table": raised(TABLE, 60),
};

for (const [name, placed] of Object.entries(SHAPES)) {
  test(`${name}: every touchpoint has a route to the ground, clear of the model`, () => {
    const input = request(placed, 3);
    assert.ok(input.touchpoints.length > 10);
    const tree = routed(input);
    assert.equal(countUnreached(tree), 0);
    assert.deepEqual(routeTouchpoints(input), tree, "the same twice");
    assert.deepEqual(routed({ ...input, settings: INTERNAL }), tree, "the ground is preferred");
  });
}

/** The number of points and the material of supports and pads of PrusaSlicer 2.5.0. */
const FILES = [
  { file: "thingi-65004.stl", spacingMm: 2, points: 634, peerMm3: 8700 },
  { file: "thingi-472042.stl", orientation: { x: 0, y: 0, z: 90 }, spacingMm: 4, points: 416, peerMm3: 10_500 },
  { file: "thingi-520644.stl", spacingMm: 2.5, points: 340, peerMm3: 3500, settings: INTERNAL },
] as const;

for (const [{ file, spacingMm, points, peerMm3, ...changes }, testOne] of sampledTests(FILES, 2)) {
  testOne(`${file}: takes less than half of the peer's material per point`, async () => {
    const mesh = await meshFrom(`test/fixture/corpus/${file}`);
    const placed = raised(mesh, 5, "orientation" in changes ? changes.orientation : UPRIGHT);
    const settings = "settings" in changes ? changes.settings : SETTINGS;
    const tree = routed(request(placed, spacingMm, { settings }), slowRuns(250));
    const reached = tree.touches.length - countUnreached(tree);
    assert.ok(reached >= points);
    assert.ok(materialOf(tree) / reached < peerMm3 / points / 2, `${materialOf(tree)} mm³`);
  });
}

test("merged branches take less than half of the material of separate pillars", () => {
  const input = request(SHAPES["high table"], 4);
  const alone = input.touchpoints.map((touchpoint) =>
    materialOf(routeTouchpoints({ ...input, touchpoints: [touchpoint] })),
  );
  const tree = routeTouchpoints(input);
  assert.ok(materialOf(tree) < alone.reduce((sum, one) => sum + one, 0) / 2);
  assert.ok(tree.feet.length < input.touchpoints.length / 4);
});

test("inside a closed cavity no pillar reaches the ground, and pillars end on the model if that is allowed", () => {
  const placed = raised(closedBox(), 5);
  const input = request(placed, 4);
  const isInside = input.touchpoints.map(({ position }) => position[2] > GROUND_MM + 10);
  assert.deepEqual(
    [...routed(input).touches].map((at) => at < 0),
    isInside,
  );
  const tree = routed({ ...input, settings: INTERNAL });
  assert.equal(countUnreached(tree), 0);
  assert.ok(tree.feet.some(({ on }) => on === "MODEL"));
  for (const { node, on } of tree.feet) {
    const [, , z] = nodeOf(tree, node).centre;
    if (on === "MODEL") assert.ok(Math.abs(z - (GROUND_MM + 5 + 3)) < 0.3, `a foot at ${z}`);
  }
});

test("faces inside another body get no tips", () => {
  const placed = raised(
    shape(box([20, 20, 20]), moved(box([20, 12, 8]), [12, 0, 2]), moved(box([12, 12, 2]), [0, 0, -8])),
    8,
  );
  const input = request(placed, 3);
  const isWithin = input.touchpoints.map(({ position: [x, , z] }) => z > GROUND_MM + 8.5 && x < 10 - 6);
  assert.ok(isWithin.includes(true));
  assert.deepEqual(
    [...routed({ ...input, settings: INTERNAL }).touches].map((at) => at < 0),
    isWithin,
  );
});

test("routes leave a room through its window", () => {
  // A floor and a ceiling on three walls.
  const parts = [
    moved(box([30, 30, 2]), [0, 0, 40]),
    box([20, 30, 2]),
    moved(box([2, 30, 40]), [-14, 0, 20]),
    moved(box([30, 2, 40]), [0, 14, 20]),
    moved(box([30, 2, 40]), [0, -14, 20]),
  ];
  const placed = raised(meshOf(concatenateSurfaces(parts)), 5);
  const touchpoints = latticeTouchpoints(placed, 3, SETTINGS.touchpointSizeMm).filter(
    ({ position }) => position[2] > GROUND_MM + 30,
  );
  const tree = routed(request(placed, 3, { touchpoints }));
  const ends = tree.feet.map(({ node }) => nodeOf(tree, node).centre);
  assert.equal(countUnreached(tree), 0);
  assert.ok(ends.some(([x]) => x > 10.8));
});

test("low models get short posts, models on the ground only feet", () => {
  for (const liftMm of [0, 0.03, 0.1, 0.5, 1, 1.19, 1.21, 1.5, 2, 3, 4]) {
    const tree = routed(request(raised(TABLE, liftMm), 5));
    assert.equal(countUnreached(tree), 0, `at ${liftMm} mm`);
    assert.equal(tree.struts.length === 0, liftMm < 0.133);
  }
});

test("tips enter a flat face by a fixed depth, in a circle of the touchpoint's size", () => {
  for (const touchpointSizeMm of [0.3, 0.5, 1]) {
    const input = request(SHAPES.table, 8, { settings: { ...SETTINGS, touchpointSizeMm } });
    const tree = routed(input);
    for (const touch of tree.touches) {
      const { centre, radiusMm } = nodeOf(tree, touch);
      const below = GROUND_MM + 12 - centre[2];
      assert.ok(Math.abs(radiusMm - below - 0.3 * touchpointSizeMm) < 1e-5, "depth");
      assert.ok(Math.abs(2 * Math.sqrt(radiusMm ** 2 - below ** 2) - touchpointSizeMm) < 1e-5, "width");
    }
  }
});

test("tall pillars have braces, or a wider foot if they are alone", () => {
  const tree = routed(request(SHAPES["high table"], 4));
  const braced = tree.struts.filter(({ kind }) => kind === "BRACE");
  assert.ok(braced.length >= 8, `${braced.length} braces`);
  const stick = raised(shape(box([4, 4, 3])), 70);
  const alone = routed(request(stick, 10));
  assert.deepEqual(
    alone.struts.filter(({ kind }) => kind === "BRACE"),
    [],
  );
  assert.equal(alone.feet.length, 1);
  assert.ok(nodeOf(alone, alone.feet[0].node).radiusMm > 60 / 60);
});

test("pillars at the rim of the volume lean inward", () => {
  const volume: BuildVolume = { dimensionsMm: [41, 41, 100], filletRadiusMm: 6 };
  const placed = raised(shape(cylinder(20, 4)), 20, UPRIGHT, [0.4, 0]);
  const tree = routed(request(placed, 2, { volume }));
  assert.ok(countUnreached(tree) <= 1);
  const outside = routed(request(raised(TABLE, 20, UPRIGHT, [10, 0]), 3, { volume }));
  assert.ok(countUnreached(outside) > 0);
});

test("a cancelled job ends, and progress goes from 0 to 1", () => {
  const state = newTaskState();
  routeTouchpoints(request(SHAPES.ball, 3), taskProgress(state));
  assert.equal(readProgress(state), 1);
  cancelTask(state);
  assert.throws(() => routeTouchpoints(request(SHAPES.ball, 3), taskProgress(state)), CancelledError);
});

test("without touchpoints the tree is empty", () => {
  const tree = routeTouchpoints(request(SHAPES.ball, 3, { touchpoints: [] }));
  assert.deepEqual([tree.nodes.length, tree.struts, tree.feet, tree.touches.length], [0, [], [], 0]);
});
