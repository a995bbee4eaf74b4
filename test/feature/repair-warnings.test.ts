import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { repairWarnings } from "../../src/feature/repair/repair-warnings.ts";
import { box } from "../fixture/shapes.ts";

const mesh = canonicalMesh(box([10, 10, 10]), 1, noProgress);
const defects = ["facets that cross one another"];

test("the warning of a refused remesh states both volumes at the scale of the model, and that slices are correct", () => {
  const refused = { remeshedMm3: 250, enclosedMm3: 500 };
  const [warning, ...more] = repairWarnings("The model", { mesh, isClosedManifold: false, defects, refused }, 2);
  assert.deepEqual(more, []);
  assert.match(warning, /^The model was not repaired and stays as it was: .* 4\.00 ml would become 2\.00 ml\./);
  assert.match(warning, /It has facets that cross one another\. It is closed, and its slices are correct/);
});

test("a repair without loss has no warning, and the warning of a remesh states its deviation and the change of volume", () => {
  assert.deepEqual(repairWarnings("The model", { mesh, isClosedManifold: true }), []);
  const [warning] = repairWarnings("The model", { mesh, isClosedManifold: true, deviationMm: 0.25, enclosedMm3: 990 });
  assert.match(
    warning,
    /up to 0\.250 mm away from the old one, and encloses 1\.00 ml where its facets enclosed 990 mm³/,
  );
});
