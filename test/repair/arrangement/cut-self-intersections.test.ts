import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import { buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import { windingField } from "../../../src/mesh/bvh/fast-winding-number.ts";
import { intersectingPairs } from "../../../src/mesh/bvh/self-intersections.ts";
import { concatenateSurfaces, type Mesh, type Surface, triangleCount } from "../../../src/mesh/mesh.ts";
import { cutSelfIntersections, removeThinBodies } from "../../../src/repair/arrangement/cut-self-intersections.ts";
import { box } from "../../fixture/shapes.ts";
import { facetsOf, insideOut, withFacets } from "../../fixture/surface-edits.ts";
import { wrinkledDisc } from "../../fixture/wrinkled.ts";

const THIN_MM = 1e-3;
const old = box([10, 10, 10]);
const facets = facetsOf(old).length;
const firstNew = old.vertices.length / 3;

test("closed thin new bodies are removed, whatever their orientation", () => {
  for (const speck of [box([1, 1, 0.9e-3]), insideOut(box([1, 1, 0.9e-3])), box([2e-3, 2e-3, 2e-4])]) {
    assert.equal(facetsOf(removeThinBodies(concatenateSurfaces([old, speck]), firstNew, THIN_MM)).length, facets);
  }
});

test("thicker, open and old bodies stay", () => {
  const plate = box([1, 1, 1.1e-3]);
  const thin = box([1, 1, 0.5e-3]);
  const open = withFacets(thin, facetsOf(thin).slice(1));
  for (const kept of [plate, insideOut(plate), open]) {
    const both = concatenateSurfaces([old, kept]);
    assert.equal(removeThinBodies(both, firstNew, THIN_MM), both);
  }
  const allOld = concatenateSurfaces([old, thin]);
  assert.equal(removeThinBodies(allOld, allOld.vertices.length / 3, THIN_MM), allOld);
});

test("a cut is refused if most of its pieces are narrower than the tolerance, unless these are few", () => {
  const cutWithin = (mesh: Mesh, toleranceMm: number): Surface | undefined => {
    const tree = buildBvh(mesh, noProgress);
    const pairs = intersectingPairs(tree, noProgress)!;
    return cutSelfIntersections(mesh, pairs, windingField(tree), toleranceMm, toleranceMm, noProgress);
  };
  const [few, many] = [wrinkledDisc(1, 0.02, 0.02), wrinkledDisc(3, 0.02, 0.02)];
  // Rings 0.02 mm apart: few of their pieces are narrower than a nanometre, nearly all are narrower than 10 µm.
  assert.ok(triangleCount(cutWithin(many, 1e-6)!) > triangleCount(many) + 1000);
  assert.equal(cutWithin(many, 0.01), undefined);
  assert.notEqual(cutWithin(few, 0.01), undefined);
});
