import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../../../src/core/geometry.ts";
import { unwatched } from "../../../../src/core/watch.ts";
import { facetTree } from "../../../../src/mesh/bvh/facet-tree.ts";
import type { Surface } from "../../../../src/mesh/mesh.ts";
import { anglesInCube } from "../../../../src/mesh/repair/remesh/angles-in-cube.ts";
import { visitCubes } from "../../../../src/mesh/repair/remesh/cubes.ts";
import { angleTreeOf, windingOf } from "../../../../src/mesh/repair/solid-angles.ts";
import type { Lattice } from "../../../../src/mesh/voxel/lattice.ts";
import { perforated, randomFrom } from "../../../fixture/altered.ts";
import { uvSphere } from "../../../fixture/shapes.ts";

const random = randomFrom(1);
const HEAP: Surface = {
  vertices: Float64Array.from({ length: 9 * 200 }, () => 100 * random() - 50),
  triangles: Uint32Array.from({ length: 3 * 200 }, (_, i) => i),
};
const SURFACES: Readonly<Record<string, Surface>> = {
  "a heap of large facets": HEAP,
  "a ball of small ones": uvSphere(40, 48, 24),
  "a ball with holes": perforated(uvSphere(40, 32, 16), 100, random),
};
/** No whole number of cubes along any side. */
const latticeAt = (origin: Vec3): Lattice => ({ columns: 13, rows: 7, layers: 9, origin, voxelMm: 0.7 });

for (const [name, surface] of Object.entries(SURFACES)) {
  test(`${name} goes around every voxel as often as all of its facets do, but for a few hundredths`, () => {
    const angles = angleTreeOf(facetTree(surface, unwatched));
    const each = { nodes: [], places: [...angles.tree.facets.keys()] };
    for (let i = 0; i < 6; i++) {
      const lattice = latticeAt([90 * random() - 50, 90 * random() - 50, 90 * random() - 50]);
      const isVisited = new Uint8Array(13 * 7 * 9);
      visitCubes(lattice, unwatched, (cube) => {
        const found = anglesInCube(angles, cube, lattice.voxelMm);
        cube.visitVoxels((at, x, y, z, inCube) => {
          assert.equal(at, (z * lattice.rows + y) * lattice.columns + x);
          isVisited[at]++;
          const place = [x, y, z].map((n, axis) => lattice.origin[axis] + lattice.voxelMm * n) as unknown as Vec3;
          const expected = windingOf(angles, each, place);
          assert.ok(Math.abs(found[inCube] - expected) < 0.04, `${found[inCube]} for ${expected}`);
        });
      });
      assert.ok(isVisited.every((times) => times === 1));
    }
  });
}
