import assert from "node:assert/strict";
import { test } from "node:test";
import { combine } from "../../../../src/mesh/combine.ts";
import { dropSpecks } from "../../../../src/mesh/repair/arrange/drop-specks.ts";
import { facetsOf, insideOut, withFacets } from "../../../fixture/altered.ts";
import { box } from "../../../fixture/shapes.ts";

const THIN_MM = 1e-3;
const old = box([10, 10, 10]);
const facets = facetsOf(old).length;
const firstNew = old.vertices.length / 3;

test("closed bodies that are new and thinner go, whichever way they face", () => {
  for (const speck of [box([1, 1, 0.9e-3]), insideOut(box([1, 1, 0.9e-3])), box([2e-3, 2e-3, 2e-4])]) {
    assert.equal(facetsOf(dropSpecks(combine([old, speck]), firstNew, THIN_MM)).length, facets);
  }
});

test("thicker ones, open ones and those that were there before stay", () => {
  const plate = box([1, 1, 1.1e-3]);
  const thin = box([1, 1, 0.5e-3]);
  const open = withFacets(thin, facetsOf(thin).slice(1));
  for (const kept of [plate, insideOut(plate), open]) {
    const both = combine([old, kept]);
    assert.equal(dropSpecks(both, firstNew, THIN_MM), both);
  }
  const allOld = combine([old, thin]);
  assert.equal(dropSpecks(allOld, allOld.vertices.length / 3, THIN_MM), allOld);
});
