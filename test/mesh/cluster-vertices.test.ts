import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { clusterVertices } from "../../src/mesh/cluster-vertices.ts";
import { triangleCount, vertexCount } from "../../src/mesh/mesh.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/stage.ts";

const SPHERE = meshOf(uvSphere(20, 240, 120));
const RING = meshOf(torus(20, 6, 200, 100));

for (const [name, mesh, deviationMm] of [
  ["sphere", SPHERE, (x: number, y: number, z: number) => Math.abs(Math.hypot(x, y, z) - 20)],
  ["ring", RING, (x: number, y: number, z: number) => Math.abs(Math.hypot(Math.hypot(x, y) - 20, z) - 6)],
] as const) {
  for (const most of [20_000, 5000, 1000, 100]) {
    test(`a ${name} with at most ${most} triangles keeps its shape and faces outward`, () => {
      const coarse = clusterVertices(mesh, most, noProgress);
      const count = triangleCount(coarse);
      assert.ok(count <= most && count > most / 8, String(count));
      assert.ok(coarse.triangles.every((corner) => corner < vertexCount(coarse)));
      const cellMm = Math.sqrt(mesh.areaMm2 / most);
      for (let at = 0; at < coarse.vertices.length; at += 3) {
        const [x, y, z] = coarse.vertices.subarray(at, at + 3);
        assert.ok(deviationMm(x, y, z) < 1.5 * cellMm);
      }
      assert.ok(coarse.vertices.buffer instanceof SharedArrayBuffer);
      const volumeMm3 = signedVolume(coarse);
      assert.ok(volumeMm3 > 0.2 * mesh.volumeMm3 && volumeMm3 <= 1.1 * mesh.volumeMm3, String(volumeMm3));
    });
  }
}

test("a mesh with few triangles stays the same", () => {
  const mesh = meshOf(box([1, 2, 3]));
  assert.equal(clusterVertices(mesh, 12, noProgress), mesh);
});

test("any number of triangles is possible, and the work also ends for a mesh without area", () => {
  assert.ok(triangleCount(clusterVertices(SPHERE, 1, noProgress)) <= 1);
  const needle = {
    vertices: Float32Array.of(0, 0, 0, 1, 1, 1, 2, 2, 2),
    triangles: Uint32Array.of(0, 1, 2),
    areaMm2: 0,
  };
  assert.equal(triangleCount(clusterVertices(needle, 0, noProgress)), 0);
});

function signedVolume({ vertices, triangles }: { vertices: ArrayLike<number>; triangles: Uint32Array }): number {
  let sum = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [...triangles.subarray(t, t + 3)].map((v) => [0, 1, 2].map((axis) => vertices[3 * v + axis]));
    sum +=
      (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) /
      6;
  }
  return sum;
}
