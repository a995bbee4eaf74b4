import assert from "node:assert/strict";
import { test } from "node:test";
import type { Vec3 } from "../../../src/core/geometry.ts";
import { unwatched } from "../../../src/core/watch.ts";
import { facetTree } from "../../../src/mesh/bvh/facet-tree.ts";
import { windingNumber } from "../../../src/mesh/bvh/winding-number.ts";
import { combine } from "../../../src/mesh/combine.ts";
import { boxOf } from "../../../src/mesh/measure.ts";
import type { Surface } from "../../../src/mesh/mesh.ts";
import { insideVoxels } from "../../../src/mesh/voxel/inside-voxels.ts";
import { cornersOnLattice, type Lattice, latticeOver } from "../../../src/mesh/voxel/lattice.ts";
import { touchedVoxels } from "../../../src/mesh/voxel/touched-voxels.ts";
import { insideOut, moved, randomFrom } from "../../fixture/altered.ts";
import { cornersOfFacets, distanceToFacet } from "../../fixture/facet-distance.ts";
import { box, cylinder, tetrahedron, torus, uvSphere } from "../../fixture/shapes.ts";

const SHAPES: Readonly<Record<string, Surface>> = {
  box: box([4, 5, 6]),
  "box on the lattice": box([4, 4, 4]),
  tetrahedron: tetrahedron(7),
  sphere: uvSphere(3, 20, 12),
  torus: torus(4, 1.5, 24, 12),
  cylinder: cylinder(2, 5, 16),
  "hollow box": combine([box([6, 6, 6]), insideOut(box([3, 3, 3]))]),
  "boxes that overlap": combine([box([4, 4, 4]), moved(box([4, 4, 4]), [1.3, 0.7, 1.1])]),
};

const overs = (surface: Surface): Lattice[] => [0.5, 0.37].map((mm) => latticeOver(boxOf(surface.vertices), mm));

const middleOf = ({ origin, voxelMm, columns, rows }: Lattice, voxel: number): Vec3 => {
  const row = Math.floor(voxel / columns);
  const place = [voxel - row * columns, row % rows, Math.floor(row / rows)];
  return [0, 1, 2].map((axis) => origin[axis]! + voxelMm * place[axis]!) as unknown as Vec3;
};

test("voxels are inside where the surface goes around their middles", () => {
  for (const [name, surface] of Object.entries(SHAPES)) {
    const tree = facetTree({ ...surface, vertices: Float32Array.from(surface.vertices) }, unwatched);
    for (const lattice of overs(surface)) {
      const isInside = insideVoxels(cornersOnLattice(surface, lattice), lattice, unwatched);
      const facets = cornersOfFacets(surface);
      let counted = 0;
      for (const [voxel, value] of isInside.entries()) {
        const middle = middleOf(lattice, voxel);
        const expected = windingNumber(tree, middle) > 0 ? 1 : 0;
        // On the surface either will do.
        if (value !== expected && Math.min(...facets.map((facet) => distanceToFacet(middle, facet))) < 1e-5) continue;
        assert.equal(value, expected, `${name} at ${middle}`);
        counted += value;
      }
      assert.ok(counted > 20, name);
    }
  }
});

test("no point of a facet lies outside the voxels that it touches, and none of these is far from it", () => {
  const random = randomFrom(3);
  for (const [name, surface] of Object.entries(SHAPES)) {
    const facets = cornersOfFacets(surface);
    for (const lattice of overs(surface)) {
      const { columns, rows, origin, voxelMm } = lattice;
      const touches = touchedVoxels(cornersOnLattice(surface, lattice), lattice, unwatched);
      const touched = new Set(Array.from(touches.voxels, (voxel, i) => `${voxel} ${touches.facets[i]}`));
      assert.equal(touched.size, touches.voxels.length, `${name}: each once`);
      for (const [i, voxel] of touches.voxels.entries()) {
        const distance = distanceToFacet(middleOf(lattice, voxel), facets[touches.facets[i]!]!);
        assert.ok(distance <= (Math.sqrt(3) / 2) * voxelMm + 1e-5, `${name}: ${distance}`);
      }
      for (let sample = 0; sample < 2000; sample++) {
        const facet = Math.floor(random() * facets.length);
        const [a, b, c] = facets[facet]!;
        const [v, w] = [random(), random()].sort();
        const place = [0, 1, 2].map((k) => {
          const at = a[k]! + v! * (b[k]! - a[k]!) + (1 - w!) * (c[k]! - a[k]!);
          return (at - origin[k]!) / voxelMm;
        });
        // Within rounding of a wall between voxels either will do.
        if (place.some((at) => Math.abs(at - Math.floor(at) - 0.5) < 1e-4)) continue;
        const [x, y, z] = place.map(Math.round);
        assert.ok(touched.has(`${(z! * rows + y!) * columns + x!} ${facet}`), `${name}: ${place}`);
      }
    }
  }
});
