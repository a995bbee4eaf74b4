import assert from "node:assert/strict";
import { test } from "node:test";
import { boxSideSum } from "../../../src/mesh/bvh/box-tree.ts";
import {
  isFacetSeparated,
  isSeparatedBetween,
  newFacetPlanes,
  setFacetPlanes,
} from "../../../src/mesh/bvh/triangles-separate.ts";
import { trianglesIntersect } from "../../../src/mesh/bvh/triangles-intersect.ts";
import { fc } from "../../fixture/property.ts";
import { uvSphere } from "../../fixture/shapes.ts";
import { unwelded } from "../../fixture/surface-edits.ts";
import { slowRuns } from "../../fixture/long.ts";

/** The sum of the sides of the box around all corners. */
function reachOf(corners: Float32Array): number {
  const axes = [0, 1, 2].map((axis) => corners.filter((_, at) => at % 3 === axis));
  return boxSideSum(Float64Array.from([...axes.map((of) => Math.min(...of)), ...axes.map((of) => Math.max(...of))]), 0);
}

/** Whether a plane separates facets i and j: a plane of i, a plane of j, or one between them. */
function separation(corners: Float32Array, i: number, j: number): { own: boolean; other: boolean; between: boolean } {
  const both = Float32Array.from([...corners.subarray(9 * i, 9 * i + 9), ...corners.subarray(9 * j, 9 * j + 9)]);
  const reach = reachOf(both);
  const planes = newFacetPlanes();
  setFacetPlanes(planes, both, 0);
  const own = isFacetSeparated(planes, reach, both, 0, 9);
  setFacetPlanes(planes, both, 9);
  const other = isFacetSeparated(planes, reach, both, 9, 0);
  const between = isSeparatedBetween(reach, both, 0, 9);
  assert.equal(isSeparatedBetween(reach, both, 9, 0), between);
  return { own, other, between };
}

const isSeparated = (corners: Float32Array, i: number, j: number): boolean =>
  Object.values(separation(corners, i, j)).includes(true);

/** Two triangles on a grid, moved and scaled at random; the second may have corners of the first. */
const pairOfTriangles = fc
  .record({
    grid: fc.constantFrom(1, 2, 4, 100),
    values: fc.array(fc.nat(1e6), { minLength: 18, maxLength: 18 }),
    shared: fc.array(fc.constantFrom(-1, -1, 0, 1, 2), { minLength: 3, maxLength: 3 }),
    scale: fc.constantFrom(1, 0.1, 1e-5, 1 / 3),
    offset: fc.constantFrom(0, 0, 7.3, 1000),
  })
  .map(({ grid, values, shared, scale, offset }) => {
    const corners = Float32Array.from(values, (value) => (value % (grid + 1)) * scale + offset);
    for (const [k, from] of shared.entries()) {
      if (from >= 0) corners.copyWithin(9 + 3 * k, 3 * from, 3 * from + 3);
    }
    return corners;
  });

test("triangles that a plane separates do not intersect", () => {
  fc.assert(
    fc.property(pairOfTriangles, (corners) => {
      if (isSeparated(corners, 0, 1)) assert.equal(trianglesIntersect(corners, 0, corners, 9), false);
    }),
    { numRuns: slowRuns(10_000) },
  );
});

test("most random pairs that do not intersect are separated, by each kind of plane", () => {
  const apart = fc.sample(pairOfTriangles, 4000).filter((corners) => !trianglesIntersect(corners, 0, corners, 9));
  const found = apart.map((corners) => separation(corners, 0, 1));
  assert.ok(found.filter((by) => by.own || by.other || by.between).length > 0.6 * apart.length);
  for (const kind of ["own", "other", "between"] as const) {
    const alone = found.filter((by) => Object.entries(by).every(([key, is]) => is === (key === kind)));
    assert.ok(alone.length > 2, `${kind}: ${alone.length} of ${apart.length}`);
  }
});

test("all neighbours in a sphere and in a plane are separated, even with collinear edges, but no facets without area", () => {
  const sphere = Float32Array.from(unwelded(uvSphere(5, 16, 8)).vertices);
  const plane = sphere.map((value, at) => (at % 3 === 2 ? 0 : value));
  const isUpper = (facet: number): boolean => sphere[9 * facet + 2] + sphere[9 * facet + 5] + sphere[9 * facet + 8] > 0;
  for (let i = 0; 9 * i < sphere.length; i++) {
    for (let j = 0; j < i; j++) {
      assert.ok(isSeparated(sphere, i, j));
      if (isUpper(i) && isUpper(j)) assert.ok(isSeparated(plane, i, j));
    }
  }
  assert.equal(isSeparated(new Float32Array(18), 0, 1), false);
});

test("a duplicate, a turned duplicate and a facet folded back are not separated", () => {
  const [a, b, c, d] = [
    [0, 0, 0],
    [3, 0, 1],
    [0, 3, 2],
    [1, 1, 1],
  ];
  for (const other of [
    [a, b, c],
    [a, c, b],
    [b, c, a],
    [a, b, d],
    [b, a, d],
  ]) {
    const corners = Float32Array.from([a, b, c, ...other].flat());
    assert.equal(isSeparated(corners, 0, 1), false);
  }
});
