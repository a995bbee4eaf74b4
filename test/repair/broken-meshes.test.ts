import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { type Vec3, exactLength } from "../../src/geometry/vector.ts";
import { distanceToSurface } from "../../src/mesh/bvh/closest-point.ts";
import { buildBvh } from "../../src/mesh/bvh/bvh.ts";
import { isSelfIntersecting } from "../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { boxOf, boxSize } from "../../src/geometry/box.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { repair } from "../../src/repair/repair.ts";
import { MUTATIONS } from "../fixture/broken.ts";
import { sampledTests } from "../fixture/long.ts";

// At least 95 % of broken meshes become closed manifolds. Their surface stays unchanged away from the defects.

const LEAST_SHARE = 0.95;
const FARTHEST_SHARE = 1e-4;

/** Each kind of defect on at least one mesh. */
const STEP = 3;

let [tried, repaired] = [0, 0];
for (const [{ name, broken, meant, isAside }, declare] of sampledTests(MUTATIONS, STEP)) {
  declare(`${name}: the surface stays unchanged away from the defects`, async () => {
    tried++;
    const { mesh, isClosedManifold } = await repair(canonicalMesh(broken, 1, noProgress), noProgress);
    if (!isClosedManifold) return;
    assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), []);
    assert.equal(isSelfIntersecting(mesh, noProgress), false);
    assert.equal((await repair({ ...mesh }, noProgress)).mesh.hash, mesh.hash);
    const limit = FARTHEST_SHARE * exactLength(boxSize(boxOf(meant.vertices)));
    assert.ok(farthest(meant, mesh, isAside) < limit, "from the intended surface");
    assert.ok(farthest(mesh, meant, isAside) < limit, "from the repaired surface");
    repaired++;
  });
}

test("at least 95 % of the broken meshes become closed manifolds", () => {
  assert.ok(MUTATIONS.length >= 40);
  assert.ok(tried >= MUTATIONS.length / STEP);
  assert.ok(repaired >= LEAST_SHARE * tried, `${repaired} of ${tried}`);
});

/** The greatest distance of a corner or centroid of a facet of `one` from `other`, without points for which `isAside` is true. */
function farthest(one: Surface, other: Surface, isAside: (point: Vec3) => boolean): number {
  const tree = buildBvh({ vertices: Float32Array.from(other.vertices), triangles: other.triangles }, noProgress);
  const { vertices, triangles } = one;
  let most = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((k): Vec3 => {
      const v = 3 * triangles[at + k];
      return [vertices[v], vertices[v + 1], vertices[v + 2]];
    }) as [Vec3, Vec3, Vec3];
    const middle: Vec3 = [(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3, (a[2] + b[2] + c[2]) / 3];
    for (const point of [a, b, c, middle])
      if (!isAside(point)) most = Math.max(most, distanceToSurface(tree, point, Infinity));
  }
  return most;
}
