import assert from "node:assert/strict";
import { test } from "node:test";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../../src/core/progress.ts";
import { add, length, subtract, times, unit } from "../../../src/geometry/vector.ts";
import { buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import { closestPoint } from "../../../src/mesh/bvh/closest-point.ts";
import { type Mesh, type Surface, cornersOf, facetNormal, triangleCount } from "../../../src/mesh/mesh.ts";
import type { Hole } from "../../../src/solid/drill/bore.ts";
import { closestPointOnMesh, drill } from "../../../src/solid/drill/drill.ts";
import { corpusMesh } from "../../fixture/orienting.ts";
import { box, cylinder, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { randomFrom } from "../../fixture/random.ts";
import { facetsOf, insideOut, moved, withFacets } from "../../fixture/surface-edits.ts";
import { assertDrilled, assertClosedManifold, eulerCharacteristic, inclined, someHole } from "./holes.ts";

const drilled = async (mesh: Mesh, ...holes: Partial<Hole>[]): Promise<Mesh> =>
  (await drill(mesh, holes.map(someHole), noProgress)).mesh;

const scaled = (surface: Surface, factor: number): Surface => ({
  vertices: Float64Array.from(surface.vertices, (value) => value * factor),
  triangles: surface.triangles,
});

const assertShare = (actual: number, expected: number, share: number, what: string): void =>
  assert.ok(Math.abs(actual - expected) <= share * Math.abs(expected), `${what}: ${actual} for ${expected}`);

test("a hole removes πr²t of a slab for any radius, inclination and scale, and makes one tunnel", async () => {
  for (const scale of [1, 0.03]) {
    const slab = meshOf(scaled(moved(box([60, 60, 4]), [1, -2, -2]), scale));
    for (const radius of [0.2, 1.5, 8]) {
      for (const lean of [0, 17, 45, 65]) {
        for (const depthMm of ["AUTO", 60 * scale] as const) {
          const hole = { direction: inclined(lean), diameterMm: 2 * radius * scale, depthMm, outsetMm: 0.5 * scale };
          const mesh = await drilled(slab, hole);
          const thickness = 4 / Math.cos((lean * Math.PI) / 180);
          const what = `radius ${radius}, ${lean}°, scale ${scale}, ${depthMm}`;
          const removed = slab.volumeMm3 - mesh.volumeMm3;
          const expected = Math.PI * radius ** 2 * thickness * scale ** 3;
          assertShare(removed, expected, 0.01, what);
          assert.ok(removed > (1 - 1e-4) * expected, `${what}: the hole is too narrow`);
          assertClosedManifold(mesh, what);
          assert.equal(eulerCharacteristic(mesh), 0, what);
        }
      }
    }
  }
});

test("a fixed depth is measured from the position", async () => {
  const block = meshOf(moved(box([40, 40, 20]), [0, 0, -10]));
  for (const [depthMm, outsetMm, z] of [
    [5, 1, 0],
    [5, 0, 0],
    [0.3, 3, 0],
    [5, 1, 0.8],
    [5, 1, -0.4],
  ] as const) {
    const mesh = await drilled(block, { depthMm, outsetMm, position: [3, 2, z] });
    assertShare(block.volumeMm3 - mesh.volumeMm3, Math.PI * 4 * (depthMm - z), 0.01, `${depthMm} from ${z}`);
    assertClosedManifold(mesh);
    assert.equal(eulerCharacteristic(mesh), 2);
  }
});

test("vertices away from the hole stay exactly the same", async () => {
  const ball = meshOf(uvSphere(20));
  const mesh = await drilled(ball, { position: [0, 0, 20], depthMm: 10 });
  const vertexKeys = ({ vertices }: Mesh): Set<string> =>
    new Set(Array.from({ length: vertices.length / 3 }, (_, i) => vertices.subarray(3 * i, 3 * i + 3).join()));
  const left = vertexKeys(mesh);
  const far = [...vertexKeys(ball)].filter((place) => Number(place.split(",")[2]) < 18);
  assert.ok(far.length > 900);
  assert.deepEqual(
    far.filter((place) => !left.has(place)),
    [],
  );
});

test("the result is the solid minus the holes, for many shapes and directions", async () => {
  const random = randomFrom(8);
  const shapes = [box([20, 30, 12]), uvSphere(15), cylinder(9, 25), torus(15, 6), uvSphere(10, 9, 5)].map((shape) =>
    meshOf(shape),
  );
  for (const [i, mesh] of [
    ...shapes,
    await corpusMesh("thingi-65004.stl"),
    await corpusMesh("thingi-472042.stl"),
  ].entries()) {
    for (let round = 0; round < 3; round++) {
      const holes = Array.from({ length: 1 + round }, () => randomHole(mesh, random));
      const { mesh: left, bores } = await drill(mesh, holes, noProgress);
      const met = bores.filter((bore) => bore !== undefined);
      assert.equal(met.length, holes.length, `mesh ${i}`);
      assertClosedManifold(left, `mesh ${i}, round ${round}`);
      assertDrilled(mesh, left, met, random, 400);
    }
  }
});

/** A hole at the centroid of a random facet, inclined against its normal by up to 40°. */
function randomHole(mesh: Mesh, random: () => number): Hole {
  for (;;) {
    const facet = Math.floor(triangleCount(mesh) * random());
    const [a, b, c] = cornersOf(mesh, facet);
    const normal = facetNormal(mesh, facet);
    if (length(normal) < 1e-3) continue;
    const [x, y, z] = unit(normal);
    const tilt = (): number => 0.8 * (random() - 0.5);
    return someHole({
      position: times(add(add(a, b), c), 1 / 3),
      direction: unit([tilt() - x, tilt() - y, tilt() - z]),
      diameterMm: 0.4 + 4 * random(),
      depthMm: random() < 0.5 ? "AUTO" : 1 + 6 * random(),
      outsetMm: 2 * random(),
    });
  }
}

test("the common part of two crossing holes is removed once", async () => {
  const block = meshOf(box([30, 30, 30]));
  const mesh = await drilled(
    block,
    { position: [0, 0, 15], diameterMm: 8 },
    { position: [15, 0, 0], direction: [-1, 0, 0], diameterMm: 8 },
  );
  // The intersection of two cylinders of radius r is 16/3 r³ (Archimedes).
  assertShare(block.volumeMm3 - mesh.volumeMm3, 2 * Math.PI * 16 * 30 - (16 / 3) * 64, 0.01, "the cross");
  assertClosedManifold(mesh);
  // The result has three handles: two tunnels that meet.
  assert.equal(eulerCharacteristic(mesh), 2 - 2 * 3);
});

test("holes that share walls, ends or everything leave a closed manifold", async () => {
  const block = meshOf(moved(box([30, 30, 10]), [0, 0, -5]));
  const alone = await drilled(block, {});
  const thrice = await drilled(block, {}, {}, {});
  assertShare(thrice.volumeMm3, alone.volumeMm3, 1e-9, "the same three times");
  assertClosedManifold(thrice);
  const pair = await drilled(block, { depthMm: 5 }, { depthMm: 5, position: [3, 0, 0] });
  // The intersection of two circles of radius 2 with centres 3 apart.
  const lens = 8 * Math.acos(0.75) - 1.5 * Math.sqrt(16 - 9);
  assertShare(block.volumeMm3 - pair.volumeMm3, 5 * (8 * Math.PI - lens), 0.01, "the pair");
  assertClosedManifold(pair);
  const again = await drill(alone, [someHole()], noProgress);
  assert.deepEqual(again.bores, [undefined]);
  assert.equal(again.mesh, alone);
});

test("holes in overlapping bodies leave one closed boundary of both", async () => {
  const both = meshOf(box([20, 20, 10]), moved(box([20, 20, 10]), [7, 5, 3]));
  const random = randomFrom(2);
  for (const direction of [inclined(0), inclined(40)]) {
    for (const position of [
      [3, 3, 8],
      [-3, 1, 5],
    ] as const) {
      const { mesh, bores } = await drill(both, [someHole({ position, direction, depthMm: 6 })], noProgress);
      assertClosedManifold(mesh);
      assertDrilled(
        both,
        mesh,
        bores.filter((bore) => bore !== undefined),
        random,
      );
    }
  }
});

test("holes at a rim, along a side and at a corner remove the right volume", async () => {
  const block = meshOf(moved(box([20, 20, 10]), [0, 0, -5]));
  const halved: Partial<Hole>[] = [
    { position: [10, 3, 0] },
    { position: [10, 3, 0], depthMm: 30 },
    { position: [-2, -10, 0], depthMm: 30, outsetMm: 0 },
  ];
  for (const hole of halved) {
    const mesh = await drilled(block, hole);
    assertShare(block.volumeMm3 - mesh.volumeMm3, Math.PI * 2 * 10, 0.01, JSON.stringify(hole));
    assertClosedManifold(mesh);
    assert.equal(eulerCharacteristic(mesh), 2);
  }
  const corner = await drilled(block, { position: [10, 10, 0] });
  assertShare(block.volumeMm3 - corner.volumeMm3, Math.PI * 10, 0.01, "the corner");
  // The axis of the hole is 1 mm outside the side, so it removes a segment of the circle.
  const groove = await drilled(block, { position: [11, 0, 0], depthMm: 20 });
  const segment = 4 * Math.acos(0.5) - Math.sqrt(3);
  assertShare(block.volumeMm3 - groove.volumeMm3, segment * 10, 0.02, "the groove");
  assertClosedManifold(groove);
});

test("a hole next to the mesh, in front of it or touching it misses it, and the mesh is the same object", async () => {
  const block = meshOf(moved(box([20, 20, 10]), [0, 0, -5]));
  const beside: Partial<Hole>[] = [
    { position: [13, 0, 0], depthMm: 20 },
    { position: [12, 0, 0], depthMm: 20 },
    { position: [13, 0, 0] },
    { position: [0, 0, 6], depthMm: 5 },
    { position: [0, 0, 5], depthMm: 5 },
    { position: [0, 0, 9] },
    { direction: [0, 0, 1], outsetMm: 0, depthMm: 5, position: [0, 0, 0.2] },
    { direction: [0, 0, 1] },
    { depthMm: 1e-9 },
    { diameterMm: 1e-12, position: [10.5, 0, 0], depthMm: 20 },
    { position: [0, 0, 2], searchMm: 1.9 },
  ];
  const { mesh, bores } = await drill(block, beside.map(someHole), noProgress);
  assert.deepEqual(
    bores,
    beside.map(() => undefined),
  );
  assert.equal(mesh, block);
});

test("a hole much longer than the model costs no precision", async () => {
  const block = meshOf(moved(box([20, 20, 10]), [0, 0, -5]));
  const mesh = await drilled(block, { depthMm: 1e6, outsetMm: 1e6 });
  assertShare(block.volumeMm3 - mesh.volumeMm3, Math.PI * 4 * 10, 0.01, "long");
  assertClosedManifold(mesh);
});

test("a mesh that does not bound a solid is not drilled, and the message names the repair", async () => {
  const cube = moved(box([20, 20, 10]), [0, 0, -5]);
  const open = withFacets(cube, facetsOf(cube).slice(1));
  const turned = withFacets(
    cube,
    facetsOf(cube).map(([a, b, c], i) => (i === 3 ? [a, c, b] : [a, b, c])),
  );
  for (const surface of [open, turned, insideOut(cube)]) {
    await assert.rejects(drilled(meshOf(surface), { depthMm: 5 }), {
      code: "OPERATION_FAILED",
      message: /\/v1\/scene\/model\/repair\//,
    });
    // The same applies to a hole whose end is unknown.
    await assert.rejects(drilled(meshOf(surface), { depthMm: "AUTO", position: [1, 2, 0] }), { message: /repair/ });
    await assert.rejects(drilled(meshOf(surface), { position: [1, 2, 4], searchMm: 5 }), { message: /repair/ });
    // A mesh that no hole meets need not bound a solid.
    assert.ok(await drilled(meshOf(surface), { depthMm: 5, position: [50, 0, 0] }));
  }
});

test("a hole that leaves nothing, or is finer than the coordinates, is refused", async () => {
  const block = meshOf(moved(box([20, 20, 10]), [0, 0, -5]));
  await assert.rejects(drilled(block, { diameterMm: 100 }), { code: "OPERATION_FAILED", message: /leave nothing/ });
  await assert.rejects(drilled(block, {}, { diameterMm: 1e-5 }), {
    code: "OPERATION_FAILED",
    message: /hole 2 is too narrow/,
  });
  await assert.rejects(drilled(block, { diameterMm: 5e-324, depthMm: 3 }), {
    code: "OPERATION_FAILED",
    message: /hole 1 is too narrow/,
  });
});

test("the same holes give the same mesh in every engine", async () => {
  const ball = meshOf(uvSphere(20, 16, 9));
  const holes = [
    someHole({ position: [0, 0, 20] }),
    someHole({ position: [0, 20, 0], direction: [0, -0.8, -0.6], depthMm: 12 }),
  ];
  const first = await drill(ball, holes, noProgress);
  const second = await drill(ball, holes, noProgress);
  assert.deepEqual(second, first);
  assert.equal(first.mesh.hash, "fd6e328a992b411f38578bf0178c6f1d3ee74871674509dcfcba71321b5f6df0");
});

test("drilling can be cancelled", async () => {
  const state = newTaskState();
  cancelTask(state);
  await assert.rejects(drill(meshOf(box([20, 20, 10])), [someHole()], taskProgress(state)), CancelledError);
});

test("the closest point agrees with that of a Bvh", async () => {
  const random = randomFrom(9);
  for (const mesh of [meshOf(box([30, 20, 10])), meshOf(torus(12, 5)), await corpusMesh("thingi-65004.stl")]) {
    const tree = buildBvh(mesh, noProgress);
    for (let round = 0; round < 100; round++) {
      const [x, y, z] = [0, 0, 0].map(() => 60 * (random() - 0.5)) as [number, number, number];
      const expected = closestPoint(tree, [x, y, z], Infinity)!;
      const found = closestPointOnMesh(mesh, [x, y, z], Infinity, noProgress)!;
      assert.ok(Math.abs(length(subtract(found, [x, y, z])) - expected.distanceMm) < 1e-9);
      assert.ok(length(subtract(found, expected.point)) < 1e-6);
      assert.ok(closestPointOnMesh(mesh, [x, y, z], expected.distanceMm + 1e-6, noProgress));
      assert.equal(closestPointOnMesh(mesh, [x, y, z], expected.distanceMm - 1e-6, noProgress), undefined);
    }
  }
});
