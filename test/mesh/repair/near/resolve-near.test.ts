import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../../src/core/watch.ts";
import { isSelfIntersecting } from "../../../../src/mesh/bvh/crossing-facets.ts";
import { facetTree } from "../../../../src/mesh/bvh/facet-tree.ts";
import { canonicalMesh } from "../../../../src/mesh/canonical.ts";
import { combine } from "../../../../src/mesh/combine.ts";
import type { Mesh, Surface } from "../../../../src/mesh/mesh.ts";
import { crossingPairs } from "../../../../src/mesh/repair/crossing-pairs.ts";
import { isOutside } from "../../../../src/mesh/repair/near/is-outside.ts";
import { regionAbout } from "../../../../src/mesh/repair/near/region-about.ts";
import { resolveNear } from "../../../../src/mesh/repair/near/resolve-near.ts";
import { repair } from "../../../../src/mesh/repair/repair.ts";
import { solidAnglesOf } from "../../../../src/mesh/repair/solid-angles.ts";
import { faultsOf, survey } from "../../../../src/mesh/survey.ts";
import { facetsOf, moved, randomFrom } from "../../../fixture/altered.ts";
import { torus, uvSphere } from "../../../fixture/shapes.ts";

const meshOf = (...surfaces: Surface[]): Mesh => canonicalMesh(combine(surfaces), 1, unwatched);

/** With some vertices moved past their neighbours, along the surface and to and fro: folds here and there. */
function folded(surface: Surface, count: number, reachMm: number, random: () => number): Mesh {
  const vertices = Float64Array.from(surface.vertices);
  for (let i = 0; i < count; i++) {
    const v = Math.floor((random() * vertices.length) / 3);
    for (let axis = 0; axis < 3; axis++) vertices[3 * v + axis]! += reachMm * (2 * random() - 1);
  }
  return meshOf({ vertices, triangles: surface.triangles });
}

const placesOf = (mesh: Mesh): Set<string> =>
  new Set(facetsOf(mesh).map((facet) => facet.map((v) => mesh.vertices.slice(3 * v, 3 * v + 3).join(" ")).join()));

function crossingOf(mesh: Mesh) {
  const tree = facetTree(mesh, unwatched);
  const pairs = crossingPairs(tree, unwatched)!;
  return { mesh, tree, pairs, angles: solidAnglesOf(tree) };
}

const FINEST_MM = 1e-5;
const COARSEST_MM = 1e-3;

test("folds of a surface are cut off where they are, and all else stays, bit for bit", () => {
  for (let seed = 0; seed < 8; seed++) {
    const shape = seed % 2 === 0 ? uvSphere(20, 96, 48) : torus(20, 6, 96, 48);
    const mesh = folded(shape, 24, 3.5, randomFrom(seed));
    const crossing = crossingOf(mesh);
    assert.ok(crossing.pairs.length > 0);
    const isNear = regionAbout(mesh, crossing.pairs);
    assert.equal(isOutside(mesh, isNear, crossing.pairs, crossing.angles), true);
    const { surface, isUncrossed } = resolveNear(crossing, isNear, FINEST_MM, COARSEST_MM, unwatched)!;
    assert.equal(isUncrossed, true);
    const resolved = meshOf(surface);
    assert.deepEqual(faultsOf(survey(resolved, unwatched)), []);
    assert.equal(isSelfIntersecting(facetTree(resolved, unwatched), unwatched), false);
    const kept = placesOf(resolved);
    const facets = [...placesOf(mesh)];
    assert.ok(facets.filter((_, facet) => isNear[facet] === 0).every((facet) => kept.has(facet)));
    assert.ok(Math.abs(resolved.volumeMm3 / mesh.volumeMm3 - 1) < 0.01);
    const repaired = repair(mesh, unwatched).mesh;
    assert.ok(Math.abs(repaired.volumeMm3 / resolved.volumeMm3 - 1) < 1e-6, `${repaired.volumeMm3}`);
  }
});

test("the solid is the one that cutting the whole mesh makes", () => {
  for (let seed = 0; seed < 4; seed++) {
    const random = randomFrom(seed);
    const mesh = folded(uvSphere(20, 96, 48), 24, 3.5, random);
    const near = repair(mesh, unwatched).mesh;
    // With a ball through it, more goes than what is near: the whole is cut.
    const apart = meshOf(mesh, moved(uvSphere(3, 8, 4), [100, 0, 0]), moved(uvSphere(3, 8, 4), [101, 0, 0]));
    const balls = repair(meshOf(uvSphere(3, 8, 4), moved(uvSphere(3, 8, 4), [1, 0, 0])), unwatched).mesh;
    const whole = repair(apart, unwatched).mesh;
    const volume = near.volumeMm3 + balls.volumeMm3;
    assert.ok(Math.abs(whole.volumeMm3 / volume - 1) < 1e-6, `${whole.volumeMm3} for ${volume}`);
  }
});

test("where shells overlap, what is near their crossings is not all that goes", () => {
  const mesh = meshOf(uvSphere(20, 96, 48), moved(uvSphere(20, 96, 48), [9, 8, 7]));
  const { pairs, angles } = crossingOf(mesh);
  assert.equal(isOutside(mesh, regionAbout(mesh, pairs), pairs, angles), false);
  const { mesh: solid, isSound } = repair(mesh, unwatched);
  assert.equal(isSound, true);
  assert.equal(isSelfIntersecting(facetTree(solid, unwatched), unwatched), false);
  // Two balls of radius r with their middles d apart have π (4 r + d) (2 r − d)² / 12 in common.
  const d = Math.hypot(9, 8, 7);
  const ball = (4 / 3) * Math.PI * 20 ** 3;
  const union = 2 * ball - (Math.PI * (80 + d) * (40 - d) ** 2) / 12;
  assert.ok(Math.abs(solid.volumeMm3 / union - 1) < 0.005, `${solid.volumeMm3} for ${union}`);
});

test("a region has a simple rim, and two rings about what it is for", () => {
  const mesh = meshOf(uvSphere(20, 96, 48));
  const random = randomFrom(5);
  const seeds = Array.from({ length: 40 }, () => Math.floor((random() * mesh.triangles.length) / 3));
  const isNear = regionAbout(mesh, seeds);
  const facets = facetsOf(mesh);
  const ringAbout = (some: Set<number>): Set<number> => {
    const corners = new Set([...some].flatMap((facet) => facets[facet]!));
    return new Set(facets.keys().filter((facet) => facets[facet]!.some((v) => corners.has(v))));
  };
  assert.ok([...ringAbout(ringAbout(new Set(seeds)))].every((facet) => isNear[facet] === 1));
  const uses = new Map<string, number>();
  facets.forEach((facet, i) => {
    if (isNear[i] === 0) return;
    for (let k = 0; k < 3; k++) {
      const key = [facet[k]!, facet[(k + 1) % 3]!].sort((a, b) => a - b).join();
      uses.set(key, (uses.get(key) ?? 0) + 1);
    }
  });
  const open = new Map<string, number>();
  for (const [key, count] of uses) {
    if (count === 1) for (const v of key.split(",")) open.set(v, (open.get(v) ?? 0) + 1);
  }
  assert.ok(open.size > 0 && [...open.values()].every((count) => count === 2));
});
