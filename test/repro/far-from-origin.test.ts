import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { boxCentre, boxOf, boxSize } from "../../src/geometry/box.ts";
import { ORIGIN, type Vec3, add } from "../../src/geometry/vector.ts";
import { canonicalMesh } from "../../src/mesh/canonical-mesh.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import { importFile } from "../../src/feature/import/import-file.ts";
import { amfFile } from "../fixture/amf-file.ts";
import { glb, gltfParts } from "../fixture/gltf-file.ts";
import { objText } from "../fixture/obj-file.ts";
import { offText } from "../fixture/off-file.ts";
import { asciiPly, binaryPly } from "../fixture/ply-file.ts";
import { box, uvSphere } from "../fixture/shapes.ts";
import { asciiStl } from "../fixture/stl-file.ts";
import { temporaryFiles } from "../fixture/temporary-files.ts";
import { threeMf } from "../fixture/three-mf-file.ts";

// Single precision rounded coordinates before anything was subtracted: 0.8 mm at 1e5 mm came out 3 % off.

const file = temporaryFiles();
const OPTIONS = { chordalToleranceMm: 0.01, angleToleranceDeg: 5 };
const moved = ({ vertices, triangles }: Surface, by: Vec3): Surface => ({
  vertices: Float64Array.from(vertices, (value, i) => value + by[i % 3]),
  triangles,
});

/** Writers of a file with a surface that is moved, by extension. */
const FILES: Readonly<Record<string, (surface: Surface, by: Vec3) => string | Uint8Array>> = {
  "ascii.stl": (surface, by) => asciiStl(moved(surface, by)),
  "text.obj": (surface, by) => objText(moved(surface, by)),
  "text.off": (surface, by) => offText(moved(surface, by)),
  "text.ply": (surface, by) => asciiPly(moved(surface, by)),
  "double.ply": (surface, by) => binaryPly(moved(surface, by), true),
  "mesh.3mf": (surface, by) => threeMf([{ surface: moved(surface, by) }]),
  "mesh.amf": (surface, by) => amfFile(moved(surface, by)),
  // In metres, with y up.
  "node.glb": (surface, [x, y, z]) =>
    glb(
      gltfParts([surface], [{ mesh: 0, scale: [0.001, 0.001, 0.001], translation: [x / 1000, z / 1000, -y / 1000] }]),
    ),
};

const importOf = async (name: string, content: string | Uint8Array) => {
  const request = { file: file(name, content), repairBehavior: "ERROR" as const, split: false, options: OPTIONS };
  const { parts } = await importFile(request, noProgress);
  return parts[0];
};

const near = (given: Vec3, wanted: Vec3, within: number): void =>
  given.forEach((value, axis) => assert.ok(Math.abs(value - wanted[axis]) <= within, `${given} is not ${wanted}`));

for (const [name, write] of Object.entries(FILES)) {
  test(`${name}: a part keeps its size and facets at any distance from the origin`, async () => {
    for (const shape of [uvSphere(0.4, 12, 6), box([30, 20, 10])]) {
      const atOrigin = await importOf(name, write(shape, ORIGIN));
      const wanted = boxSize(atOrigin.mesh.box);
      assert.equal(atOrigin.originMm, undefined);
      for (const by of [1e3, 1e5, 9e5, 1e6 - 30].flatMap((far): Vec3[] => [
        [far, 0, 0],
        [-far, far / 3, far],
      ])) {
        const { mesh, originMm = ORIGIN } = await importOf(name, write(shape, by));
        assert.equal(mesh.triangles.length, atOrigin.mesh.triangles.length, `${by}`);
        near(boxSize(mesh.box), wanted, 1e-6 * Math.max(...wanted));
        const centre = add(boxCentre(mesh.box), originMm);
        near(centre, add(boxCentre(atOrigin.mesh.box), by), 1e-6 * Math.max(...wanted));
      }
    }
  });
}

test("coordinates that single precision holds well enough are stored as they are", async () => {
  for (const by of [
    [150, 100, 499 - 30],
    [0, 0, 0],
    [7, -80, 3],
  ] satisfies Vec3[]) {
    const surface = moved(box([30, 20, 10]), by);
    const { mesh, originMm } = await importOf("near.stl", asciiStl(surface));
    assert.equal(originMm, undefined);
    assert.equal(mesh.hash, canonicalMesh(surface, 1, noProgress).hash);
  }
  const large = moved(box([900, 800, 700]), [5000, 0, 0]);
  const { mesh, originMm } = await importOf("large.obj", objText(large));
  assert.equal(originMm, undefined);
  assert.equal(mesh.hash, canonicalMesh(large, 1, noProgress).hash);
});

test("parts that are combined far from the origin keep their distances", async () => {
  const objects = [0, 3].map((x) => ({ surface: moved(box([1, 1, 1]), [2e5 + x, 1e5, 0]) }));
  const { mesh, originMm = ORIGIN } = await importOf("two.3mf", threeMf(objects));
  near(boxSize(mesh.box), [4, 1, 1], 1e-6);
  near(add(mesh.box.min, originMm), boxOf(objects[0].surface.vertices).min, 1e-6);
});
