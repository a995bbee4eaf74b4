import assert from "node:assert/strict";
import { test } from "node:test";
import { concatenateSurfaces } from "../../../src/mesh/mesh.ts";
import { removeThinBodies } from "../../../src/repair/arrangement/cut-self-intersections.ts";
import { box } from "../../fixture/shapes.ts";
import { facetsOf, insideOut, withFacets } from "../../fixture/surface-edits.ts";

const THIN_MM = 1e-3;
const old = box([10, 10, 10]);
const facets = facetsOf(old).length;
const firstNew = old.vertices.length / 3;

test("closed thin new bodies are removed, with either orientation", () => {
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
