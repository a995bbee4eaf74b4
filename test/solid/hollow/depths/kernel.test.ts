import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { unwatched } from "../../../../src/core/watch.ts";
import { pointToFacet } from "../../../../src/mesh/bvh/point-to-facet.ts";
import type { Surface } from "../../../../src/mesh/mesh.ts";
import { latticeOver } from "../../../../src/mesh/voxel/lattice.ts";
import { NO_SEED } from "../../../../src/mesh/voxel/nearest-seeds.ts";
import { fillCoarse } from "../../../../src/solid/hollow/depths/depths.ts";
import { type FineGrid, newKernel } from "../../../../src/solid/hollow/depths/kernel.ts";
import { type Seeded, seededLattice } from "../../../../src/solid/hollow/depths/seeded.ts";
import { randomFrom, surfaceOfStl } from "../../../fixture/altered.ts";
import { box, torus, uvSphere } from "../../../fixture/shapes.ts";
import { meshOf } from "../../../fixture/slices.ts";

const scan = surfaceOfStl(readFileSync(new URL("../../../fixture/corpus/thingi-65004.stl", import.meta.url)));

const SURFACES: Readonly<Record<string, readonly [surface: Surface, voxelMm: number]>> = {
  "a box of 12 facets": [box([18, 14, 16]), 0.7],
  "a ball of facets as large as voxels": [uvSphere(8, 60, 30), 0.8],
  "a torus of facets smaller than voxels": [torus(9, 4, 160, 70), 1],
  "a scan": [scan, 1.2],
};

/** What the seeds of voxels can be farther than from the facet that is searched for. */
const SEEDS_WITHIN = 12;

const seededOf = ([surface, voxelMm]: readonly [Surface, number]): Seeded =>
  seededLattice(surface, latticeOver(meshOf(surface).box, voxelMm), SEEDS_WITHIN, unwatched);

const NOTHING_FINE: FineGrid = {
  fineColumns: 0,
  fineRows: 0,
  fineLayers: 0,
  offsetX: 0,
  offsetY: 0,
  offsetZ: 0,
  wall: 0,
  core: 0,
  deepest: 0,
  blockDiagonal: 0,
};

/** A length of 1 of a direction, as the kernel tells it. */
const DIRECTION_STEPS = 32_767;

function trueDistance(corners: Float32Array, x: number, y: number, z: number): number {
  let square = Infinity;
  for (let at = 0; at < corners.length; at += 9) {
    square = Math.min(square, pointToFacet(corners, at, x, y, z, { v: 0, w: 0 }));
  }
  return Math.sqrt(square);
}

/** Counts how many of the distances found are the true ones; none may be far off. */
function newTally(name: string) {
  let tried = 0;
  let exact = 0;
  return {
    add(found: number, distance: number): void {
      assert.ok(found > distance - 1e-5 && found < distance + 0.05, `${name}: ${found}, not ${distance}`);
      tried++;
      if (found < distance + 1e-3) exact++;
    },
    check(): void {
      assert.ok(tried > 70 && exact > 0.98 * tried, `${name}: ${exact} of ${tried}`);
    },
  };
}

test("the distance from any place is that of the nearest facet of all, or a hair farther where many are about as near", () => {
  const random = randomFrom(17);
  for (const [name, of] of Object.entries(SURFACES)) {
    const seeded = seededOf(of);
    const { nearestTo } = newKernel(seeded, NOTHING_FINE);
    const tally = newTally(name);
    for (let i = 0; i < 300; i++) {
      const x = random() * (seeded.columns - 1);
      const y = random() * (seeded.rows - 1);
      const z = random() * (seeded.layers - 1);
      const distance = trueDistance(seeded.corners, x, y, z);
      if (distance < SEEDS_WITHIN - 1) tally.add(nearestTo(x, y, z), distance);
    }
    tally.check();
  }
});

test("depths are exact between those asked for, in the direction of the nearest facet, and as the seeds tell beyond", () => {
  const random = randomFrom(23);
  const [exactFrom, limit, from] = [0.5, 4, 2];
  for (const [name, of] of Object.entries(SURFACES)) {
    const seeded = seededOf(of);
    const { corners, seeds, places, isInside, columns, rows, layers } = seeded;
    const kernel = newKernel(seeded, NOTHING_FINE);
    const to = Math.min(layers, 11);
    fillCoarse(kernel, rows, from, to, exactFrom, limit, unwatched);
    const depths = new Float32Array(kernel.memory.buffer, kernel.at.depths, seeds.length);
    const directions = new Int16Array(kernel.memory.buffer, kernel.at.directions, 3 * seeds.length);
    const tally = newTally(name);
    for (let voxel = 0; voxel < depths.length; voxel++) {
      const z = Math.floor(voxel / (columns * rows));
      const y = Math.floor(voxel / columns) % rows;
      const x = voxel % columns;
      const direction = [0, 1, 2].map((axis) => directions[3 * voxel + axis]! / DIRECTION_STEPS);
      const isExact = direction.some((along) => along !== 0);
      if (z < from || z >= to || isInside[voxel] === 0) {
        assert.ok(depths[voxel] === 0 && !isExact, name);
        continue;
      }
      const seed = seeds[voxel]!;
      const [sx, sy, sz] = places.subarray(3 * seed, 3 * seed + 3);
      const toSeed = seed === NO_SEED ? limit : Math.hypot(x - sx!, y - sy!, z - sz!);
      assert.equal(isExact, toSeed > exactFrom && toSeed < limit, name);
      if (!isExact) assert.ok(Math.abs(depths[voxel]! - toSeed) < 1e-5, name);
      if (!isExact || random() < 0.6) continue;
      const depth = depths[voxel]!;
      tally.add(depth, trueDistance(corners, x, y, z));
      const [dx, dy, dz] = direction.map((along) => depth * along);
      assert.ok(trueDistance(corners, x - dx!, y - dy!, z - dz!) < 1e-3, name);
    }
    tally.check();
  }
});
