import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { pointToFacet } from "../../../src/mesh/bvh/point-to-facet.ts";
import type { Surface } from "../../../src/mesh/mesh.ts";
import { voxelCount } from "../../../src/mesh/voxel/grid-size.ts";
import { cornersOnLattice, latticeOver } from "../../../src/mesh/voxel/lattice.ts";
import { nearestSeeds } from "../../../src/mesh/voxel/nearest-seeds.ts";
import { touchedSeeds } from "../../../src/mesh/voxel/touched-seeds.ts";
import { newFacetSearch } from "../../../src/solid/hollow/facet-search.ts";
import { randomFrom, surfaceOfStl } from "../../fixture/altered.ts";
import { box, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";

const scan = surfaceOfStl(readFileSync(new URL("../../fixture/corpus/thingi-65004.stl", import.meta.url)));

const SURFACES: Readonly<Record<string, readonly [surface: Surface, voxelMm: number]>> = {
  "a box of 12 facets": [box([18, 14, 16]), 0.7],
  "a ball of facets as large as voxels": [uvSphere(8, 60, 30), 0.8],
  "a torus of facets smaller than voxels": [torus(9, 4, 160, 70), 1],
  "a scan": [scan, 1.2],
};

/** What the seeds of voxels can be farther than from the facet that is searched for. */
const SEEDS_WITHIN = 12;

test("the facet found is the nearest of all, or a hair farther where many are about as near, and the place is on it", () => {
  const random = randomFrom(17);
  for (const [name, [surface, voxelMm]] of Object.entries(SURFACES)) {
    const lattice = latticeOver(meshOf(surface).box, voxelMm);
    const corners = cornersOnLattice(surface, lattice);
    const seeds = new Uint32Array(voxelCount(lattice));
    const touched = touchedSeeds(corners, lattice, seeds, unwatched);
    nearestSeeds(seeds, touched.places, lattice, SEEDS_WITHIN, unwatched);
    const search = newFacetSearch(corners, touched, seeds, lattice);
    const found = new Float64Array(3);
    let exact = 0;
    let tried = 0;
    const check = (distance: number, x: number, y: number, z: number): void => {
      let nearest = Infinity;
      for (let at = 0; at < corners.length; at += 9) {
        nearest = Math.min(nearest, pointToFacet(corners, at, x, y, z, { v: 0, w: 0 }));
      }
      if (Math.sqrt(nearest) > SEEDS_WITHIN - 1) return;
      const farther = distance - Math.sqrt(nearest);
      assert.ok(farther > -1e-6 && farther < 0.05, `${name}: ${distance}, not ${Math.sqrt(nearest)}`);
      tried++;
      if (farther < 1e-3) exact++;
      assert.ok(Math.abs(Math.hypot(found[0]! - x, found[1]! - y, found[2]! - z) - distance) < 1e-9, name);
    };
    const somewhere = (): [number, number, number] => [
      random() * (lattice.columns - 1),
      random() * (lattice.rows - 1),
      random() * (lattice.layers - 1),
    ];
    for (let i = 0; i < 300; i++) {
      const [x, y, z] = somewhere();
      check(search.nearestTo(x, y, z, found), x, y, z);
    }
    for (let i = 0; i < 25; i++) {
      const [x, y, z] = somewhere().map(Math.floor) as [number, number, number];
      search.gatherTile(x, y, z, 4);
      for (const [dx, dy, dz] of [
        [0, 0, 0],
        [3, 0, 1],
        [1, 2, 3],
        [3, 3, 3],
      ] as const) {
        const [i, j, k] = [x + dx, y + dy, z + dz];
        if (i >= lattice.columns || j >= lattice.rows || k >= lattice.layers) continue;
        check(search.nearestOfTile(i, j, k, found), i, j, k);
      }
    }
    assert.ok(tried > 150 && exact > 0.98 * tried, `${name}: ${exact} of ${tried}`);
  }
});
