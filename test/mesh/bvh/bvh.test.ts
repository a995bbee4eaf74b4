import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import {
  AXIS_INDICES,
  type Vec3,
  add,
  cross,
  dot,
  length,
  lerp,
  subtract,
  times,
} from "../../../src/geometry/vector.ts";
import { buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import { closestPoint, distanceToSurface } from "../../../src/mesh/bvh/closest-point.ts";
import { raycast } from "../../../src/mesh/bvh/raycast.ts";
import { segmentDistance } from "../../../src/mesh/bvh/segment-distance.ts";
import { windingNumber } from "../../../src/mesh/bvh/winding-number.ts";
import { type Surface, concatenateSurfaces } from "../../../src/mesh/mesh.ts";
import {
  type Corners,
  cornersOfFacets,
  distanceToFacet,
  segmentToFacetBySearch,
} from "../../fixture/facet-distance.ts";
import { box, torus, uvSphere } from "../../fixture/shapes.ts";
import { slowRuns } from "../../fixture/long.ts";
import { randomFrom } from "../../fixture/random.ts";
import { insideOut, moved } from "../../fixture/surface-edits.ts";

const random = randomFrom(31);
const within = (reach: number): Vec3 => {
  const coordinate = (): number => reach * (2 * random() - 1);
  return [coordinate(), coordinate(), coordinate()];
};

const single = ({ vertices, triangles }: Surface): Surface => ({ vertices: Float32Array.from(vertices), triangles });

/** Random facets, some of them long, some without area. */
function soup(count: number): Surface {
  const corners = Array.from({ length: count }, (_, i): readonly Vec3[] => {
    const middle = within(10);
    const size = i % 10 === 0 ? 8 : 1;
    const a = add(middle, within(size));
    const b = add(middle, within(size));
    return [a, b, i % 13 === 0 ? lerp(a, b, random()) : i % 17 === 0 ? a : add(middle, within(size))];
  });
  return single({
    vertices: Float64Array.from(corners.flat(2)),
    triangles: Uint32Array.from({ length: 3 * count }, (_, i) => i),
  });
}

/** Equal facets at the same position, which no split separates. */
const pile = (count: number): Surface => ({
  vertices: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0.5),
  triangles: Uint32Array.from({ length: 3 * count }, (_, i) => i % 3),
});

/** Each facet is so much smaller than the previous one that the surface area heuristic splits off few at a time. */
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
  const tree = buildBvh(surface, noProgress);
  const facets = cornersOfFacets(surface);

  test(`${name}: every facet has one slot, and the boxes of its nodes contain it`, () => {
    assert.deepEqual(
      [...tree.facets].sort((a, b) => a - b),
      facets.map((_, i) => i),
    );
    const seen: number[] = [];
    const walk = (node: number): number[] => {
      const count = tree.links[2 * node + 1];
      const first = tree.links[2 * node];
      const slots =
        count > 0 ? Array.from({ length: count }, (_, i) => first + i) : [...walk(node + 1), ...walk(first)];
      if (count > 0) seen.push(...slots);
      for (const slot of slots) {
        for (let i = 0; i < 9; i++) {
          const value = tree.corners[9 * slot + i];
          assert.equal(value, facets[tree.facets[slot]].flat()[i]);
          assert.ok(tree.boxes[6 * node + (i % 3)] <= value && value <= tree.boxes[6 * node + 3 + (i % 3)]);
        }
      }
      return slots;
    };
    walk(0);
    assert.deepEqual(
      seen,
      facets.map((_, i) => i),
    );
  });

  test(`${name}: the closest point agrees with a search over all facets`, () => {
    for (let i = 0; i < slowRuns(200); i++) {
      const point = within(12);
      const wanted = Math.min(...facets.map((facet) => distanceToFacet(point, facet)));
      const found = closestPoint(tree, point, Infinity)!;
      near(found.distanceMm, wanted);
      near(length(subtract(found.point, point)), wanted);
      near(distanceToFacet(found.point, facets[found.facet]), 0);
      assert.equal(closestPoint(tree, point, wanted * 0.999), undefined);
      near(distanceToSurface(tree, point, wanted * 1.001), wanted);
      assert.equal(distanceToSurface(tree, point, wanted * 0.999), wanted * 0.999);
    }
  });

  test(`${name}: the distance of a segment agrees with a search over all facets`, () => {
    for (let i = 0; i < slowRuns(30); i++) {
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

  test(`${name}: the first hit of a ray agrees with a search over all facets`, () => {
    for (let i = 0; i < slowRuns(200); i++) {
      const origin = within(12);
      const direction: Vec3 = i % 4 === 0 ? [0, 0, i % 8 === 0 ? -1 : 1] : within(1);
      const wanted = Math.min(...facets.map((facet) => hitOf(origin, direction, facet)));
      const found = raycast(tree, origin, direction, Infinity);
      near(found?.along ?? Infinity, wanted);
      if (!found) continue;
      near(distanceToFacet(add(origin, times(direction, found.along)), facets[found.facet]), 0, 1e-5);
      assert.equal(raycast(tree, origin, direction, found.along * 0.999), undefined);
    }
  });
}

test("a ray hits facets ahead, at its origin and at its limit, but none before its origin or beyond its limit", () => {
  // A slanted facet, whose box has points on both sides of it.
  const slanted = { vertices: Float32Array.of(0, 0, 0, 1, 0, 1, 0, 1, 1), triangles: Uint32Array.of(0, 1, 2) };
  const tree = buildBvh(slanted, noProgress);
  const up: Vec3 = [0, 0, 2];
  // The facet is at height x + y.
  assert.equal(raycast(tree, [0.25, 0.25, 0.75], up, Infinity), undefined);
  for (const limit of [Infinity, 0]) assert.ok(Math.abs(raycast(tree, [0.25, 0.25, 0.5], up, limit)!.along) === 0);
  assert.deepEqual(raycast(tree, [0.25, 0.25, 0.25], up, 0.125), { along: 0.125, facet: 0 });
  assert.equal(raycast(tree, [0.25, 0.25, 0.25], up, 0.1249), undefined);
});

test("no ray passes through a closed surface at a corner or an edge", () => {
  const surface = SURFACES.sphere;
  const tree = buildBvh(surface, noProgress);
  for (const [a, b] of cornersOfFacets(surface)) {
    for (const target of [a, lerp(a, b, 0.5)]) {
      const hit = raycast(tree, [0.1, 0.2, 0.3], subtract(target, [0.1, 0.2, 0.3]), Infinity);
      assert.ok(hit && hit.along < 1.001, `towards ${target}`);
    }
  }
});

test("a ray along the walls of the boxes of a tree hits the facets in them", () => {
  const surface = single(concatenateSurfaces([box([10, 6, 4]), moved(box([10, 6, 4]), [30, 0, 0])]));
  const tree = buildBvh(surface, noProgress);
  // The ray goes down along a side of the first box and hits the top of the box at its edge.
  for (const [x, y] of [
    [5, 0.3],
    [-5, 0.3],
    [0.3, 3],
    [0.3, -3],
  ]) {
    assert.equal(raycast(tree, [x, y, 20], [0, 0, -1], Infinity)?.along, 18);
  }
  // Oblique rays within the planes of the sides, towards points of their far edges.
  for (let i = 0; i < 2000; i++) {
    const [y, target] = [-3 * (1 + random()) - 1, 2 * random() - 1];
    const origin: Vec3 = [5, y, 7 * random() + 2.1];
    const hit = raycast(tree, origin, subtract([5, 3, target], origin), Infinity);
    assert.ok(hit && hit.along < 1 + 1e-9, `from ${origin} to ${target}`);
  }
});

test("the winding number is right inside and outside, also above and below corners and edges", () => {
  const bodies = [
    box([8, 8, 8]),
    insideOut(box([4, 4, 4])),
    moved(box([4, 4, 4]), [3, 0, 0]),
    moved(uvSphere(3, 12, 8), [0, 0, 12]),
  ];
  const surface = concatenateSurfaces(bodies.map(single));
  const tree = buildBvh(surface, noProgress);
  const inBox = ([x, y, z]: Vec3, half: number, middle = 0): number =>
    Number(Math.max(Math.abs(x - middle), Math.abs(y), Math.abs(z)) < half);
  // On a grid of 0.5 most vertical lines pass through corners and edges; the offset of a quarter keeps points off the faces.
  for (let x = -5; x <= 6; x += 0.5) {
    for (let y = -5; y <= 5; y += 0.5) {
      for (let z = -5.25; z <= 6; z += 0.5) {
        const point: Vec3 = [x, y, z];
        const isOnWall = [4, 2].some((half) => Math.abs(x) === half || Math.abs(y) === half) || x === 1 || x === 5;
        if (isOnWall) continue;
        const expected = inBox(point, 4) - inBox(point, 2) + inBox(point, 2, 3);
        for (const along of AXIS_INDICES)
          assert.equal(windingNumber(tree, point, along), expected, `${point}, ${along}`);
      }
    }
  }
  assert.equal(windingNumber(tree, [0, 0, 12]), 1);
  assert.equal(windingNumber(tree, [0, 0, 8.5]), 0);
});

/** The ray–triangle test of Möller and Trumbore. */
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
