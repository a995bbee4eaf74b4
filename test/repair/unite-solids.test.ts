import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { boxSize } from "../../src/geometry/box.ts";
import { buildBvh } from "../../src/mesh/bvh/bvh.ts";
import { windingField } from "../../src/mesh/bvh/fast-winding-number.ts";
import { isSelfIntersecting } from "../../src/mesh/bvh/self-intersections.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import { describeDefects, meshReport } from "../../src/mesh/mesh-report.ts";
import { type Mesh, type Surface, concatenateSurfaces } from "../../src/mesh/mesh.ts";
import { directedHausdorffMm } from "../../src/repair/remesh-deviation.ts";
import { repair } from "../../src/repair/repair.ts";
import { separateClosedSheets } from "../../src/repair/separate-closed-sheets.ts";
import { uniteSolids } from "../../src/repair/unite-solids.ts";
import { assembly } from "../fixture/assembly.ts";
import { slowCases } from "../fixture/long.ts";
import { randomFrom } from "../fixture/random.ts";
import { box, cylinder, uvSphere } from "../fixture/shapes.ts";
import { insideOut, moved } from "../fixture/surface-edits.ts";

const meshOf = (...surfaces: Surface[]): Mesh => canonicalMesh(concatenateSurfaces(surfaces), 1, noProgress);
const united = async (...surfaces: Surface[]): Promise<Mesh> =>
  meshOf((await uniteSolids(meshOf(...surfaces), noProgress))!);

const assertVolume = (mesh: Mesh, volumeMm3: number): void =>
  assert.ok(Math.abs(mesh.volumeMm3 / volumeMm3 - 1) < 1e-5, `${mesh.volumeMm3} for ${volumeMm3}`);

test("boxes that overlap by half in a grid are united exactly, though most of their faces are inside", async () => {
  const rows = 8;
  const cubes = Array.from({ length: rows ** 2 }, (_, i) =>
    moved(box([10, 10, 10]), [5 * (i % rows), 5 * Math.floor(i / rows), 0]),
  );
  const { mesh, isClosedManifold, deviationMm } = await repair(meshOf(...cubes), noProgress);
  assert.deepEqual([isClosedManifold, deviationMm], [true, undefined]);
  assertVolume(mesh, (5 * rows + 5) ** 2 * 10);
});

test("solids that overlap, or touch in a face, a part of a face or an edge, become one solid", async () => {
  const cube = box([10, 10, 10]);
  const apart = moved(cube, [100, 0, 0]);
  for (const [shift, common] of [
    [[4, 3, 2], 6 * 7 * 8],
    [[10, 0, 0], 0],
    [[10, 2, 3], 0],
    [[4, 0, 0], 600],
  ] as const) {
    assertVolume(await united(cube, moved(cube, shift), apart), 3000 - common);
  }
});

test("cavities stay, and a solid that fills one stays", async () => {
  const hollow = [uvSphere(10), insideOut(uvSphere(6))];
  const shell = uvSphere(10).volume - uvSphere(6).volume;
  // The pin ends in the wall.
  const pin = moved(cylinder(1, 8), [0, 0, 11]);
  const [mesh, withPin] = [await united(...hollow, pin), await united(...hollow, cylinder(1, 30))];
  assert.ok(mesh.volumeMm3 > shell && mesh.volumeMm3 < shell + cylinder(1, 8).volume);
  const [inCavity, outside] = [cylinder(1, 12).volume, cylinder(1, 10).volume];
  assert.ok(Math.abs(withPin.volumeMm3 - shell - inCavity - outside) < 1, `${withPin.volumeMm3 - shell}`);
});

test("bodies that are open, inside out or apart stay unchanged", async () => {
  const cube = box([10, 10, 10]);
  const next = moved(cube, [4, 3, 2]);
  const open = { vertices: next.vertices, triangles: next.triangles.slice(3) };
  for (const other of [insideOut(next), open, moved(cube, [20, 0, 0])]) {
    const mesh = meshOf(cube, other);
    assert.equal(await uniteSolids(mesh, noProgress), mesh);
  }
});

test("closed sheets that share edges are separated", () => {
  const cube = box([10, 10, 10]);
  // Two share an edge, two share a corner, and one touches nothing.
  const mesh = meshOf(cube, moved(cube, [10, 10, 0]), moved(cube, [-10, -10, -10]), moved(cube, [50, 0, 0]));
  assert.deepEqual(describeDefects(meshReport(mesh, noProgress)), ["1 non-manifold edge"]);
  const separate = separateClosedSheets(mesh);
  assert.equal(separate.vertices.length, 3 * 32);
  assert.equal(separateClosedSheets(separate), separate);
});

const SAMPLES = 20_000;

/** The share of random points in the box of a mesh at which its winding number is at least 1, and the same share for another mesh. */
function filledShares(mesh: Mesh, other: Mesh): [number, number] {
  const random = randomFrom(1);
  const size = boxSize(mesh.box);
  const fields = [mesh, other].map((one) => windingField(buildBvh(one, noProgress)));
  const counts = [0, 0];
  for (let i = 0; i < SAMPLES; i++) {
    const [x, y, z] = mesh.box.min.map((least, axis) => least + size[axis] * random());
    fields.forEach((field, k) => (counts[k] += field([x, y, z]) > 0.5 ? 1 : 0));
  }
  return [counts[0] / SAMPLES, counts[1] / SAMPLES];
}

test("each assembly of touching parts becomes one solid in its place, and a second repair changes nothing", async () => {
  for (const [facets, share, seed] of slowCases([
    [3000, 1, 0],
    [6000, 1, 2],
    [20_000, 0.5, 1],
  ] as const)) {
    const mesh = canonicalMesh(assembly(facets, share, seed), 1, noProgress);
    const { mesh: solid, isClosedManifold, deviationMm } = await repair(mesh, noProgress);
    assert.deepEqual([isClosedManifold, deviationMm], [true, undefined]);
    assert.deepEqual(describeDefects(meshReport(solid, noProgress)), []);
    assert.equal(isSelfIntersecting(solid, noProgress), false);
    assert.ok(directedHausdorffMm(buildBvh(mesh, noProgress), solid, noProgress) < 0.01);
    const [before, after] = filledShares(mesh, solid);
    assert.ok(Math.abs(before - after) <= 5 / SAMPLES, `${before} of the box before, ${after} after`);
    assert.equal((await repair({ ...solid }, noProgress)).mesh.hash, solid.hash);
    assert.equal((await repair({ ...mesh }, noProgress)).mesh.hash, solid.hash);
  }
});
