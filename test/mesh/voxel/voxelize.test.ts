import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../../src/core/progress.ts";
import type { Vec3 } from "../../../src/geometry/vector.ts";
import { buildBvh } from "../../../src/mesh/bvh/bvh.ts";
import { windingNumber } from "../../../src/mesh/bvh/winding-number.ts";
import { boxOf } from "../../../src/geometry/box.ts";
import { type Surface, concatenateSurfaces } from "../../../src/mesh/mesh.ts";
import { type VoxelGrid, cornersInVoxels, voxelGridOver } from "../../../src/mesh/voxel/voxel-grid.ts";
import { voxelizeInterior } from "../../../src/mesh/voxel/voxelize-interior.ts";
import { voxelizeSurface } from "../../../src/mesh/voxel/voxelize-surface.ts";
import { cornersOfFacets, distanceToFacet } from "../../fixture/facet-distance.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../../fixture/shapes.ts";
import { randomFrom } from "../../fixture/random.ts";
import { insideOut, moved } from "../../fixture/surface-edits.ts";

const SHAPES: Readonly<Record<string, Surface>> = {
  box: box([4, 5, 6]),
  "box on the grid": box([4, 4, 4]),
  tetrahedron: tetrahedron(7),
  sphere: uvSphere(3, 20, 12),
  torus: torus(4, 1.5, 24, 12),
  cylinder: cylinder(2, 5, 16),
  "hollow box": concatenateSurfaces([box([6, 6, 6]), insideOut(box([3, 3, 3]))]),
  "boxes that overlap": concatenateSurfaces([box([4, 4, 4]), moved(box([4, 4, 4]), [1.3, 0.7, 1.1])]),
};

const gridsOver = (surface: Surface): VoxelGrid[] =>
  [0.5, 0.37].map((mm) => voxelGridOver(boxOf(surface.vertices), mm));

const centreOf = ({ origin, voxelMm, columns, rows }: VoxelGrid, voxel: number): Vec3 => {
  const row = Math.floor(voxel / columns);
  const [x, y, z] = [voxel - row * columns, row % rows, Math.floor(row / rows)];
  return [origin[0] + voxelMm * x, origin[1] + voxelMm * y, origin[2] + voxelMm * z];
};

test("a voxel is inside if the winding number at its centre is positive", () => {
  for (const [name, surface] of Object.entries(SHAPES)) {
    const tree = buildBvh({ ...surface, vertices: Float32Array.from(surface.vertices) }, noProgress);
    for (const grid of gridsOver(surface)) {
      const isInside = voxelizeInterior(cornersInVoxels(surface, grid), grid, noProgress);
      const facets = cornersOfFacets(surface);
      let counted = 0;
      for (const [voxel, value] of isInside.entries()) {
        const centre = centreOf(grid, voxel);
        const expected = windingNumber(tree, centre) > 0 ? 1 : 0;
        // On the surface both results are right.
        if (value !== expected && Math.min(...facets.map((facet) => distanceToFacet(centre, facet))) < 1e-5) continue;
        assert.equal(value, expected, `${name} at ${centre}`);
        counted += value;
      }
      assert.ok(counted > 20, name);
    }
  }
});

test("the voxels of a facet contain all of its points, and each is near the facet", () => {
  const random = randomFrom(3);
  for (const [name, surface] of Object.entries(SHAPES)) {
    const facets = cornersOfFacets(surface);
    for (const grid of gridsOver(surface)) {
      const { columns, rows, origin, voxelMm } = grid;
      const touches = voxelizeSurface(cornersInVoxels(surface, grid), grid, noProgress);
      const touched = new Set(Array.from(touches.voxels, (voxel, i) => `${voxel} ${touches.facets[i]}`));
      assert.equal(touched.size, touches.voxels.length, `${name}: each once`);
      for (const [i, voxel] of touches.voxels.entries()) {
        const distance = distanceToFacet(centreOf(grid, voxel), facets[touches.facets[i]]);
        assert.ok(distance <= (Math.sqrt(3) / 2) * voxelMm + 1e-5, `${name}: ${distance}`);
      }
      for (let sample = 0; sample < 2000; sample++) {
        const facet = Math.floor(random() * facets.length);
        const [a, b, c] = facets[facet];
        const [v, w] = [random(), random()].sort();
        const place = [0, 1, 2].map((k) => {
          const at = a[k] + v * (b[k] - a[k]) + (1 - w) * (c[k] - a[k]);
          return (at - origin[k]) / voxelMm;
        });
        // Near a wall between voxels both voxels are right.
        if (place.some((at) => Math.abs(at - Math.floor(at) - 0.5) < 1e-4)) continue;
        const [x, y, z] = place.map(Math.round);
        assert.ok(touched.has(`${(z * rows + y) * columns + x} ${facet}`), `${name}: ${place}`);
      }
    }
  }
});
