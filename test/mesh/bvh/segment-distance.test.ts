import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../../src/geometry/vector.ts";
import { squaredTriangleDistance } from "../../../src/mesh/bvh/segment-distance.ts";
import { type Corners, segmentToFacetBySearch } from "../../fixture/facet-distance.ts";
import { randomFrom } from "../../fixture/random.ts";

const random = randomFrom(5);
const facet = (by: number): Corners => {
  const coordinate = (): number => Math.fround(Math.fround(random()) + by);
  const corner = (): Vec3 => [coordinate(), coordinate(), coordinate()];
  return [corner(), corner(), corner()];
};

/** Facets that do not cross are nearest to each other at an edge of one of them. */
function bySearch(a: Corners, b: Corners): number {
  const edges = (of: Corners, to: Corners): number[] =>
    of.map((from, i) => segmentToFacetBySearch(from, of[(i + 1) % 3], to));
  return Math.min(...edges(a, b), ...edges(b, a));
}

const between = (a: Corners, b: Corners, limit: number): number =>
  squaredTriangleDistance(Float32Array.from(a.flat()), 0, Float32Array.from(b.flat()), 0, limit);

test("triangle distances agree with a search, also for triangles that intersect", () => {
  let crossing = 0;
  for (let run = 0; run < 500; run++) {
    const [a, b] = [facet(0), facet(random())];
    const expected = bySearch(a, b);
    const found = Math.sqrt(between(a, b, Infinity));
    assert.ok(Math.abs(found - expected) < 1e-5, `${found} is not ${expected}`);
    if (found === 0) crossing++;
  }
  assert.ok(crossing > 20, String(crossing));
});

test("a limit affects only distances that are not less than it", () => {
  for (let run = 0; run < 500; run++) {
    const [a, b] = [facet(0), facet(random())];
    const exact = between(a, b, Infinity);
    assert.equal(between(a, b, exact * 1.001 + 1e-9), exact);
    assert.ok(between(a, b, exact * 0.999) >= exact * 0.999);
  }
});

test("a corner above the interior of a triangle has its distance, in both orders", () => {
  const floor: Corners = [
    [0, 0, 0],
    [9, 0, 0],
    [0, 9, 0],
  ];
  const spike: Corners = [
    [2, 2, 1],
    [2, 3, 5],
    [3, 2, 5],
  ];
  assert.equal(between(floor, spike, Infinity), 1);
  assert.equal(between(spike, floor, Infinity), 1);
});
