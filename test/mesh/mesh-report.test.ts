import assert from "node:assert/strict";
import { test } from "node:test";
import { fc } from "../fixture/property.ts";
import { noProgress } from "../../src/core/progress.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { type MeshReport, checkClosedManifold, describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { type Mesh, type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../fixture/shapes.ts";
import { randomFrom } from "../fixture/random.ts";
import { facetsOf, insideOut, moved, shuffled, withFacets } from "../fixture/surface-edits.ts";

const meshOf = (...surfaces: Surface[]): Mesh => canonicalMesh(concatenateSurfaces(surfaces), 1, noProgress);
const reportOf = (...surfaces: Surface[]): MeshReport => meshReport(meshOf(...surfaces), noProgress);

const CLEAN: MeshReport = {
  openEdges: 0,
  nonManifoldEdges: 0,
  misorientedEdges: 0,
  degenerateFacets: 0,
  collapsedFacets: 0,
  duplicateFacets: 0,
  bodies: 1,
  invertedBodies: 0,
};

test("closed shapes have no defects, and each is one body", () => {
  const manyAtOneVertex = cylinder(50, 1, 5000);
  for (const shape of [box([1, 2, 3]), tetrahedron(4), cylinder(5, 6), manyAtOneVertex, uvSphere(7), torus(8, 2)]) {
    assert.deepEqual(reportOf(shape), CLEAN);
    assert.deepEqual(describeDefects(CLEAN), []);
  }
});

test("counts of small triangle soups equal those of a simple reference", () => {
  const facets = fc.array(fc.tuple(fc.nat(6), fc.nat(6), fc.nat(6)), { minLength: 1, maxLength: 30 });
  const points = fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2)), { minLength: 7, maxLength: 7 });
  fc.assert(
    fc.property(points, facets, (vertices, triangles) => {
      const mesh = meshOf(withFacets({ vertices: Float64Array.from(vertices.flat()) }, triangles));
      const { invertedBodies: _, ...counts } = meshReport(mesh, noProgress);
      assert.deepEqual(counts, plainCount(mesh));
    }),
    { numRuns: 1000 },
  );
});

test("defects are described in words, in the singular for one", () => {
  const found = { ...CLEAN, openEdges: 12, nonManifoldEdges: 1, degenerateFacets: 3, duplicateFacets: 2 };
  assert.deepEqual(describeDefects(found), ["12 open edges", "1 non-manifold edge", "2 duplicate facets"]);
  assert.deepEqual(describeDefects({ ...CLEAN, degenerateFacets: 3, collapsedFacets: 2 }), []);
});

test("parts that share a corner are two bodies, parts that share an edge are one", () => {
  const cube = box([2, 2, 2]);
  assert.equal(reportOf(cube, moved(cube, [2, 2, 2])).bodies, 2);
  assert.equal(reportOf(cube, moved(cube, [5, 0, 0])).bodies, 2);
  const alongEdge = reportOf(cube, moved(cube, [2, 2, 0]));
  assert.deepEqual([alongEdge.bodies, alongEdge.nonManifoldEdges], [1, 1]);
});

/** For nested shells, from the outside to the inside: whether each faces inward, and how many of them are inverted. */
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
    test(`${name}, made of ${kind}, has ${inverted} inverted`, () => {
      const shells = inward.map((isInward, depth) =>
        isInward ? insideOut(solid(12 - 3 * depth)) : solid(12 - 3 * depth),
      );
      const found = reportOf(shuffled(concatenateSurfaces(shells), randomFrom(3)));
      assert.deepEqual(found, { ...CLEAN, bodies: inward.length, invertedBodies: inverted });
    });
  }
}

test("an inside-out body next to another is found, on any side", () => {
  const away: Vec3[] = [
    [30, 0, 0],
    [-30, 0, 0],
    [0, 30, 0],
    [0, 0, 30],
    [0, 0, -30],
    [21, 7, -13],
  ];
  for (const offset of away) {
    assert.equal(reportOf(uvSphere(10), moved(insideOut(uvSphere(10)), offset)).invertedBodies, 1);
    assert.equal(reportOf(box([20, 20, 20]), moved(insideOut(box([20, 20, 20])), offset)).invertedBodies, 1);
  }
});

test("many cavities in one body are all recognised", () => {
  const steps = [-2, -1, 0, 1, 2];
  const places = steps.flatMap((x) => steps.flatMap((y) => steps.map((z): Vec3 => [x, y, z])));
  const cavities = places.map((place) => moved(insideOut(box([0.5, 0.5, 0.5])), place));
  assert.deepEqual(reportOf(box([6, 6, 6]), ...cavities), { ...CLEAN, bodies: 126 });
});

test("an open body has no inside and is not inverted", () => {
  const open = insideOut(box([1, 1, 1]));
  const found = reportOf({ ...open, triangles: open.triangles.slice(3) });
  assert.deepEqual(found, { ...CLEAN, openEdges: 3 });
});

/** The counts by maps and loops over all edges. */
function plainCount(mesh: Mesh): Omit<MeshReport, "invertedBodies"> {
  const facets = facetsOf(mesh);
  const point = (v: number): number[] => Array.from(mesh.vertices.subarray(3 * v, 3 * v + 3));
  const hasRepeat = (facet: Vec3): boolean => new Set(facet).size < 3;
  const isFlat = ([a, b, c]: Vec3): boolean => {
    const [p, q, r] = [point(a), point(b), point(c)];
    return [
      [0, 1],
      [1, 2],
      [2, 0],
    ].every(([x, y]) => (q[x] - p[x]) * (r[y] - p[y]) === (q[y] - p[y]) * (r[x] - p[x]));
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

const shape = fc.constantFrom(...[box([10, 10, 10]), torus(15, 5), uvSphere(9)].map((surface) => meshOf(surface)));

/** Both surfaces as one, the second moved along x. */
const beside = (a: Surface, b: Surface, x: number): Surface => concatenateSurfaces([a, moved(b, [x, 0, 0])]);

test("the quick check accepts closed solids next to each other", () => {
  fc.assert(
    fc.property(shape, shape, (a, b) => {
      assert.deepEqual(checkClosedManifold(beside(a, b, 60), noProgress), { isOpen: false, hasInward: false });
    }),
  );
});

test("the quick check finds any single facet that is missing or flipped", () => {
  fc.assert(
    fc.property(shape, fc.nat(), fc.boolean(), ({ vertices, triangles }, any, isFlipped) => {
      const facet = 3 * (any % (triangles.length / 3));
      const [a, b, c] = triangles.subarray(facet, facet + 3);
      const damaged = Uint32Array.from(triangles);
      damaged.set(isFlipped ? [a, c, b] : [a, a, a], facet);
      assert.ok(checkClosedManifold({ vertices, triangles: damaged }, noProgress).isOpen);
    }),
  );
});

test("the quick check finds a small part that faces inward next to a large one that does not", () => {
  const small = insideOut(meshOf(box([1, 1, 1])));
  for (const large of [box([10, 10, 10]), torus(15, 5)].map((surface) => meshOf(surface))) {
    assert.deepEqual(checkClosedManifold(beside(large, small, 60), noProgress), { isOpen: false, hasInward: true });
  }
});
