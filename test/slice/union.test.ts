import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../src/geometry/vector.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import type { PlacedMesh } from "../../src/mesh/placed-mesh.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { areasOf, asFiled, evenly, gridOf, meshOf, picturesOf, placed } from "../fixture/slices.ts";
import { randomFrom } from "../fixture/random.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";

const grid = gridOf(64, 48, 0.3);
const boundariesMm = evenly(20, 0.37);
const requestOf = (placed: readonly PlacedMesh[]) => ({ placed, boundariesMm, grid });
const picturesOfAll = (...scene: PlacedMesh[]): Uint8Array[] => picturesOf(requestOf(scene));
const areasOfAll = (...scene: PlacedMesh[]): number[] => areasOf(requestOf(scene));

/** The box between two corners. */
const boxFrom = ([x, y, z]: Vec3, [toX, toY, toZ]: Vec3): Surface =>
  moved(box([toX - x, toY - y, toZ - z]), [(x + toX) / 2, (y + toY) / 2, (z + toZ) / 2]);

function assertNear(actual: readonly number[], expected: readonly number[], tolerance = 1e-6): void {
  assert.equal(actual.length, expected.length);
  actual.forEach((value, k) =>
    assert.ok(Math.abs(value - expected[k]) < tolerance, `layer ${k}: ${value} is not ${expected[k]}`),
  );
}

function someMeshes(random: () => number): Mesh {
  const size = (): number => 0.3 + 5 * random();
  const shapes = [
    () => box([size(), size(), size()]),
    () => uvSphere(size() / 2, 16, 9),
    () => torus(2, 0.2 + random(), 14, 8),
    () => tetrahedron(size()),
  ];
  return meshOf(shapes[Math.floor(4 * random())]());
}

function somewhere(mesh: Mesh, random: () => number): PlacedMesh {
  const angle = (): number => (random() < 0.3 ? 90 * Math.floor(4 * random()) : 360 * random() - 180);
  const isOnPixels = random() < 0.5;
  const at = (): number => (isOnPixels ? 0.15 * Math.floor(20 * random()) : 4 * random() - 2);
  return placed(mesh, { position: [at(), at(), 3.7], orientation: { x: angle(), y: angle(), z: angle() } });
}

test("copies at the same place give exactly the same layers as one", () => {
  for (let seed = 0; seed < 60; seed++) {
    const random = randomFrom(seed);
    const one = somewhere(someMeshes(random), random);
    const pictures = picturesOfAll(one);
    assert.deepEqual(picturesOfAll(one, one), pictures, `seed ${seed}`);
    assert.deepEqual(picturesOfAll(one, one, one), pictures, `seed ${seed}`);
  }
});

test("copies at the same place give the same layers as one if pixels are partly covered", () => {
  const quarters = gridOf(48, 48, 0.25);
  for (let seed = 0; seed < 60; seed++) {
    const random = randomFrom(50 + seed);
    const eighths = (most: number): number => 0.125 * Math.ceil(8 * most * random());
    const mesh = meshOf(
      box([eighths(4), eighths(4), 7]),
      moved(box([eighths(3), eighths(3), 5]), [eighths(1), eighths(1), 0]),
    );
    const one = placed(mesh, {
      position: [eighths(1), eighths(1), 3.7],
      orientation: { x: 0, y: 0, z: 45 * (seed % 4) },
    });
    const picturesOn = (...scene: PlacedMesh[]): Uint8Array[] =>
      picturesOf({ placed: scene, boundariesMm, grid: quarters });
    assert.deepEqual(picturesOn(one, one), picturesOn(one), `seed ${seed}`);
  }
});

test("a mesh with the same body twice gives the same layers as with one, also thin and rotated", () => {
  for (let seed = 0; seed < 40; seed++) {
    const random = randomFrom(100 + seed);
    const wall = box([0.02 + 0.3 * random(), 6, 5]);
    const pose = { position: [0.1, 0.2, 3] as const, orientation: { x: 0, y: 360 * random(), z: 360 * random() } };
    assert.deepEqual(picturesOfAll(placed(meshOf(wall, wall), pose)), picturesOfAll(placed(meshOf(wall), pose)));
  }
});

test("boxes that share a face give the same layers as their union", () => {
  for (const middle of [-1.5, -1.2, -0.77, 0, 0.1, 0.123]) {
    const whole = asFiled(meshOf(boxFrom([-3, -2, 0], [3, 2, 6])));
    const left = boxFrom([-3, -2, 0], [middle, 2, 6]);
    const right = boxFrom([middle, -2, 0], [3, 2, 6]);
    const front = boxFrom([-3, -2, 0], [3, middle, 6]);
    const back = boxFrom([-3, middle, 0], [3, 2, 6]);
    const below = boxFrom([-3, -2, 0], [3, 2, 3 + middle]);
    const above = boxFrom([-3, -2, 3 + middle], [3, 2, 6]);
    const pictures = picturesOfAll(whole);
    for (const pair of [
      [left, right],
      [back, front],
      [below, above],
    ]) {
      assert.deepEqual(picturesOfAll(...pair.map((part) => asFiled(meshOf(part)))), pictures, `two models, ${middle}`);
      assert.deepEqual(picturesOfAll(asFiled(meshOf(...pair))), pictures, `one mesh, ${middle}`);
    }
  }
});

test("the area of two overlapping bodies is the sum of both minus the overlap", () => {
  const [a, b] = [boxFrom([-3, -2, 0], [1, 1, 6]), boxFrom([-0.7, -0.33, 0], [4, 3, 6])];
  const both = boxFrom([-0.7, -0.33, 0], [1, 1, 6]);
  const [areaA, areaB, areaBoth] = [a, b, both].map((part) => areasOfAll(asFiled(meshOf(part))));
  const expected = areaA.map((area, k) => area + areaB[k] - areaBoth[k]);
  assertNear(areasOfAll(asFiled(meshOf(a)), asFiled(meshOf(b))), expected);
  assertNear(areasOfAll(asFiled(meshOf(a, b))), expected);
});

test("a body inside another adds nothing", () => {
  const outer = uvSphere(3, 30, 16);
  const inner = moved(torus(1, 0.4), [0.2, 0.1, 0.3]);
  const at = { position: [0, 0, 3.5] as const };
  assert.deepEqual(picturesOfAll(placed(meshOf(outer, inner), at)), picturesOfAll(placed(meshOf(outer), at)));
  assert.deepEqual(
    picturesOfAll(placed(meshOf(outer), at), placed(meshOf(inner), { ...at, orientation: { x: 9, y: 8, z: 7 } })),
    picturesOfAll(placed(meshOf(outer), at)),
  );
});

test("a cavity is empty except for the body inside, and another model fills it", () => {
  const shell = (outer: number, inner: number): Surface[] => [
    box([outer, outer, outer]),
    insideOut(box([inner, inner, inner])),
  ];
  const boundariesMm = evenly(1, 6);
  const areaOf = (...scene: PlacedMesh[]): number => areasOf({ placed: scene, boundariesMm, grid })[0];
  const at = (...parts: Surface[]): PlacedMesh =>
    placed(meshOf(...parts), { position: [0, 0, 3], orientation: { x: 0, y: 0, z: 21 } });
  assertNear([areaOf(at(...shell(6, 4)))], [36 - 16]);
  assertNear([areaOf(at(...shell(6, 4), box([2, 2, 2])))], [36 - 16 + 4]);
  assertNear([areaOf(at(...shell(6, 4), ...shell(2, 1)))], [36 - 16 + 4 - 1]);
  assertNear([areaOf(at(...shell(6, 4)), at(box([2, 2, 2])))], [36 - 16 + 4]);
  assertNear([areaOf(at(...shell(6, 4)), at(box([5, 5, 5])))], [36]);
  assertNear([areaOf(at(...shell(6, 4)), at(...shell(5, 3)))], [36 - 9]);
});

test("the order of models does not matter", () => {
  for (let seed = 0; seed < 25; seed++) {
    const random = randomFrom(500 + seed);
    const scene = Array.from({ length: 4 }, () => somewhere(someMeshes(random), random));
    const back = picturesOfAll(...scene.toReversed());
    assert.deepEqual(picturesOfAll(...scene), back, `seed ${seed}`);
  }
});

test("many overlapping bodies at one place are drawn in time", () => {
  const turned = Array.from({ length: 60 }, (_, i) =>
    placed(meshOf(box([8, 0.5, 7])), { position: [0, 0, 3.5], orientation: { x: 0, y: 0, z: 3 * i } }),
  );
  const [area] = areasOfAll(...turned);
  const [disc] = areasOfAll(placed(meshOf(cylinder(4, 7, 720)), { position: [0, 0, 3.5] }));
  assert.ok(area > 0.9 * disc && area < 1.05 * disc, `${area} of ${disc}`);
});
