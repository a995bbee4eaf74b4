import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import { boxOf } from "../../src/geometry/box.ts";
import type { Vec3 } from "../../src/geometry/vector.ts";
import { buildBvh } from "../../src/mesh/bvh/bvh.ts";
import { windingField } from "../../src/mesh/bvh/fast-winding-number.ts";
import { concatenateSurfaces, filterFacets, type Surface } from "../../src/mesh/mesh.ts";
import { voxelGridOver } from "../../src/mesh/voxel/voxel-grid.ts";
import { crossesTooOften, isClosed, rowWindings } from "../../src/repair/row-windings.ts";
import { box, torus, uvSphere } from "../fixture/shapes.ts";
import { moved } from "../fixture/surface-edits.ts";

const SHAPES: readonly Surface[] = [
  concatenateSurfaces([uvSphere(10, 16, 8), moved(uvSphere(8, 12, 9), [6, 3, 1]), moved(box([9, 7, 30]), [1, 2, 3])]),
  concatenateSurfaces([torus(9, 3, 20, 10), moved(torus(9, 3, 20, 10), [4, 0, 1])]),
];

test("winding numbers by rows equal the sums over all facets, also with facets on rows", () => {
  for (const surface of SHAPES) {
    assert.ok(isClosed(surface));
    const grid = voxelGridOver(boxOf(surface.vertices), 1.37);
    const windings = rowWindings(surface, grid, noProgress);
    const windingNumberAt = windingField(buildBvh(surface, noProgress));
    let different = 0;
    windings.forEach((winding, at) => {
      const [x, y] = [at % grid.columns, Math.floor(at / grid.columns) % grid.rows];
      const z = Math.floor(at / (grid.columns * grid.rows));
      const point = [x, y, z].map((index, axis) => grid.origin[axis] + grid.voxelMm * index) as unknown as Vec3;
      const exact = windingNumberAt(point);
      // On a facet the sum is a half. The row has crossed the facet or has not.
      if (Math.abs(exact - Math.round(exact)) < 0.1 && Math.round(exact) !== winding) different++;
    });
    assert.equal(different, 0);
  }
  // Edges and faces of this box are on rows of voxels.
  const cube = box([4, 4, 4]);
  const grid = voxelGridOver({ min: [-4, -4, -4], max: [4, 4, 4] }, 1);
  const windings = rowWindings(cube, grid, noProgress);
  assert.equal(
    windings.reduce((sum, one) => sum + one, 0),
    64,
  );
});

test("an open surface, and one whose facets cross too many rows, are recognised", () => {
  const cube = box([10, 10, 10]);
  assert.equal(isClosed(filterFacets(cube, (facet) => facet > 0)), false);
  assert.equal(crossesTooOften(cube, voxelGridOver(boxOf(cube.vertices), 1)), false);
  assert.equal(crossesTooOften(cube, { ...voxelGridOver(boxOf(cube.vertices), 1), voxelMm: 1e-4 }), true);
});
