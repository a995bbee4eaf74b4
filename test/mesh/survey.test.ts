import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { Vec3 } from "../../src/core/geometry.ts";
import { unwatched } from "../../src/core/watch.ts";
import { canonicalMesh } from "../../src/mesh/canonical.ts";
import { combine } from "../../src/mesh/combine.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import type { Survey } from "../../src/mesh/survey.ts";
import { faultsOf, survey } from "../../src/mesh/survey.ts";
import { facetsOf, insideOut, moved, randomFrom, shuffled, withFacets } from "../fixture/altered.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";

const meshOf = (...surfaces: Surface[]): Mesh => canonicalMesh(combine(surfaces), 1, unwatched);
const surveyOf = (...surfaces: Surface[]): Survey => survey(meshOf(...surfaces), unwatched);

const SOUND: Survey = {
  openEdges: 0,
  nonManifoldEdges: 0,
  misorientedEdges: 0,
  degenerateFacets: 0,
  collapsedFacets: 0,
  duplicateFacets: 0,
  bodies: 1,
  invertedBodies: 0,
};

test("closed shapes are sound, each one body", () => {
  const manyAtOneVertex = cylinder(50, 1, 5000);
  for (const shape of [box([1, 2, 3]), tetrahedron(4), cylinder(5, 6), manyAtOneVertex, uvSphere(7), torus(8, 2)]) {
    assert.deepEqual(surveyOf(shape), SOUND);
    assert.deepEqual(faultsOf(SOUND), []);
  }
});

test("counts agree with a plain count over maps, on random small soups", () => {
  const facets = fc.array(fc.tuple(fc.nat(6), fc.nat(6), fc.nat(6)), { minLength: 1, maxLength: 30 });
  const points = fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)), { minLength: 7, maxLength: 7 });
  fc.assert(fc.property(points, facets, (vertices, triangles) => {
    const mesh = meshOf(withFacets({ vertices: Float64Array.from(vertices.flat()) }, triangles));
    const { invertedBodies: _, ...counts } = survey(mesh, unwatched);
    assert.deepEqual(counts, plainCount(mesh));
  }), { numRuns: 1000 });
});

test("faults come in words, one as a singular", () => {
  const found = { ...SOUND, openEdges: 12, nonManifoldEdges: 1, degenerateFacets: 3, duplicateFacets: 2 };
  assert.deepEqual(faultsOf(found), ["12 open edges", "1 non-manifold edge", "2 duplicate facets"]);
  assert.deepEqual(faultsOf({ ...SOUND, degenerateFacets: 3, collapsedFacets: 2 }), []);
});

test("bodies that touch at a corner or not at all are apart, along an edge they are one", () => {
  const cube = box([2, 2, 2]);
  assert.equal(surveyOf(cube, moved(cube, [2, 2, 2])).bodies, 2);
  assert.equal(surveyOf(cube, moved(cube, [5, 0, 0])).bodies, 2);
  const alongEdge = surveyOf(cube, moved(cube, [2, 2, 0]));
  assert.deepEqual([alongEdge.bodies, alongEdge.nonManifoldEdges], [1, 1]);
});

/** Which shells, from the outside in, face inward, and how many of them are inside out. */
const NESTS: [string, boolean[], number][] = [
  ["an inside-out body", [true], 1],
  ["a body with a cavity", [false, true], 0],
  ["a body inside another", [false, false], 0],
  ["an island in a cavity", [false, true, false], 0],
  ["an inside-out island in a cavity", [false, true, true], 1],
  ["a hollow island in a cavity", [false, true, false, true], 0],
  ["an inside-out body around an outward one", [true, false], 1],
];

const solids: Record<string, (size: number) => Surface> = {
  balls: (size) => uvSphere(size, 24, 12),
  cubes: (size) => box([2 * size, 2 * size, 2 * size]),
  tubes: (size) => torus(20, size / 2, 32, 12),
};

for (const [name, inward, inverted] of NESTS) {
  for (const [kind, solid] of Object.entries(solids)) {
    test(`${name}, of ${kind}: ${inverted} inside out`, () => {
      const shells = inward.map((isInward, depth) => (isInward ? insideOut : (s: Surface) => s)(solid(12 - 3 * depth)));
      const found = surveyOf(shuffled(combine(shells), randomFrom(3)));
      assert.deepEqual(found, { ...SOUND, bodies: inward.length, invertedBodies: inverted });
    });
  }
}

test("side by side, an inside-out body is found whichever side it stands on", () => {
  const away: Vec3[] = [[30, 0, 0], [-30, 0, 0], [0, 30, 0], [0, 0, 30], [0, 0, -30], [21, 7, -13]];
  for (const offset of away) {
    assert.equal(surveyOf(uvSphere(10), moved(insideOut(uvSphere(10)), offset)).invertedBodies, 1);
    assert.equal(surveyOf(box([20, 20, 20]), moved(insideOut(box([20, 20, 20])), offset)).invertedBodies, 1);
  }
});

test("many cavities in one body are all seen as cavities", () => {
  const steps = [-2, -1, 0, 1, 2];
  const places = steps.flatMap((x) => steps.flatMap((y) => steps.map((z): Vec3 => [x, y, z])));
  const cavities = places.map((place) => moved(insideOut(box([0.5, 0.5, 0.5])), place));
  assert.deepEqual(surveyOf(box([6, 6, 6]), ...cavities), { ...SOUND, bodies: 126 });
});

test("an open body has no inside and so is not inside out", () => {
  const open = insideOut(box([1, 1, 1]));
  const found = surveyOf({ ...open, triangles: open.triangles.slice(3) });
  assert.deepEqual(found, { ...SOUND, openEdges: 3 });
});

function plainCount(mesh: Mesh): Omit<Survey, "invertedBodies"> {
  const facets = facetsOf(mesh);
  const point = (v: number): number[] => Array.from(mesh.vertices.subarray(3 * v, 3 * v + 3));
  const hasRepeat = (facet: Vec3): boolean => new Set(facet).size < 3;
  const isFlat = ([a, b, c]: Vec3): boolean => {
    const [p, q, r] = [point(a), point(b), point(c)];
    return [[0, 1], [1, 2], [2, 0]].every(([x, y]) => (q[x] - p[x]) * (r[y] - p[y]) === (q[y] - p[y]) * (r[x] - p[x]));
  };
  const uses = new Map<string, { forward: boolean; facet: number }[]>();
  facets.forEach((facet, index) => {
    if (hasRepeat(facet)) return;
    facet.forEach((from, k) => {
      const to = facet[(k + 1) % 3];
      const key = `${Math.min(from, to)} ${Math.max(from, to)}`;
      uses.set(key, [...(uses.get(key) ?? []), { forward: from < to, facet: index }]);
    });
  });
  const edges = [...uses.values()];
  const labels = facets.map((_, i) => i);
  for (let changed = true; changed;) {
    changed = false;
    for (const edge of edges) {
      const least = Math.min(...edge.map(({ facet }) => labels[facet]));
      for (const { facet } of edge) {
        changed ||= labels[facet] !== least;
        labels[facet] = least;
      }
    }
  }
  const whole = facets.filter((facet) => !hasRepeat(facet));
  return {
    openEdges: edges.filter((edge) => edge.length === 1).length,
    nonManifoldEdges: edges.filter((edge) => edge.length > 2).length,
    misorientedEdges: edges.filter((edge) => edge.length === 2 && edge[0].forward === edge[1].forward).length,
    degenerateFacets: facets.filter(isFlat).length,
    collapsedFacets: facets.filter(hasRepeat).length,
    duplicateFacets: whole.length - new Set(whole.map((facet) => [...facet].sort().join(" "))).size,
    bodies: new Set(labels.filter((_, i) => !hasRepeat(facets[i]))).size,
  };
}
