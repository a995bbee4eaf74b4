import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { type Mesh, type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { joinFaces } from "../../src/repair/join-faces.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, cylinder, torus, uvSphere } from "../fixture/shapes.ts";
import { facetsOf, insideOut, partlyFlipped, perforated, unwelded, withFacets } from "../fixture/surface-edits.ts";

const meshOf = (surface: Surface): Mesh => canonicalMesh(surface, 1, noProgress);
const defectsOf = (mesh: Mesh): string[] => describeDefects(meshReport(mesh, noProgress));

/** A face of the cube of edge length `size`: a fan around its middle, with `steps` segments along each border. */
function fan(size: number, axis: number, isFar: boolean, steps: number): Surface {
  const at = (u: number, v: number): Vec3 => {
    const point = [0, 0, 0];
    point[axis] = isFar ? size : 0;
    point[(axis + 1) % 3] = u * size;
    point[(axis + 2) % 3] = v * size;
    return point as unknown as Vec3;
  };
  const sides = Array.from({ length: steps }, (_, i) => i / steps);
  const border = [
    ...sides.map((t) => at(t, 0)),
    ...sides.map((t) => at(1, t)),
    ...sides.map((t) => at(1 - t, 1)),
    ...sides.map((t) => at(0, 1 - t)),
  ];
  const triangles = border.flatMap((_, i) => [0, i + 1, ((i + 1) % border.length) + 1]);
  return { vertices: Float64Array.from([at(0.5, 0.5), ...border].flat()), triangles: Uint32Array.from(triangles) };
}

for (const [name, surface] of Object.entries({
  box: box([10, 20, 30]),
  cylinder: cylinder(5, 10),
  sphere: uvSphere(15, 32, 16),
  torus: torus(10, 3),
})) {
  test(`a ${name} of separate facets, with any orientation and gaps from rounding, is joined to the original`, () => {
    const random = randomFrom(7);
    const apart = meshOf(partlyFlipped(unwelded(surface, 1e-6, random), 0.3, random));
    assert.notDeepEqual(defectsOf(apart), []);
    const joined = joinFaces(apart, undefined, noProgress).mesh;
    assert.deepEqual(defectsOf(joined), []);
    const whole = meshOf(surface);
    assert.equal(joined.triangles.length, whole.triangles.length);
    assert.ok(Math.abs(joined.volumeMm3 / whole.volumeMm3 - 1) < 1e-5);
  });
}

test("faces whose borders have different vertices on the same line are joined", () => {
  const faces = [0, 1, 2].flatMap((axis) => [fan(10, axis, false, axis + 1), fan(10, axis, true, 4 - axis)]);
  const joined = joinFaces(meshOf(concatenateSurfaces(faces)), undefined, noProgress).mesh;
  assert.deepEqual(defectsOf(joined), []);
  assert.ok(Math.abs(joined.volumeMm3 - 1000) < 1e-6);
});

test("a hole stays open", () => {
  const holed = meshOf(perforated(uvSphere(15, 32, 16), 3, randomFrom(3)));
  const joined = joinFaces(holed, undefined, noProgress).mesh;
  assert.match(defectsOf(joined).join(), /open edges/);
  assert.equal(joined.triangles.length, holed.triangles.length);
});

test("a mesh without defects stays the same object", () => {
  const mesh = meshOf(torus(10, 3));
  assert.equal(joinFaces(mesh, undefined, noProgress).mesh, mesh);
});

test("facets back to back are not a defect, and a sheet with two sides stays", () => {
  const whole = box([10, 20, 30]);
  const flaps = withFacets(whole, [...facetsOf(whole), [0, 3, 6], [0, 6, 3]]);
  const joined = joinFaces(meshOf(flaps), undefined, noProgress).mesh;
  assert.deepEqual(defectsOf(joined), []);
  assert.equal(joined.hash, meshOf(whole).hash);
  const sheet = withFacets(whole, [facetsOf(whole)[0], facetsOf(insideOut(whole))[0]]);
  assert.equal(joinFaces(meshOf(sheet), undefined, noProgress).mesh.triangles.length, 6);
});
