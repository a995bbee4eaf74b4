import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { add, times, type Vec3 } from "../../src/geometry/vector.ts";
import { buildBvh } from "../../src/mesh/bvh/bvh.ts";
import { distanceToSurface } from "../../src/mesh/bvh/closest-point.ts";
import { fastWindingNumber, windingBvh } from "../../src/mesh/bvh/fast-winding-number.ts";
import type { Surface } from "../../src/mesh/mesh.ts";
import type { VoxelGrid } from "../../src/mesh/voxel/voxel-grid.ts";
import { distancesNear, visitVoxelCubes, windingNumbersInCube } from "../../src/repair/voxel-cubes.ts";
import { uvSphere } from "../fixture/shapes.ts";
import { randomFrom } from "../fixture/random.ts";
import { perforated } from "../fixture/surface-edits.ts";

const random = randomFrom(1);
const PILE: Surface = {
  vertices: Float64Array.from({ length: 9 * 200 }, () => 100 * random() - 50),
  triangles: Uint32Array.from({ length: 3 * 200 }, (_, i) => i),
};
const SURFACES: Readonly<Record<string, Surface>> = {
  "a pile of large facets": PILE,
  "a ball of small ones": uvSphere(40, 48, 24),
  "a ball with holes": perforated(uvSphere(40, 32, 16), 100, random),
};
/** A grid whose sides are not multiples of a cube. */
const latticeAt = (origin: Vec3): VoxelGrid => ({ columns: 13, rows: 7, layers: 9, origin, voxelMm: 0.7 });

for (const [name, surface] of Object.entries(SURFACES)) {
  test(`${name} has the exact winding number at each voxel, within 0.04`, () => {
    const angles = windingBvh(buildBvh(surface, noProgress));
    const each = { nodes: [], slots: [...angles.tree.facets.keys()] };
    for (let i = 0; i < 6; i++) {
      const lattice = latticeAt([90 * random() - 50, 90 * random() - 50, 90 * random() - 50]);
      const visitsOf = new Uint8Array(13 * 7 * 9);
      visitVoxelCubes(lattice, noProgress, (cube) => {
        const found = windingNumbersInCube(angles, cube, lattice.voxelMm);
        cube.visitVoxels((at, x, y, z, inCube) => {
          assert.equal(at, (z * lattice.rows + y) * lattice.columns + x);
          visitsOf[at]++;
          const place = add(lattice.origin, times([x, y, z], lattice.voxelMm));
          const expected = fastWindingNumber(angles, each, place);
          assert.ok(Math.abs(found[inCube] - expected) < 0.04, `${found[inCube]} for ${expected}`);
        });
      });
      assert.ok(visitsOf.every((visits) => visits === 1));
    }
  });
}

test("distances near a point are those of the whole tree", () => {
  const random = randomFrom(2);
  const pile = {
    vertices: Float64Array.from({ length: 9 * 60 }, () => 20 * random() - 10),
    triangles: Uint32Array.from({ length: 3 * 60 }, (_, i) => i),
  };
  let nearer = 0;
  for (const surface of [pile, uvSphere(8, 128, 64), uvSphere(8, 6, 3)]) {
    const tree = buildBvh(surface, noProgress);
    for (let i = 0; i < 200; i++) {
      const middle: Vec3 = [20 * random() - 10, 20 * random() - 10, 20 * random() - 10];
      const [radiusMm, limitMm] = [random(), 2 * random()];
      const distance = distancesNear(tree, middle, radiusMm + limitMm);
      for (let k = 0; k < 10; k++) {
        const offset: Vec3 = [2 * random() - 1, 2 * random() - 1, 2 * random() - 1];
        const point = add(middle, times(offset, radiusMm / 2));
        const expected = distanceToSurface(tree, point, limitMm);
        // Facets at equal distances differ in the last bit.
        assert.ok(Math.abs(distance(point, limitMm) - expected) < 1e-14, `${distance(point, limitMm)}`);
        if (expected < limitMm) nearer++;
      }
    }
  }
  assert.ok(nearer > 500, `${nearer}`);
});
