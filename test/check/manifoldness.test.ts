import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { type Manifoldness, manifoldnessOf } from "../../src/check/manifoldness.ts";
import { noProgress } from "../../src/core/progress.ts";
import { objReader } from "../../src/format/obj.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { READ_OPTIONS } from "../fixture/read-model.ts";
import { box, cylinder, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { facetsOf, insideOut, moved, surfaceOfStl, unwelded, withFacets } from "../fixture/surface-edits.ts";

const SOUND: Manifoldness = {
  isManifold: true,
  openEdgeCount: 0,
  nonManifoldEdgeCount: 0,
  degenerateFaceCount: 0,
  invertedBodyCount: 0,
  selfIntersecting: false,
};
const BROKEN: Manifoldness = { ...SOUND, isManifold: false };
const of = (...surfaces: Surface[]): Manifoldness => manifoldnessOf(meshOf(...surfaces), noProgress);

const CUBE = box([2, 2, 2]);

test("closed bodies are manifold: alone, side by side and hollow", () => {
  for (const body of [CUBE, uvSphere(5), torus(5, 2), cylinder(3, 9), unwelded(uvSphere(5))]) {
    assert.deepEqual(of(body), SOUND);
    assert.deepEqual(of(body, moved(body, [20, 0, 0])), SOUND);
  }
  assert.deepEqual(of(uvSphere(5), insideOut(uvSphere(4)), uvSphere(3)), SOUND);
});

test("bodies that touch at a corner are manifold, those that touch along an edge are not", () => {
  assert.deepEqual(of(CUBE, moved(CUBE, [2, 2, 2])), SOUND);
  assert.deepEqual(of(CUBE, moved(CUBE, [2, 2, 0])), { ...BROKEN, nonManifoldEdgeCount: 1 });
  const faceOnFace = of(CUBE, moved(CUBE, [2, 0, 0]));
  assert.deepEqual(faceOnFace, { ...BROKEN, nonManifoldEdgeCount: 5, selfIntersecting: true });
});

test("the edges of a hole are open edges", () => {
  assert.deepEqual(of({ ...CUBE, triangles: CUBE.triangles.slice(3) }), { ...BROKEN, openEdgeCount: 3 });
});

test("facets and bodies that face the wrong way are not manifold", () => {
  const [[a, b, c], ...others] = facetsOf(CUBE);
  assert.deepEqual(of(withFacets(CUBE, [[a, c, b], ...others])), BROKEN);
  assert.deepEqual(of(insideOut(CUBE)), { ...BROKEN, invertedBodyCount: 1 });
  assert.deepEqual(of(CUBE, moved(insideOut(CUBE), [5, 0, 0])), { ...BROKEN, invertedBodyCount: 1 });
});

test("facets without area are counted and leave a closed body manifold", () => {
  // A vertex on the edge from corner 0 to corner 1: two facets meet there on one side, a degenerate facet on the other.
  const [x, y, z] = CUBE.vertices;
  const vertices = Float64Array.of(...CUBE.vertices, x + 1, y, z);
  const [from, to, onIt] = [0, 1, 8];
  const isAlong = (facet: readonly number[]): boolean =>
    facet.some((corner, k) => corner === from && facet[(k + 1) % 3] === to);
  const facets = facetsOf(CUBE).flatMap((facet) => {
    if (!isAlong(facet)) return [facet];
    const apex = facet.find((corner) => corner !== from && corner !== to)!;
    return [
      [from, onIt, apex],
      [onIt, to, apex],
      [from, to, onIt],
    ] as const;
  });
  const flat = withFacets({ vertices }, [...facets, [3, 3, 5]]);
  assert.deepEqual(of(flat), { ...SOUND, degenerateFaceCount: 2 });
});

test("a duplicate facet is not manifold", () => {
  const facets = facetsOf(CUBE);
  const found = of(withFacets(CUBE, [...facets, facets[0]]));
  assert.deepEqual(found, { ...BROKEN, nonManifoldEdgeCount: 3, selfIntersecting: true });
});

test("bodies that intersect, and no others, are self-intersecting", () => {
  assert.deepEqual(of(uvSphere(5), moved(uvSphere(5), [3, 1, 2])), { ...SOUND, selfIntersecting: true });
  assert.deepEqual(of(torus(6, 2), uvSphere(5)), { ...SOUND, selfIntersecting: true });
  assert.deepEqual(of(torus(6, 1), uvSphere(4)), SOUND);
  assert.deepEqual(of(uvSphere(5), uvSphere(3)), SOUND, "a body inside another crosses nothing");
});

const corpus = (name: string): string => fileURLToPath(new URL(`../fixture/corpus/${name}`, import.meta.url));
const stlOf = (name: string): Surface => surfaceOfStl(readFileSync(corpus(name)));

test("files of the corpus have the expected defects", async () => {
  for (const name of ["thingi-65004.stl", "thingi-472042.stl", "thingi-520644.stl", "mf-hull-body-x0.35.stl"]) {
    assert.deepEqual(of(stlOf(name)), SOUND, name);
  }
  // 12 facets without common edges, with three edges each.
  assert.deepEqual(of(stlOf("gen-65004-holes12.stl")), { ...BROKEN, openEdgeCount: 36 });
  assert.deepEqual(of(stlOf("gen-472042-flip30.stl")), BROKEN);
  // 42 facets with a repeated corner, as an independent count gives, and two with collinear corners.
  assert.deepEqual(of(stlOf("mf-Offset1-x0.04.stl")), {
    ...BROKEN,
    nonManifoldEdgeCount: 28,
    degenerateFaceCount: 44,
    selfIntersecting: true,
  });
  const { parts } = await objReader.read(corpus("mf-openscad-nonmanifold-crash.obj"), READ_OPTIONS, noProgress);
  assert.deepEqual(of(parts[0].surface), {
    ...BROKEN,
    nonManifoldEdgeCount: 18,
    degenerateFaceCount: 1,
    selfIntersecting: true,
  });
});
