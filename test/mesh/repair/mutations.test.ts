import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../../src/core/geometry.ts";
import { exactLength, sizeOf } from "../../../src/core/geometry.ts";
import { unwatched } from "../../../src/core/watch.ts";
import { isSelfIntersecting } from "../../../src/mesh/bvh/crossing-facets.ts";
import { facetTree } from "../../../src/mesh/bvh/facet-tree.ts";
import { distanceTo } from "../../../src/mesh/bvh/nearest-point.ts";
import { canonicalMesh } from "../../../src/mesh/canonical.ts";
import { boxOf } from "../../../src/mesh/measure.ts";
import type { Surface } from "../../../src/mesh/mesh.ts";
import { repair } from "../../../src/mesh/repair/repair.ts";
import { faultsOf, survey } from "../../../src/mesh/survey.ts";
import { MUTATIONS } from "../../fixture/broken.ts";

// At least 95 % of broken meshes become closed manifolds, and away from the defects their surface stays.

const LEAST_SHARE = 0.95;
const FARTHEST_SHARE = 1e-4;

let repaired = 0;
for (const { name, broken, meant, isAside } of MUTATIONS) {
  test(`${name}: where nothing was wrong, the surface stays`, () => {
    const { mesh, isSound } = repair(canonicalMesh(broken, 1, unwatched), unwatched);
    if (!isSound) return;
    assert.deepEqual(faultsOf(survey(mesh, unwatched)), []);
    assert.equal(isSelfIntersecting(facetTree(mesh, unwatched), unwatched), false);
    assert.equal(repair({ ...mesh }, unwatched).mesh.hash, mesh.hash);
    const limit = FARTHEST_SHARE * exactLength(sizeOf(boxOf(meant.vertices)));
    assert.ok(farthest(meant, mesh, isAside) < limit, "of what was meant");
    assert.ok(farthest(mesh, meant, isAside) < limit, "of what was made");
    repaired++;
  });
}

test("at least 95 % of the broken meshes become closed manifolds", () => {
  assert.ok(MUTATIONS.length >= 40);
  assert.ok(repaired >= LEAST_SHARE * MUTATIONS.length, `${repaired} of ${MUTATIONS.length}`);
});

/** The farthest that a corner or middle of a facet of one surface, none of those aside, is from the other. */
function farthest(one: Surface, other: Surface, isAside: (point: Vec3) => boolean): number {
  const tree = facetTree({ vertices: Float32Array.from(other.vertices), triangles: other.triangles }, unwatched);
  const { vertices, triangles } = one;
  let most = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [0, 1, 2].map((k): Vec3 => {
      const v = 3 * triangles[at + k];
      return [vertices[v], vertices[v + 1], vertices[v + 2]];
    }) as [Vec3, Vec3, Vec3];
    const middle: Vec3 = [(a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3, (a[2] + b[2] + c[2]) / 3];
    for (const point of [a, b, c, middle])
      if (!isAside(point)) most = Math.max(most, distanceTo(tree, point, Infinity));
  }
  return most;
}
