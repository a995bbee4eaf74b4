import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import type { Mesh, Surface } from "../../src/mesh/mesh.ts";
import { splitIntoBodies, withSolidVolume } from "../../src/repair/solid-volume.ts";
import { cornersOf } from "../fixture/read-model.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { meshOf } from "../fixture/slices.ts";
import { randomFrom } from "../fixture/random.ts";
import { insideOut, moved, perforated, shuffled } from "../fixture/surface-edits.ts";

const split = (mesh: Mesh): readonly Mesh[] => splitIntoBodies(mesh, 100, noProgress).meshes;

/** Each facet as text: the coordinates of its corners from the first on. */
function facetsOf(mesh: Mesh): string[] {
  const corners = cornersOf(mesh);
  return Array.from({ length: corners.length / 9 }, (_, i) => corners.subarray(9 * i, 9 * i + 9).join()).sort();
}

test("each piece equals the mesh of the piece alone, and no facet is lost", () => {
  const random = randomFrom(8);
  for (let run = 0; run < 20; run++) {
    const bodies: Surface[] = Array.from({ length: 2 + Math.floor(4 * random()) }, (_, i) => {
      const body = [box([2, 3, 4]), uvSphere(2, 12, 8), torus(1.5, 0.5, 12, 8)][Math.floor(3 * random())];
      return moved(shuffled(body, random), [10 * i + random(), random(), random()]);
    });
    const mesh = meshOf(...bodies);
    const pieces = split(mesh);
    assert.deepEqual(
      pieces,
      bodies.map((body) => meshOf(body)),
    );
    assert.deepEqual(pieces.flatMap(facetsOf).sort(), facetsOf(mesh));
  }
});

test("cavities stay in their pieces", () => {
  const hollow = [uvSphere(5), insideOut(uvSphere(4)), uvSphere(3), insideOut(uvSphere(2))];
  assert.deepEqual(split(meshOf(...hollow)), [meshOf(...hollow.slice(0, 2)), meshOf(...hollow.slice(2))]);
});

test("a mesh of one body or of too many bodies is not split", () => {
  const one = meshOf(uvSphere(5), insideOut(uvSphere(4)));
  assert.deepEqual(splitIntoBodies(one, 5, noProgress), { count: 1, meshes: [] });
  const three = meshOf(box([1, 1, 1]), moved(box([1, 1, 1]), [2, 0, 0]), moved(box([1, 1, 1]), [4, 0, 0]));
  assert.deepEqual(splitIntoBodies(three, 2, noProgress), { count: 3, meshes: [] });
  assert.equal(splitIntoBodies(three, 3, noProgress).meshes.length, 3);
});

test("pieces of a broken mesh have the volume of their solids", () => {
  const open = perforated(box([2, 2, 2]), 1, randomFrom(3));
  const mesh = withSolidVolume(meshOf(open, moved(box([1, 1, 1]), [5, 0, 0])), noProgress);
  const [first, second] = split(mesh);
  assert.ok(Math.abs(first.solidVolumeMm3! - 8) < 1e-6, String(first.solidVolumeMm3));
  assert.deepEqual([second.volumeMm3, second.solidVolumeMm3], [1, undefined]);
});
