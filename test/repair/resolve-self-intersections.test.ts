import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { buildBvh } from "../../src/mesh/bvh/bvh.ts";
import { windingField } from "../../src/mesh/bvh/fast-winding-number.ts";
import { intersectingPairs, isSelfIntersecting } from "../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { type Mesh, type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { isRegionOnOutside, regionAround } from "../../src/repair/intersection-region.ts";
import { repair } from "../../src/repair/repair.ts";
import { resolveLocally } from "../../src/repair/resolve-locally.ts";
import { longTest, slowRuns } from "../fixture/long.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { randomFrom } from "../fixture/random.ts";
import { facetsOf, moved } from "../fixture/surface-edits.ts";

const meshOf = (...surfaces: Surface[]): Mesh => canonicalMesh(concatenateSurfaces(surfaces), 1, noProgress);

/** The surface with folds: some vertices are moved past their neighbours. */
function folded(surface: Surface, count: number, reachMm: number, random: () => number): Mesh {
  const vertices = Float64Array.from(surface.vertices);
  for (let i = 0; i < count; i++) {
    const v = Math.floor((random() * vertices.length) / 3);
    for (let axis = 0; axis < 3; axis++) vertices[3 * v + axis] += reachMm * (2 * random() - 1);
  }
  return meshOf({ vertices, triangles: surface.triangles });
}

const placesOf = (mesh: Mesh): Set<string> =>
  new Set(facetsOf(mesh).map((facet) => facet.map((v) => mesh.vertices.slice(3 * v, 3 * v + 3).join(" ")).join()));

function crossingOf(mesh: Mesh) {
  const tree = buildBvh(mesh, noProgress);
  const pairs = intersectingPairs(tree, noProgress)!;
  return { mesh, tree, pairs, windingNumberAt: windingField(tree) };
}

const FINEST_MM = 1e-5;
const COARSEST_MM = 1e-3;

test("folds of a surface are cut off locally, and all other facets stay identical", async () => {
  for (let seed = 0; seed < slowRuns(8); seed++) {
    const shape = seed % 2 === 0 ? uvSphere(20, 96, 48) : torus(20, 6, 96, 48);
    const mesh = folded(shape, 24, 3.5, randomFrom(seed));
    const crossing = crossingOf(mesh);
    assert.ok(crossing.pairs.length > 0);
    const isNear = regionAround(mesh, crossing.pairs);
    assert.equal(isRegionOnOutside(mesh, isNear, crossing.pairs, crossing.windingNumberAt), true);
    const cut = resolveLocally(crossing, isNear, FINEST_MM, COARSEST_MM, noProgress);
    assert.ok(typeof cut === "object");
    const { surface, isIntersectionFree } = cut;
    assert.equal(isIntersectionFree, true);
    const resolved = meshOf(surface);
    assert.deepEqual(describeDefects(meshReport(resolved, noProgress)), []);
    assert.equal(isSelfIntersecting(resolved, noProgress), false);
    const kept = placesOf(resolved);
    const facets = [...placesOf(mesh)];
    assert.ok(facets.filter((_, facet) => isNear[facet] === 0).every((facet) => kept.has(facet)));
    assert.ok(Math.abs(resolved.volumeMm3 / mesh.volumeMm3 - 1) < 0.01);
    const repaired = (await repair(mesh, noProgress)).mesh;
    assert.ok(Math.abs(repaired.volumeMm3 / resolved.volumeMm3 - 1) < 1e-6, `${repaired.volumeMm3}`);
  }
});

test("the local cut gives the same solid as cutting the whole mesh", async () => {
  for (let seed = 0; seed < slowRuns(4); seed++) {
    const random = randomFrom(seed);
    const mesh = folded(uvSphere(20, 96, 48), 24, 3.5, random);
    const near = (await repair(mesh, noProgress)).mesh;
    // If spheres overlap, more than the region near intersections is removed, so the whole mesh is cut.
    const apart = meshOf(mesh, moved(uvSphere(3, 8, 4), [100, 0, 0]), moved(uvSphere(3, 8, 4), [101, 0, 0]));
    const balls = (await repair(meshOf(uvSphere(3, 8, 4), moved(uvSphere(3, 8, 4), [1, 0, 0])), noProgress)).mesh;
    const whole = (await repair(apart, noProgress)).mesh;
    const volume = near.volumeMm3 + balls.volumeMm3;
    assert.ok(Math.abs(whole.volumeMm3 / volume - 1) < 1e-6, `${whole.volumeMm3} for ${volume}`);
  }
});

longTest("if bodies overlap, more than the region near the intersections is removed", async () => {
  const mesh = meshOf(uvSphere(20, 96, 48), moved(uvSphere(20, 96, 48), [9, 8, 7]));
  const { pairs, windingNumberAt } = crossingOf(mesh);
  assert.equal(isRegionOnOutside(mesh, regionAround(mesh, pairs), pairs, windingNumberAt), false);
  const { mesh: solid, isClosedManifold } = await repair(mesh, noProgress);
  assert.equal(isClosedManifold, true);
  assert.equal(isSelfIntersecting(solid, noProgress), false);
  // The intersection of two spheres of radius r at a distance d has the volume π (4 r + d) (2 r − d)² / 12.
  const d = Math.hypot(9, 8, 7);
  const ball = (4 / 3) * Math.PI * 20 ** 3;
  const union = 2 * ball - (Math.PI * (80 + d) * (40 - d) ** 2) / 12;
  assert.ok(Math.abs(solid.volumeMm3 / union - 1) < 0.005, `${solid.volumeMm3} for ${union}`);
});

test("a region has a simple boundary, and contains two rings around its seeds", () => {
  const mesh = meshOf(uvSphere(20, 96, 48));
  const random = randomFrom(5);
  const seeds = Array.from({ length: 40 }, () => Math.floor((random() * mesh.triangles.length) / 3));
  const isNear = regionAround(mesh, seeds);
  const facets = facetsOf(mesh);
  const ringAbout = (some: Set<number>): Set<number> => {
    const corners = new Set([...some].flatMap((facet) => facets[facet]));
    return new Set(facets.keys().filter((facet) => facets[facet].some((v) => corners.has(v))));
  };
  assert.ok([...ringAbout(ringAbout(new Set(seeds)))].every((facet) => isNear[facet] === 1));
  const uses = new Map<string, number>();
  facets.forEach((facet, i) => {
    if (isNear[i] === 0) return;
    for (let k = 0; k < 3; k++) {
      const key = [facet[k], facet[(k + 1) % 3]].sort((a, b) => a - b).join();
      uses.set(key, (uses.get(key) ?? 0) + 1);
    }
  });
  const open = new Map<string, number>();
  for (const [key, count] of uses) {
    if (count === 1) for (const v of key.split(",")) open.set(v, (open.get(v) ?? 0) + 1);
  }
  assert.ok(open.size > 0 && [...open.values()].every((count) => count === 2));
});

test("a cluster of intersections that cannot be cut stays unchanged, and the others are cut", () => {
  const folds = folded(uvSphere(20, 96, 48), 24, 3.5, randomFrom(1));
  // Two sheets through one another, thinner than the thinnest body that a cut keeps: nothing would remain of them.
  const thinMm = COARSEST_MM / 2;
  const sheets = meshOf(moved(box([1, 1, thinMm]), [60, 0, 0]), moved(box([1, thinMm, 1]), [60, 0, 0.2]));
  const resolve = (mesh: Mesh) => {
    const crossing = crossingOf(mesh);
    return resolveLocally(crossing, regionAround(mesh, crossing.pairs), FINEST_MM, COARSEST_MM, noProgress);
  };
  assert.equal(resolve(sheets), undefined);
  const alone = resolve(folds);
  const both = resolve(meshOf(folds, sheets));
  assert.ok(typeof alone === "object" && typeof both === "object");
  assert.deepEqual([alone.isIntersectionFree, both.isIntersectionFree], [true, false]);
  assert.deepEqual(placesOf(meshOf(both.surface)), placesOf(meshOf(alone.surface, sheets)));
});
