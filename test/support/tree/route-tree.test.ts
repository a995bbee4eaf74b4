import assert from "node:assert/strict";
import { test } from "node:test";
import type { BuildVolume, Vec3 } from "../../../src/core/geometry.ts";
import { length, subtract } from "../../../src/core/geometry.ts";
import { Cancelled, cancelJob, newJobState, progressOf, unwatched, watchJob } from "../../../src/core/watch.ts";
import { combine } from "../../../src/mesh/combine.ts";
import type { Mesh, Surface } from "../../../src/mesh/mesh.ts";
import { outlineOf } from "../../../src/mesh/outline-of.ts";
import { type EulerDeg, toMatrix, UPRIGHT } from "../../../src/mesh/pose.ts";
import type { Placed } from "../../../src/slice/placed.ts";
import { routeTree, type TreeRequest } from "../../../src/support/tree/route-tree.ts";
import { insideOut, moved } from "../../fixture/altered.ts";
import { latticeTouchpoints } from "../../fixture/lattice-touchpoints.ts";
import { box, cylinder, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshFrom, meshOf } from "../../fixture/stage.ts";
import { assertClear, assertJoined, assertSteep, materialOf, nodeOf, nodesOf } from "../../fixture/tree-checks.ts";
import { SETTINGS } from "../solid/settings.ts";

const INTERNAL = { ...SETTINGS, internalSupportsEnabled: true };
const VOLUME: BuildVolume = { dimensionsMm: [200, 125, 210], filletRadiusMm: 5 };
const GROUND_MM = 2;

const shape = (...parts: readonly Surface[]): Mesh => meshOf(combine(parts));

/** The mesh with its lowest point so far above the ground. */
function raised(mesh: Mesh, liftMm: number, orientation: EulerDeg = UPRIGHT, [x, y] = [0, 0]): Placed {
  const lowest = outlineOf(mesh, toMatrix(orientation)).box.min[2];
  return { mesh, pose: { position: [x, y, GROUND_MM + liftMm - lowest], orientation, scale: 1 } };
}

const request = (placed: Placed, spacingMm: number, changes: Partial<TreeRequest> = {}): TreeRequest => ({
  placed,
  touchpoints: latticeTouchpoints(placed, spacingMm),
  settings: SETTINGS,
  groundMm: GROUND_MM,
  room: { volume: VOLUME },
  ...changes,
});

/** Routes the tree and asserts all that is true of every tree. */
function routed(asked: TreeRequest, mostStruts?: number) {
  const tree = routeTree(asked, unwatched);
  assertJoined(tree);
  assertSteep(tree);
  assertClear(tree, asked.placed, mostStruts);
  assert.equal(tree.touches.length, asked.touchpoints.length);
  asked.touchpoints.forEach(({ position }, i) => {
    if (tree.touches[i] < 0) return;
    const { place, radiusMm } = nodeOf(tree, tree.touches[i]);
    const apart = length(subtract(place, position));
    assert.ok(apart < radiusMm, `touch ${i} is ${apart} mm away from its point`);
  });
  for (const { node, on } of tree.feet) {
    if (on === "GROUND") assert.equal(nodeOf(tree, node).place[2], asked.groundMm);
    else assert.ok(asked.settings.internalSupportsEnabled);
  }
  if (asked.room) for (const node of nodesOf(tree)) assertInside(asked.room.volume, node.place, node.radiusMm);
  return tree;
}

/** Every point of the ball's rim seen from above lies in the rounded rectangle, by distance to its inner one. */
function assertInside({ dimensionsMm: [width, depth], filletRadiusMm }: BuildVolume, [x, y]: Vec3, radiusMm: number) {
  for (let i = 0; i < 16; i++) {
    const [dx, dy] = [Math.cos, Math.sin].map((part) => radiusMm * part((Math.PI * i) / 8));
    const outX = Math.max(0, Math.abs(x + dx) - (width / 2 - filletRadiusMm));
    const outY = Math.max(0, Math.abs(y + dy) - (depth / 2 - filletRadiusMm));
    assert.ok(Math.hypot(outX, outY) <= filletRadiusMm + 1e-6, `${x}, ${y} is outside`);
  }
}

const countUnreached = ({ touches }: { readonly touches: Int32Array }): number => touches.filter((at) => at < 0).length;

/** A thick plate with walls up to a second one: a room with a window of this width on one side, or none. */
const closedBox = (): Mesh => shape(box([30, 30, 40]), insideOut(box([24, 24, 34])));

const TABLE = shape(box([40, 40, 3]));
/** A cap high above a plate that lies in its way to the ground. */
const CAP_OVER_PLATE = shape(moved(box([16, 16, 3]), [0, 0, 40]), box([24, 24, 2]));

const SHAPES: Readonly<Record<string, Placed>> = {
  table: raised(TABLE, 12),
  "leaning table": raised(TABLE, 5, { x: 25, y: 10, z: 0 }),
  ball: raised(shape(uvSphere(12)), 5),
  ring: raised(shape(torus(14, 4)), 6, { x: 80, y: 0, z: 0 }),
  "lying cylinder": raised(shape(cylinder(8, 50)), 30, { x: 90, y: 0, z: 30 }),
  "cap over a plate": raised(CAP_OVER_PLATE, 5),
  "high table": raised(TABLE, 60),
};

for (const [name, placed] of Object.entries(SHAPES)) {
  test(`${name}: every point is led to the ground, clear of the model`, () => {
    const asked = request(placed, 3);
    assert.ok(asked.touchpoints.length > 10);
    const tree = routed(asked);
    assert.equal(countUnreached(tree), 0);
    assert.deepEqual(routeTree(asked, unwatched), tree, "the same twice");
    assert.deepEqual(routed({ ...asked, settings: INTERNAL }), tree, "the ground goes first");
  });
}

/** Points of PrusaSlicer 2.5.0 and the material of its supports and pads. */
const FILES = [
  { file: "thingi-65004.stl", spacingMm: 2, points: 634, peerMm3: 8700 },
  { file: "thingi-472042.stl", orientation: { x: 0, y: 0, z: 90 }, spacingMm: 4, points: 416, peerMm3: 10_500 },
  { file: "thingi-520644.stl", spacingMm: 2.5, points: 340, peerMm3: 3500, settings: INTERNAL },
] as const;

for (const { file, spacingMm, points, peerMm3, ...changes } of FILES) {
  test(`${file}: takes for each point less than half of the peer's material`, async () => {
    const mesh = await meshFrom(`test/fixture/corpus/${file}`);
    const placed = raised(mesh, 5, "orientation" in changes ? changes.orientation : UPRIGHT);
    const settings = "settings" in changes ? changes.settings : SETTINGS;
    const tree = routed(request(placed, spacingMm, { settings }), 250);
    const reached = tree.touches.length - countUnreached(tree);
    assert.ok(reached >= points);
    assert.ok(materialOf(tree) / reached < peerMm3 / points / 2, `${materialOf(tree)} mm³`);
  });
}

test("branches meet: less than half of what each point on a pillar of its own takes", () => {
  const asked = request(SHAPES["high table"], 4);
  const alone = asked.touchpoints.map((touchpoint) =>
    materialOf(routeTree({ ...asked, touchpoints: [touchpoint] }, unwatched)),
  );
  const tree = routeTree(asked, unwatched);
  assert.ok(materialOf(tree) < alone.reduce((sum, one) => sum + one, 0) / 2);
  assert.ok(tree.feet.length < asked.touchpoints.length / 4);
});

test("inside a closed room nothing reaches the ground, and pillars stand on the model where they may", () => {
  const placed = raised(closedBox(), 5);
  const asked = request(placed, 4);
  const isInside = asked.touchpoints.map(({ position }) => position[2] > GROUND_MM + 10);
  assert.deepEqual(
    [...routed(asked).touches].map((at) => at < 0),
    isInside,
  );
  const tree = routed({ ...asked, settings: INTERNAL });
  assert.equal(countUnreached(tree), 0);
  assert.ok(tree.feet.some(({ on }) => on === "MODEL"));
  for (const { node, on } of tree.feet) {
    const [, , z] = nodeOf(tree, node).place;
    if (on === "MODEL") assert.ok(Math.abs(z - (GROUND_MM + 5 + 3)) < 0.3, `a foot at ${z}`);
  }
});

test("faces within another body get no tips", () => {
  const placed = raised(
    shape(box([20, 20, 20]), moved(box([20, 12, 8]), [12, 0, 2]), moved(box([12, 12, 2]), [0, 0, -8])),
    8,
  );
  const asked = request(placed, 3);
  const isWithin = asked.touchpoints.map(({ position: [x, , z] }) => z > GROUND_MM + 8.5 && x < 10 - 6);
  assert.ok(isWithin.includes(true));
  assert.deepEqual(
    [...routed({ ...asked, settings: INTERNAL }).touches].map((at) => at < 0),
    isWithin,
  );
});

test("out of a room with a window the ways lead through the window", () => {
  // A floor and a ceiling on three walls.
  const parts = [
    moved(box([30, 30, 2]), [0, 0, 40]),
    box([20, 30, 2]),
    moved(box([2, 30, 40]), [-14, 0, 20]),
    moved(box([30, 2, 40]), [0, 14, 20]),
    moved(box([30, 2, 40]), [0, -14, 20]),
  ];
  const placed = raised(meshOf(combine(parts)), 5);
  const touchpoints = latticeTouchpoints(placed, 3).filter(({ position }) => position[2] > GROUND_MM + 30);
  const tree = routed(request(placed, 3, { touchpoints }));
  const ends = tree.feet.map(({ node }) => nodeOf(tree, node).place);
  assert.equal(countUnreached(tree), 0);
  assert.ok(ends.some(([x]) => x > 10.8));
});

test("low models stand on short posts, and on the ground on feet alone", () => {
  for (const liftMm of [0, 0.03, 0.1, 0.5, 1, 1.19, 1.21, 1.5, 2, 3, 4]) {
    const tree = routed(request(raised(TABLE, liftMm), 5));
    assert.equal(countUnreached(tree), 0, `at ${liftMm} mm`);
    assert.equal(tree.struts.length === 0, liftMm < 0.133);
  }
});

test("tips enter a flat face by a fixed depth, in a circle of the touch's size", () => {
  for (const touchpointSizeMm of [0.3, 0.5, 1]) {
    const asked = request(SHAPES.table, 8, { settings: { ...SETTINGS, touchpointSizeMm } });
    const tree = routed(asked);
    for (const touch of tree.touches) {
      const { place, radiusMm } = nodeOf(tree, touch);
      const below = GROUND_MM + 12 - place[2];
      assert.ok(Math.abs(radiusMm - below - 0.3 * touchpointSizeMm) < 1e-5, "depth");
      assert.ok(Math.abs(2 * Math.sqrt(radiusMm ** 2 - below ** 2) - touchpointSizeMm) < 1e-5, "width");
    }
  }
});

test("tall pillars have braces, or a wider foot where they stand alone", () => {
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

test("at the rim of the volume pillars lean inward", () => {
  const volume: BuildVolume = { dimensionsMm: [41, 41, 100], filletRadiusMm: 6 };
  const placed = raised(shape(cylinder(20, 4)), 20, UPRIGHT, [0.4, 0]);
  const tree = routed(request(placed, 2, { room: { volume } }));
  assert.ok(countUnreached(tree) <= 1);
  const outside = routed(request(raised(TABLE, 20, UPRIGHT, [10, 0]), 3, { room: { volume } }));
  assert.ok(countUnreached(outside) > 0);
});

test("a cancelled job ends, and progress goes from 0 to 1", () => {
  const state = newJobState();
  routeTree(request(SHAPES.ball, 3), watchJob(state));
  assert.equal(progressOf(state), 1);
  cancelJob(state);
  assert.throws(() => routeTree(request(SHAPES.ball, 3), watchJob(state)), Cancelled);
});

test("no touchpoints make an empty tree", () => {
  const tree = routeTree(request(SHAPES.ball, 3, { touchpoints: [] }), unwatched);
  assert.deepEqual([tree.nodes.length, tree.struts, tree.feet, tree.touches.length], [0, [], [], 0]);
});
