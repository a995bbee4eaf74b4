import assert from "node:assert/strict";
import { test } from "node:test";
import { add, cross, dot, length, subtract, times, type Vec3 } from "../../../src/core/geometry.ts";
import { unwatched } from "../../../src/core/watch.ts";
import { facetTree } from "../../../src/mesh/bvh/facet-tree.ts";
import { firstHit } from "../../../src/mesh/bvh/first-hit.ts";
import { distanceTo, nearestPoint } from "../../../src/mesh/bvh/nearest-point.ts";
import { segmentDistance } from "../../../src/mesh/bvh/segment-distance.ts";
import { windingNumber } from "../../../src/mesh/bvh/winding-number.ts";
import type { Surface } from "../../../src/mesh/mesh.ts";
import { insideOut, moved, randomFrom } from "../../fixture/altered.ts";
import {
  between,
  type Corners,
  cornersOfFacets,
  distanceToFacet,
  segmentToFacetBySearch,
} from "../../fixture/facet-distance.ts";
import { box, torus, uvSphere } from "../../fixture/shapes.ts";

const random = randomFrom(31);
const within = (reach: number): Vec3 => [0, 0, 0].map(() => reach * (2 * random() - 1)) as unknown as Vec3;

const single = ({ vertices, triangles }: Surface): Surface => ({ vertices: Float32Array.from(vertices), triangles });

/** Facets anywhere, some of them long, some without area. */
function soup(count: number): Surface {
  const corners = Array.from({ length: count }, (_, i): readonly Vec3[] => {
    const middle = within(10);
    const size = i % 10 === 0 ? 8 : 1;
    const a = add(middle, within(size));
    const b = add(middle, within(size));
    return [a, b, i % 13 === 0 ? between(a, b, random()) : i % 17 === 0 ? a : add(middle, within(size))];
  });
  return single({
    vertices: Float64Array.from(corners.flat(2)),
    triangles: Uint32Array.from({ length: 3 * count }, (_, i) => i),
  });
}

/** Equal facets in one place: no cut parts them. */
const pile = (count: number): Surface => ({
  vertices: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0.5),
  triangles: Uint32Array.from({ length: 3 * count }, (_, i) => i % 3),
});

/** Each so much smaller than the last that cuts by area take few at a time. */
const shrinking = (count: number): Surface => ({
  vertices: Float32Array.from(
    { length: 9 * count },
    (_, i) => 2 ** -(Math.floor(i / 9) % 100) * [0, 0, 0, 1, 0, 0, 0, 1, 1][i % 9],
  ),
  triangles: Uint32Array.from({ length: 3 * count }, (_, i) => i),
});

const SURFACES: Readonly<Record<string, Surface>> = {
  "one facet": soup(1),
  "four facets": soup(4),
  soup: soup(200),
  torus: single(torus(6, 2, 24, 12)),
  sphere: single(uvSphere(5, 16, 12)),
  box: single(box([4, 6, 8])),
  pile: pile(100),
  shrinking: shrinking(200),
};

for (const [name, surface] of Object.entries(SURFACES)) {
  const tree = facetTree(surface, unwatched);
  const facets = cornersOfFacets(surface);

  test(`${name}: every facet has one place, in the boxes of its nodes`, () => {
    assert.deepEqual(
      [...tree.facets].sort((a, b) => a - b),
      facets.map((_, i) => i),
    );
    const seen: number[] = [];
    const walk = (node: number): number[] => {
      const count = tree.links[2 * node + 1];
      const first = tree.links[2 * node];
      const places =
        count > 0 ? Array.from({ length: count }, (_, i) => first + i) : [...walk(node + 1), ...walk(first)];
      if (count > 0) seen.push(...places);
      for (const place of places) {
        for (let i = 0; i < 9; i++) {
          const value = tree.corners[9 * place + i];
          assert.equal(value, facets[tree.facets[place]].flat()[i]);
          assert.ok(tree.boxes[6 * node + (i % 3)] <= value && value <= tree.boxes[6 * node + 3 + (i % 3)]);
        }
      }
      return places;
    };
    walk(0);
    assert.deepEqual(
      seen,
      facets.map((_, i) => i),
    );
  });

  test(`${name}: the nearest point is nearest`, () => {
    for (let i = 0; i < 200; i++) {
      const point = within(12);
      const wanted = Math.min(...facets.map((facet) => distanceToFacet(point, facet)));
      const found = nearestPoint(tree, point, Infinity)!;
      near(found.distanceMm, wanted);
      near(length(subtract(found.point, point)), wanted);
      near(distanceToFacet(found.point, facets[found.facet]), 0);
      assert.equal(nearestPoint(tree, point, wanted * 0.999), undefined);
      near(distanceTo(tree, point, wanted * 1.001), wanted);
      assert.equal(distanceTo(tree, point, wanted * 0.999), wanted * 0.999);
    }
  });

  test(`${name}: segments keep the distance that they keep from the nearest facet`, () => {
    for (let i = 0; i < 30; i++) {
      const from = within(12);
      const to = i % 10 === 0 ? from : i % 7 === 0 ? ([from[0], from[1], -12] as const) : add(from, within(6));
      const wanted = Math.min(...facets.map((facet) => segmentToFacetBySearch(from, to, facet)));
      near(segmentDistance(tree, from, to, Infinity), wanted);
      const limit = 0.5 + random();
      near(segmentDistance(tree, from, to, limit), Math.min(limit, wanted));
      const isNearer = segmentDistance(tree, from, to, limit, limit) < limit;
      if (Math.abs(wanted - limit) > 1e-6) assert.equal(isNearer, wanted < limit);
    }
  });

  test(`${name}: rays end at the first facet`, () => {
    for (let i = 0; i < 200; i++) {
      const origin = within(12);
      const direction: Vec3 = i % 4 === 0 ? [0, 0, i % 8 === 0 ? -1 : 1] : within(1);
      const wanted = Math.min(...facets.map((facet) => hitOf(origin, direction, facet)));
      const found = firstHit(tree, origin, direction, Infinity);
      near(found?.along ?? Infinity, wanted);
      if (!found) continue;
      near(distanceToFacet(add(origin, times(direction, found.along)), facets[found.facet]), 0, 1e-5);
      assert.equal(firstHit(tree, origin, direction, found.along * 0.999), undefined);
    }
  });
}

test("no ray through a corner or an edge slips through a closed surface", () => {
  const surface = SURFACES.sphere;
  const tree = facetTree(surface, unwatched);
  for (const [a, b] of cornersOfFacets(surface)) {
    for (const target of [a, between(a, b, 0.5)]) {
      const hit = firstHit(tree, [0.1, 0.2, 0.3], subtract(target, [0.1, 0.2, 0.3]), Infinity);
      assert.ok(hit && hit.along < 1.001, `towards ${target}`);
    }
  }
});

test("the winding number tells what is inside, also above and below corners and edges", () => {
  const bodies = [
    box([8, 8, 8]),
    insideOut(box([4, 4, 4])),
    moved(box([4, 4, 4]), [3, 0, 0]),
    moved(uvSphere(3, 12, 8), [0, 0, 12]),
  ];
  const surface = bodies.map(single).reduce((all, one) => combineTwo(all, one));
  const tree = facetTree(surface, unwatched);
  const inBox = ([x, y, z]: Vec3, half: number, middle = 0): number =>
    Number(Math.max(Math.abs(x - middle), Math.abs(y), Math.abs(z)) < half);
  // On a lattice of halves most lines pass through corners and edges; the quarter keeps points off the faces.
  for (let x = -5; x <= 6; x += 0.5) {
    for (let y = -5; y <= 5; y += 0.5) {
      for (let z = -5.25; z <= 6; z += 0.5) {
        const point: Vec3 = [x, y, z];
        const isOnWall = [4, 2].some((half) => Math.abs(x) === half || Math.abs(y) === half) || x === 1 || x === 5;
        if (isOnWall) continue;
        assert.equal(windingNumber(tree, point), inBox(point, 4) - inBox(point, 2) + inBox(point, 2, 3), `${point}`);
      }
    }
  }
  assert.equal(windingNumber(tree, [0, 0, 12]), 1);
  assert.equal(windingNumber(tree, [0, 0, 8.5]), 0);
});

const combineTwo = (a: Surface, b: Surface): Surface => ({
  vertices: Float32Array.of(...a.vertices, ...b.vertices),
  triangles: Uint32Array.of(...a.triangles, ...b.triangles.map((v) => v + a.vertices.length / 3)),
});

/** Möller and Trumbore's test. */
function hitOf(origin: Vec3, direction: Vec3, [a, b, c]: Corners): number {
  const [u, v] = [subtract(b, a), subtract(c, a)];
  const p = cross(direction, v);
  const determinant = dot(u, p);
  if (determinant === 0) return Infinity;
  const t = subtract(origin, a);
  const alongU = dot(t, p) / determinant;
  const q = cross(t, u);
  const alongV = dot(direction, q) / determinant;
  const along = dot(v, q) / determinant;
  return alongU >= 0 && alongV >= 0 && alongU + alongV <= 1 && along >= 0 ? along : Infinity;
}

function near(found: number, wanted: number, tolerance = 1e-6): void {
  assert.ok(found === wanted || Math.abs(found - wanted) <= tolerance, `${found} is not ${wanted}`);
}
