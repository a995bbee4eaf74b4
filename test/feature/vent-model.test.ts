import assert from "node:assert/strict";
import { test } from "node:test";
import { runAtOnce } from "../../src/core/steps.ts";
import { noProgress } from "../../src/core/progress.ts";
import type { EulerDeg } from "../../src/geometry/pose.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { type VentRequest, type VentedModel, ventModel } from "../../src/feature/vent/vent-model.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import { checkGroups } from "../../src/scene/check-groups.ts";
import { checkRequest, cupsPerModel, modelBody } from "../fixture/check-request.ts";
import { longTest, sampledTests } from "../fixture/long.ts";
import { fc } from "../fixture/property.ts";
import { box, mug, tetrahedron, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";
import { assertClosedManifold } from "../solid/drill/holes.ts";

const LAYER_MM = 0.1;
const LIMITS = { diameterMm: 2.5, maxLengthMm: 30, keepOut: { never: [], touched: [] } };

type Place = readonly [height: number, orientation?: Partial<EulerDeg>];

const sceneBodyOf = (mesh: Mesh, [height, orientation = {}]: Place) =>
  modelBody(0, mesh, [0, 0, height], { orientation: { x: 0, y: 0, z: 0, ...orientation } });

const cupsOf = (mesh: Mesh, place: Place): number =>
  cupsPerModel(checkRequest([sceneBodyOf(mesh, place)], LAYER_MM), noProgress)[0];

function vented(mesh: Mesh, place: Place, limits: Partial<VentRequest> = {}): Promise<VentedModel> {
  const [{ placed: group }] = runAtOnce(checkGroups(checkRequest([sceneBodyOf(mesh, place)], LAYER_MM), 0.1));
  return ventModel({ ...LIMITS, ...limits, group }, noProgress);
}

/** A body with cavities. */
const hollow = (outer: Surface, ...cavities: Surface[]): Mesh =>
  meshOf(outer, ...cavities.map((one) => insideOut(one)));

const SOLIDS: readonly (readonly [name: string, mesh: Mesh, place: Place, cups: number])[] = [
  ["a block", meshOf(box([20, 20, 20])), [0], 0],
  ["a mug that stands on the platform", meshOf(mug(10, 20, 32)), [0], 1],
  ["a mug above the platform", meshOf(mug(10, 20, 32)), [6], 1],
  ["a mug upside down on the platform", meshOf(mug(10, 20, 32)), [0, { x: 180 }], 1],
  ["a hollow box", hollow(box([30, 30, 30]), box([24, 24, 24])), [0], 1],
  ["a hollow box above the platform", hollow(box([30, 30, 30]), box([24, 24, 24])), [5], 1],
  ["a tilted hollow box", hollow(box([30, 30, 30]), box([24, 24, 24])), [4, { x: 30, y: 25 }], 1],
  ["a hollow ball", hollow(uvSphere(14, 32, 16), uvSphere(11, 32, 16)), [3], 1],
  ["a hollow tetrahedron", hollow(tetrahedron(60), moved(tetrahedron(36), [0, 0, 0])), [2], 1],
  [
    "two cavities side by side",
    hollow(box([50, 24, 24]), moved(box([18, 18, 18]), [-12, 0, 0]), moved(box([18, 18, 18]), [12, 0, 0])),
    [5],
    2,
  ],
];

for (const [[name, mesh, place, count], declare] of sampledTests(SOLIDS, 3)) {
  declare(`${name} has ${count} cups, and none after it is vented`, async () => {
    assert.equal(cupsOf(mesh, place), count);
    const found = await vented(mesh, place);
    assert.equal(found.cupsBefore, count);
    assert.deepEqual(found.unvented, []);
    assert.equal(cupsOf(found.mesh, place), 0);
    assert.equal(found.vents.length, count);
    assertClosedManifold(found.mesh, name);
  });
}

const MUG = meshOf(mug(10, 20, 32));
const STANDING: Place = [0];

test("a thin corner, a way that is too long and one that areas forbid are told, and the mesh stays", async () => {
  const tilted = await vented(MUG, [4, { x: 35, z: 20 }]);
  assert.equal(tilted.mesh, MUG);
  assert.deepEqual([tilted.cupsBefore, tilted.cupsAfter, tilted.vents], [1, 1, []]);
  assert.match(tilted.unvented[0].reason, /keeps a wall of 2.5 mm/);
  const thick = hollow(box([40, 40, 40]), box([8, 8, 8]));
  assert.match((await vented(thick, STANDING, { maxLengthMm: 15.9 })).unvented[0].reason, /at most 15.9 mm/);
  assert.equal((await vented(thick, STANDING, { maxLengthMm: 16.1 })).cupsAfter, 0);
  const everywhere = { kind: "BALL", centre: [0, 0, 0], normal: [0, 0, 1], radius: 100 } as const;
  const forbidden = await vented(MUG, STANDING, { keepOut: { never: [everywhere], touched: [] } });
  assert.match(forbidden.unvented[0].reason, /must never touch/);
});

longTest("holes avoid areas of each shape and touchpoints; where all places are touched, they take one", async () => {
  const block = hollow(box([30, 30, 30]), box([24, 24, 24]));
  const above: Place = [5];
  const exitOf = async (keepOut: Partial<VentRequest["keepOut"]>): Promise<Vec3> => {
    const { vents, unvented } = await vented(block, above, { keepOut: { never: [], touched: [], ...keepOut } });
    assert.deepEqual(unvented, []);
    // In raw coordinates: the box of the block is about the origin, 5 mm above the platform.
    const [x, y, z] = vents[0].position;
    return [x, y, z - 20];
  };
  const first = await exitOf({});
  const normal: Vec3 = [0, 0, 1];
  const distance = (a: Vec3, b: Vec3): number => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
  const ball = await exitOf({ never: [{ kind: "BALL", centre: first, normal, radius: 4 }] });
  assert.ok(distance(ball, first) > 5.25);
  const ends: Vec3[] = [first, [first[0], -first[1], first[2]]];
  const stroke = await exitOf({
    never: [{ kind: "STROKE", points: ends, normals: ends.map(() => normal), radius: 3 }],
  });
  assert.ok(Math.abs(stroke[0] - first[0]) > 4.2 || Math.abs(stroke[2] - first[2]) > 4.2);
  const face = await exitOf({ never: [{ kind: "FACE", point: first, normal, angleDeg: 15 }] });
  assert.ok(
    [0, 1, 2].every((axis) => Math.abs(face[axis] - first[axis]) > 1e-3 || Math.abs(Math.abs(first[axis]) - 15) > 1e-3),
  );
  assert.ok(distance(await exitOf({ touched: [first] }), first) > 2.25);
  const all = Array.from({ length: 61 * 61 * 61 }, (_, i): Vec3 => [
    (i % 61) / 2 - 15,
    (((i / 61) % 61) | 0) / 2 - 15,
    ((i / 3721) | 0) / 2 - 15,
  ]);
  const shell = all.filter((point) => Math.max(...point.map(Math.abs)) > 14.9);
  assert.deepEqual(await exitOf({ touched: shell }), first);
});

const tilt = fc.record({
  x: fc.integer({ min: -180, max: 180 }),
  y: fc.integer({ min: -60, max: 60 }),
  z: fc.constant(15),
});

/** Hollow shapes with walls of 3 mm, nested cavities and domes: in any tilt each cup is vented, or named with the reason. */
const CORPUS = [
  hollow(box([24, 30, 20]), box([18, 24, 14])),
  hollow(uvSphere(12, 24, 12), uvSphere(9, 24, 12)),
  hollow(box([40, 20, 20]), moved(box([14, 14, 14]), [-10, 0, 0]), moved(box([10, 12, 14]), [10, 0, 0])),
  meshOf(mug(9, 14, 24)),
  meshOf(box([24, 24, 24]), insideOut(box([18, 18, 18])), box([8, 8, 8])),
];

longTest(
  "in any tilt, on the platform or above it, cups are vented or named, and the count is that of the check",
  async () => {
    let [cups, left] = [0, 0];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...CORPUS), tilt, fc.constantFrom(0, 4), async (mesh, orientation, height) => {
        const place: Place = [height, orientation];
        const found = await vented(mesh, place, { diameterMm: 2 });
        assert.equal(found.cupsBefore, cupsOf(mesh, place));
        assert.equal(found.cupsAfter, cupsOf(found.mesh, place));
        assert.equal(found.unvented.length, found.cupsAfter);
        assert.ok(found.cupsAfter <= found.cupsBefore);
        for (const { reason } of found.unvented) assert.match(reason, /[a-z ]{10}/);
        if (found.vents.length > 0) assertClosedManifold(found.mesh);
        cups += found.cupsBefore;
        left += found.cupsAfter;
      }),
      { numRuns: 40 },
    );
    assert.ok(left < 0.1 * cups, `${left} of ${cups} cups are left`);
  },
);
