import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { booleanKernel } from "../../../src/mesh/boolean/kernel.ts";
import { solidOf } from "../../../src/mesh/boolean/solid-of.ts";
import { canonicalMesh } from "../../../src/mesh/canonical.ts";
import { blocksAlong, type Field } from "../../../src/mesh/voxel/field.ts";
import { surfaceNets } from "../../../src/mesh/voxel/surface-nets.ts";
import { makeWellComposed } from "../../../src/mesh/voxel/well-composed.ts";
import { faultsOf, survey } from "../../../src/mesh/survey.ts";
import { randomFrom } from "../../fixture/altered.ts";
import { cells, type Size } from "../../fixture/voxels.ts";
import { assertNear } from "../../fixture/workshop.ts";

type Value = (x: number, y: number, z: number) => number;

/** Values in voxels, held within one; below 0 at the sides. */
function fieldOf([columns, rows, layers]: Size, voxelMm: number, valueOf: Value): Field {
  const values = new Int16Array(columns * rows * layers);
  for (const [x, y, z] of cells([columns, rows, layers])) {
    const isSide = [x, y, z].includes(0) || x + 1 === columns || y + 1 === rows || z + 1 === layers;
    const value = isSide ? -1 : Math.max(-1, Math.min(1, valueOf(x, y, z)));
    values[(z * rows + y) * columns + x] = Math.floor(value * 32_767);
  }
  const isCrossed = new Uint8Array(blocksAlong(columns) * blocksAlong(rows) * blocksAlong(layers)).fill(1);
  return { columns, rows, layers, voxelMm, origin: [-3, 2, 5], values, isCrossed };
}

test("noise of any density becomes a closed manifold that the boolean kernel takes", async () => {
  const kernel = await booleanKernel();
  const random = randomFrom(11);
  for (const share of [0.02, 0.2, 0.5, 0.8, 0.97]) {
    for (const size of [
      [9, 8, 7],
      [20, 21, 22],
    ] as const) {
      const field = fieldOf(size, 0.7, () => (random() < share ? 1 : -1) * random());
      const before = Int16Array.from(field.values);
      makeWellComposed(field, unwatched);
      assert.ok(field.values.every((value, i) => value === before[i] || (value === -1 && before[i]! >= 0)));
      const surface = surfaceNets(field, unwatched);
      if (surface.triangles.length === 0) continue;
      const mesh = canonicalMesh(surface, 1, unwatched);
      assert.equal(mesh.vertices.length, surface.vertices.length, "no two vertices meet");
      assert.deepEqual(faultsOf(survey(mesh, unwatched)), [], `${share} of ${size}`);
      solidOf(kernel, mesh).delete();
    }
  }
});

test("a ball that is whole already stays, its surface outward and its volume right", () => {
  const field = fieldOf([40, 40, 40], 0.5, (x, y, z) => 16 - Math.hypot(x - 19.3, y - 19.6, z - 20.1));
  const before = Int16Array.from(field.values);
  makeWellComposed(field, unwatched);
  assert.deepEqual(field.values, before);
  const { volumeMm3, box } = canonicalMesh(surfaceNets(field, unwatched), 1, unwatched);
  const volume = (4 / 3) * Math.PI * 8 ** 3;
  assertNear(volumeMm3, volume, 0.005 * volume);
  assertNear(box.max[0] - box.min[0], 16, 0.03);
  assertNear((box.max[2] + box.min[2]) / 2, 5 + 0.5 * 20.1, 0.01);
});
