import assert from "node:assert/strict";
import { test } from "node:test";
import { CancelledError, cancelTask, newTaskState, noProgress, taskProgress } from "../../../src/core/progress.ts";
import type { Vec3 } from "../../../src/geometry/vector.ts";
import { type Bvh, buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import {
  isSelfIntersecting,
  planSharedSearch,
  searchShare,
  visitSelfIntersections,
} from "../../../src/mesh/bvh/self-intersections.ts";
import { trianglesIntersect } from "../../../src/mesh/bvh/triangles-intersect.ts";
import type { Surface } from "../../../src/mesh/mesh.ts";
import { box, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { randomFrom } from "../../fixture/random.ts";
import { moved, subdivided, unwelded } from "../../fixture/surface-edits.ts";

const treeOf = (surface: Surface): Bvh => buildBvh(surface, noProgress);
const intersects = (...surfaces: Surface[]): boolean => isSelfIntersecting(meshOf(...surfaces), noProgress);

function crossingsOf(surface: Surface): string[] {
  const found: string[] = [];
  visitSelfIntersections(treeOf(surface), noProgress, (a, b) => found.push(a < b ? `${a} ${b}` : `${b} ${a}`) > 0);
  return found.sort();
}

function byAllPairs(surface: Surface): string[] {
  const corners = Float32Array.from(unwelded(surface).vertices);
  const found: string[] = [];
  for (let a = 0; 9 * a < corners.length; a++) {
    for (let b = a + 1; 9 * b < corners.length; b++) {
      if (trianglesIntersect(corners, 9 * a, corners, 9 * b)) found.push(`${a} ${b}`);
    }
  }
  return found.sort();
}

/** Facets with corners on a lattice of `steps`, so that many touch, share corners and coincide. */
function soup(count: number, size: number, steps: number, seed: number): Surface {
  const random = randomFrom(seed);
  const corners = Array.from({ length: count }, () => {
    const middle = [random() * steps, random() * steps, random() * steps];
    return Array.from({ length: 9 }, (_, i) => Math.round(middle[i % 3] + size * (random() - 0.5)));
  });
  const triangles = Uint32Array.from({ length: 3 * count }, (_, i) => i);
  return { vertices: Float64Array.from(corners.flat()), triangles };
}

test("the search finds the same pairs as a comparison of all facets, each once", () => {
  for (const [count, size, steps] of [
    [20, 3, 3],
    [200, 3, 6],
    [300, 6, 40],
    [300, 1000, 1000],
  ] as const) {
    const surface = soup(count, size, steps, count + size);
    const pairs = byAllPairs(surface);
    assert.ok(pairs.length > 0);
    assert.deepEqual(crossingsOf(surface), pairs);
    assert.equal(isSelfIntersecting(surface, noProgress), true);
  }
  const balls = meshOf(uvSphere(5, 20, 10), moved(torus(4, 1.5, 20, 10), [1, 2, 0.5]));
  assert.deepEqual(crossingsOf(balls), byAllPairs(balls));
});

test("a single intersection is found anywhere, and none in a surface without one", () => {
  const found = [false, true].map(() => 0);
  for (let seed = 0; seed < 300; seed++) {
    const surface = soup(24, 2 + (seed % 3), 3 + (seed % 7), seed);
    const expected = byAllPairs(surface).length > 0;
    assert.equal(isSelfIntersecting(surface, noProgress), expected, `seed ${seed}`);
    found[Number(expected)]++;
  }
  assert.ok(Math.min(...found) > 40, `${found}`);
});

test("a facet that is pushed through a closed surface is found wherever it is", () => {
  const ball = meshOf(subdivided(uvSphere(5, 24, 12)));
  assert.equal(isSelfIntersecting(ball, noProgress), false);
  const random = randomFrom(7);
  for (let trial = 0; trial < 20; trial++) {
    const vertex = Math.floor((random() * ball.vertices.length) / 3);
    const vertices = ball.vertices.slice();
    // Through the opposite side of the ball.
    for (let at = 3 * vertex; at < 3 * vertex + 3; at++) vertices[at] *= -1.1;
    const pushed = { vertices, triangles: ball.triangles };
    assert.equal(isSelfIntersecting(pushed, noProgress), true);
    assert.ok(crossingsOf(pushed).length > 0);
  }
});

test("bodies that pass through each other intersect; separate bodies and cavities do not", () => {
  const ball = uvSphere(5);
  assert.equal(intersects(ball), false);
  assert.equal(intersects(torus(6, 2), ball), true);
  assert.equal(intersects(torus(8, 2), ball), false);
  assert.equal(intersects(ball, uvSphere(4)), false);
  assert.equal(intersects(subdivided(box([4, 4, 4])), moved(uvSphere(1), [2.5, 0, 0])), true);
});

const CUBE = box([2, 2, 2]);

test("cubes intersect or not as expected, in all kinds of contact", () => {
  const cases: [Vec3, boolean, string][] = [
    [[2, 0, 0], true, "face on face, corners shared"],
    [[2, 0.5, 0], true, "face on face"],
    [[2, 2, 0], false, "edge on edge"],
    [[2, 2, 1], false, "edge along edge"],
    [[2, 2, 2], false, "corner on corner"],
    [[2.25, 0, 0], false, "apart"],
    [[1, 1, 1], true, "through each other"],
  ];
  for (const [by, expected, what] of cases) assert.equal(intersects(CUBE, moved(CUBE, by)), expected, what);
});

test("the search stops when the visitor returns false", () => {
  let seen = 0;
  visitSelfIntersections(treeOf(soup(200, 6, 6, 1)), noProgress, () => ++seen < 3);
  assert.equal(seen, 3);
});

test("the search can be cancelled", () => {
  const surface = subdivided(subdivided(uvSphere(5, 100, 50)));
  const state = newTaskState();
  cancelTask(state);
  assert.throws(() => isSelfIntersecting(surface, taskProgress(state)), CancelledError);
});

/** The answers of a search in shares, made in an order. */
function answersOf(surface: Surface, shares: number, order: "forward" | "reverse"): (boolean | undefined)[] {
  const search = planSharedSearch(surface, shares, noProgress);
  const all = Array.from({ length: shares }, (_, share) => share);
  return (order === "forward" ? all : all.toReversed()).map((share) => searchShare(search, share, noProgress));
}

test("shares of a search find together what one search finds, in any order", () => {
  const found = [0, 0];
  for (let seed = 0; seed < 120; seed++) {
    const surface = soup(20 + 3 * seed, 2 + (seed % 3), 20 + (seed % 40), seed);
    const expected = isSelfIntersecting(surface, noProgress);
    for (const shares of [1, 5, 32]) {
      for (const order of ["forward", "reverse"] as const)
        assert.equal(answersOf(surface, shares, order).includes(true), expected, `seed ${seed}, ${shares} shares`);
    }
    found[Number(expected)]++;
  }
  assert.ok(Math.min(...found) > 20, `${found}`);
  const ball = meshOf(subdivided(subdivided(uvSphere(5, 24, 12))));
  assert.deepEqual(new Set(answersOf(ball, 32, "forward")), new Set([false]));
});

test("a facet that is pushed through a closed surface is found by the shares wherever it is", () => {
  const ball = meshOf(subdivided(uvSphere(5, 24, 12)));
  const random = randomFrom(11);
  for (let trial = 0; trial < 20; trial++) {
    const vertex = Math.floor((random() * ball.vertices.length) / 3);
    const vertices = ball.vertices.slice();
    for (let at = 3 * vertex; at < 3 * vertex + 3; at++) vertices[at] *= -1.1;
    assert.ok(answersOf({ vertices, triangles: ball.triangles }, 32, "reverse").includes(true));
  }
});

test("a share that takes too many steps leaves the question open", () => {
  // Long facets side by side along a diagonal: all their boxes overlap.
  const corners = Array.from({ length: 500 }, (_, i) => [0, i, 0, 1000, 1000 + i, 1000, 1000, 1000 + i, 999]);
  const surface = {
    vertices: Float64Array.from(corners.flat()),
    triangles: Uint32Array.from({ length: 1500 }, (_, i) => i),
  };
  const search = planSharedSearch(surface, 1, noProgress);
  assert.equal(searchShare(search, 0, noProgress, 1), undefined);
  assert.equal(searchShare(search, 0, noProgress), false);
});
