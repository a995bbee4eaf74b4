import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../src/core/geometry.ts";
import { unwatched } from "../../src/core/watch.ts";
import { combine } from "../../src/mesh/combine.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { NO_SOLID, solidsOf } from "../../src/mesh/solids.ts";
import { facetsOf, insideOut, moved, perforated, randomFrom, withFacets } from "../fixture/altered.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";

const countOf = (...surfaces: Surface[]): number => solidsOf(meshOf(...surfaces), unwatched).count;

/** The x of each solid's facets, least and greatest: the test bodies stand side by side along x or in each other. */
function spans(...surfaces: Surface[]): [number, number][] {
  const mesh = meshOf(...surfaces);
  const { count, solidOf } = solidsOf(mesh, unwatched);
  const found = Array.from({ length: count }, (): [number, number] => [Infinity, -Infinity]);
  for (const [facet, corners] of facetsOf(mesh).entries()) {
    for (const corner of solidOf[facet] === NO_SOLID ? [] : corners) {
      const span = found[solidOf[facet]];
      span[0] = Math.min(span[0], mesh.vertices[3 * corner]);
      span[1] = Math.max(span[1], mesh.vertices[3 * corner]);
    }
  }
  return found;
}

const CUBE = box([2, 2, 2]);
const cube = (size: number): Surface => box([size, size, size]);

test("bodies apart, at a corner, along an edge, face on face", () => {
  assert.equal(countOf(CUBE), 1);
  assert.equal(countOf(CUBE, moved(CUBE, [5, 0, 0])), 2);
  assert.equal(countOf(CUBE, moved(CUBE, [2, 2, 2])), 2, "a corner holds nothing together");
  assert.equal(countOf(CUBE, moved(CUBE, [2, 2, 0])), 1, "an edge does");
  assert.equal(countOf(CUBE, moved(CUBE, [2, 0, 0])), 1);
  assert.equal(countOf(CUBE, moved(CUBE, [1, 1, 1])), 2, "what passes through shares no edges");
});

test("cavities stay with the innermost body around them, islands are their own", () => {
  const shells = [cube(20), insideOut(cube(16)), cube(12), insideOut(cube(8)), cube(4)];
  for (let depth = 1; depth <= shells.length; depth++) {
    assert.equal(countOf(...shells.slice(0, depth)), Math.ceil(depth / 2), `${depth} shells`);
  }
  assert.deepEqual(spans(...shells), [
    [-10, 10],
    [-6, 6],
    [-2, 2],
  ]);
});

test("many cavities, and cavities of islands in some of them", () => {
  const places = [-6, -2, 2, 6].flatMap((x) => [-6, -2, 2, 6].map((y): Vec3 => [x, y, 0]));
  const cavities = places.map((place) => moved(insideOut(uvSphere(1.8, 16, 8)), place));
  const islands = places.slice(0, 5).map((place) => moved(uvSphere(1.2, 16, 8), place));
  const cores = places.slice(0, 3).map((place) => moved(insideOut(uvSphere(0.6, 16, 8)), place));
  const beside = moved(CUBE, [30, 0, 0]);
  assert.equal(countOf(cube(20), ...cavities), 1);
  assert.equal(countOf(cube(20), ...cavities, ...islands, ...cores, beside), 1 + 5 + 1);
  assert.equal(countOf(cube(20), ...cores, beside), 2);
});

test("solids come in the order of their first facets", () => {
  const found = spans(moved(CUBE, [9, 0, 0]), CUBE, moved(cube(1), [20, 0, 0]), moved(insideOut(cube(1)), [9, 0, 0]));
  assert.deepEqual(found, [
    [-1, 1],
    [8, 10],
    [19.5, 20.5],
  ]);
});

test("orientation tells a cavity from a body, also where all of it is inside out", () => {
  assert.equal(countOf(cube(4), cube(2)), 2, "a body inside another");
  assert.equal(countOf(insideOut(cube(4))), 1);
  assert.equal(countOf(insideOut(cube(4)), cube(2)), 1, "a hollow body inside out");
  assert.equal(countOf(cube(6), insideOut(cube(4)), insideOut(cube(2))), 2, "an inside-out island");
  assert.equal(countOf(cube(4), moved(insideOut(cube(2)), [9, 0, 0])), 2, "an inside-out body beside another");
  assert.equal(countOf(torus(6, 2), insideOut(cube(2))), 2, "one in the hole of a ring is not in it");
});

test("a cavity in a cavity belongs to a body, not to the cavity", () => {
  const shells = [cube(12), cube(11), insideOut(cube(10)), insideOut(cube(8))];
  for (const surface of [meshOf(...shells), combine(shells), combine(shells.toReversed())]) {
    const { count, solidOf } = solidsOf(surface, unwatched);
    assert.equal(count, 2);
    const sizes = [0, 1, NO_SOLID].map((solid) => solidOf.filter((one) => one === solid).length);
    assert.deepEqual(
      sizes.sort((a, b) => a - b),
      [0, 12, 36],
    );
  }
});

test("open bodies are their own, whatever is around them", () => {
  const open = perforated(cube(2), 1, randomFrom(4));
  assert.equal(countOf(open), 1);
  assert.equal(countOf(cube(4), insideOut(open)), 2);
  assert.equal(countOf(open, moved(open, [5, 0, 0])), 2);
  assert.equal(countOf(perforated(cube(4), 1, randomFrom(5)), insideOut(cube(2))), 2);
});

test("facets without area go with a body whose corner they have, and are no bodies", () => {
  const facets = facetsOf(CUBE);
  const second = withFacets(moved(CUBE, [5, 0, 0]), [...facets, [0, 0, 1], [3, 3, 3]]);
  const stray: Surface = { vertices: Float64Array.of(9, 9, 9, 10, 9, 9), triangles: Uint32Array.of(0, 1, 1, 0, 0, 0) };
  const mesh = meshOf(CUBE, second, stray);
  const { count, solidOf } = solidsOf(mesh, unwatched);
  assert.equal(count, 2);
  const sizes = [0, 1, NO_SOLID].map((solid) => solidOf.filter((one) => one === solid).length);
  assert.deepEqual(sizes, [12, 14, 2]);
});
