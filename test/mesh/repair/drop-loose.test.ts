import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { canonicalMesh } from "../../../src/mesh/canonical.ts";
import { combine } from "../../../src/mesh/combine.ts";
import type { Surface } from "../../../src/mesh/mesh.ts";
import { dropDuplicates } from "../../../src/mesh/repair/drop-duplicates.ts";
import { dropLoose } from "../../../src/mesh/repair/drop-loose.ts";
import { fillHoles } from "../../../src/mesh/repair/fill-holes.ts";
import { facetsOf, perforated, randomFrom, withFacets } from "../../fixture/altered.ts";
import { uvSphere } from "../../fixture/shapes.ts";

test("what goes is what a fill would have taken along, and nothing else", () => {
  const random = randomFrom(2);
  const loose: Surface = {
    vertices: Float64Array.from({ length: 9 * 40 }, () => 60 * random() - 30),
    triangles: Uint32Array.from({ length: 3 * 40 }, (_, i) => i),
  };
  const holed = perforated(uvSphere(10), 20, random);
  const mesh = canonicalMesh(combine([holed, loose]), 1, unwatched);
  const dropped = dropLoose(mesh);
  assert.equal(dropped.triangles.length, holed.triangles.length);
  const filled = (surface: Surface): string =>
    canonicalMesh(dropDuplicates(fillHoles(surface, unwatched), unwatched), 1, unwatched).hash;
  assert.equal(filled(dropped), filled(mesh));
});

test("a facet that has but a corner in common with others stays", () => {
  const ball = canonicalMesh(uvSphere(10), 1, unwatched);
  const [first] = facetsOf(ball);
  const last = ball.vertices.length / 3;
  const flag: Surface = {
    vertices: Float64Array.from([...ball.vertices, 30, 0, 0, 30, 1, 0]),
    triangles: Uint32Array.from([...ball.triangles, first![0], last, last + 1]),
  };
  assert.equal(dropLoose(flag), flag);
  assert.equal(dropLoose(withFacets(flag, facetsOf(flag).slice(-1))).triangles.length, 0);
});
