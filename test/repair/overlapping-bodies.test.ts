import assert from "node:assert/strict";
import { test } from "node:test";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../src/core/progress.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { isSelfIntersecting } from "../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { type Mesh, type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { repair } from "../../src/repair/repair.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { randomFrom } from "../fixture/random.ts";
import { facetsOf, insideOut, moved, unwelded } from "../fixture/surface-edits.ts";
import { longTest, slowCases, slowRuns } from "../fixture/long.ts";

const meshOf = (...surfaces: Surface[]): Mesh => canonicalMesh(concatenateSurfaces(surfaces), 1, noProgress);

/** The repaired mesh, after checks that it does not intersect itself and has the given volume. */
async function assertSolid(mesh: Mesh, volumeMm3: number, tolerance = 1e-5): Promise<Mesh> {
  const { mesh: solid, isClosedManifold, deviationMm } = await repair(mesh, noProgress);
  assert.deepEqual([isClosedManifold, deviationMm], [true, undefined]);
  assert.equal(isSelfIntersecting(solid, noProgress), false);
  assert.ok(Math.abs(solid.volumeMm3 - volumeMm3) <= tolerance * volumeMm3, `${solid.volumeMm3} for ${volumeMm3}`);
  assert.equal((await repair(solid, noProgress)).mesh, solid);
  return solid;
}

/** The volume of the intersection of two boxes at a given shift. */
function overlap(sizeA: Vec3, sizeB: Vec3, shift: Vec3): number {
  const along = (axis: number): number =>
    Math.max(
      0,
      Math.min(sizeA[axis] / 2, shift[axis] + sizeB[axis] / 2) -
        Math.max(-sizeA[axis] / 2, shift[axis] - sizeB[axis] / 2),
    );
  return along(0) * along(1) * along(2);
}

test("boxes that overlap at random, or in planes and edges of a coarse grid, become their union", async () => {
  for (let seed = 0; seed < 60; seed++) {
    const random = randomFrom(seed);
    const isOnGrid = seed % 2 === 0;
    const pick = (from: number, to: number): number => {
      const value = from + (to - from) * random();
      return isOnGrid ? Math.round(value) : value;
    };
    const sizes = [0, 1].map((): Vec3 => [2 * pick(1, 4), 2 * pick(1, 4), 2 * pick(1, 4)]);
    const shift: Vec3 = [pick(0, 3), pick(0, 3), pick(0, 3)];
    const [a, b] = [box(sizes[0]), moved(box(sizes[1]), shift)];
    const whole = a.volume + box(sizes[1]).volume - overlap(sizes[0], sizes[1], shift);
    await assertSolid(meshOf(a, b), whole);
  }
});

test("a pile of spheres becomes one body", async () => {
  const random = randomFrom(3);
  const count = slowRuns(136);
  const spreadMm = 12 * Math.cbrt(count / 100);
  const balls = Array.from({ length: count }, () =>
    moved(uvSphere(3, 16, 8), [spreadMm * random(), spreadMm * random(), spreadMm * random()]),
  );
  const { mesh, isClosedManifold } = await repair(meshOf(...balls), noProgress);
  assert.equal(isClosedManifold, true);
  assert.equal(isSelfIntersecting(mesh, noProgress), false);
  // Bounds of the volume: the box around the spheres, and the least share of it that the spheres fill.
  const boxMm3 = (spreadMm + 6) ** 3;
  assert.ok(mesh.volumeMm3 < boxMm3 && mesh.volumeMm3 > 0.4 * boxMm3, `${mesh.volumeMm3}`);
});

test("separate bodies and cavities next to overlapping bodies stay identical", async () => {
  const hollow = moved(concatenateSurfaces([uvSphere(10), insideOut(uvSphere(6))]), [50, 0, 0]);
  const cubes = [box([10, 10, 10]), moved(box([10, 10, 10]), [4, 3, 2])];
  const volume = 2000 - 6 * 7 * 8 + uvSphere(10).volume - uvSphere(6).volume;
  const solid = await assertSolid(meshOf(...cubes, hollow), volume);
  const placesOf = (mesh: Mesh): string[] =>
    facetsOf(mesh).map((facet) => facet.map((v) => mesh.vertices.slice(3 * v, 3 * v + 3).join(" ")).join(", "));
  const kept = new Set(placesOf(solid));
  assert.ok(placesOf(meshOf(hollow)).every((facet) => kept.has(facet)));
});

test("an exact copy of a body is removed", async () => {
  const ball = uvSphere(10);
  await assertSolid(meshOf(ball, ball), ball.volume);
});

/** The surface as separate facets, each smaller by a tenth, so that nothing can be welded. */
function shrunk(surface: Surface): Surface {
  const { vertices, triangles } = unwelded(surface);
  for (let at = 0; at < vertices.length; at += 9) {
    for (let axis = 0; axis < 3; axis++) {
      const middle = (vertices[at + axis] + vertices[at + 3 + axis] + vertices[at + 6 + axis]) / 3;
      for (let k = at + axis; k < at + 9; k += 3) vertices[k] = middle + 0.9 * (vertices[k] - middle);
    }
  }
  return { vertices, triangles };
}

longTest("facets with gaps around them are remeshed, and the deviation is reported", async () => {
  for (const shape of slowCases([torus(20, 6), uvSphere(10)])) {
    const { mesh, isClosedManifold, deviationMm } = await repair(meshOf(shrunk(shape)), noProgress);
    assert.equal(isClosedManifold, true);
    assert.ok(Math.abs(mesh.volumeMm3 / shape.volume - 1) < 0.01, `${mesh.volumeMm3} for ${shape.volume}`);
    assert.ok(deviationMm! > 0 && deviationMm! < 0.5, `${deviationMm}`);
  }
});

test("facets that enclose nothing are returned unchanged and count as not repaired", async () => {
  const random = randomFrom(1);
  const debris = {
    vertices: Float64Array.from({ length: 90 }, () => 100 * random()),
    triangles: Uint32Array.from({ length: 30 }, (_, i) => i),
  };
  const mesh = meshOf(debris);
  const result = await repair(mesh, noProgress);
  assert.deepEqual([result.mesh, result.isClosedManifold], [mesh, false]);
});

test("cutting self-intersections ends when cancelled", async () => {
  const state = newTaskState();
  cancelTask(state);
  const overlapping = meshOf(uvSphere(10), moved(uvSphere(10), [5, 4, 3]));
  await assert.rejects(() => repair(overlapping, taskProgress(state)), CancelledError);
});
