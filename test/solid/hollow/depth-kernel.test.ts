import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { noProgress } from "../../../src/core/progress.ts";
import { NO_SEED } from "../../../src/geometry/distance-transform.ts";
import { squaredDistanceToTriangle } from "../../../src/mesh/bvh/closest-point.ts";
import type { Surface } from "../../../src/mesh/mesh.ts";
import { voxelGridOver } from "../../../src/mesh/voxel/voxel-grid.ts";
import { fillCoarseDepths, fillFineDepths } from "../../../src/solid/hollow/depth-field.ts";
import { type FineGrid, type SeededGrid, createDepthKernel, seedGrid } from "../../../src/solid/hollow/depth-kernel.ts";
import { box, torus, uvSphere } from "../../fixture/shapes.ts";
import { meshOf } from "../../fixture/slices.ts";
import { randomFrom } from "../../fixture/random.ts";
import { surfaceOfStl } from "../../fixture/surface-edits.ts";
import { DIRECTION_STEPS, plainFineDepths } from "./plain-depth-kernel.ts";
import { longTest } from "../../fixture/long.ts";

const scan = surfaceOfStl(readFileSync(new URL("../../fixture/corpus/thingi-65004.stl", import.meta.url)));

const SURFACES: Readonly<Record<string, readonly [surface: Surface, voxelMm: number]>> = {
  "a box of 12 facets": [box([18, 14, 16]), 0.7],
  "a ball of facets as large as voxels": [uvSphere(8, 60, 30), 0.8],
  "a torus of facets smaller than voxels": [torus(9, 4, 160, 70), 1],
  "a torus of 60 facets in each voxel of the surface": [torus(6, 2.5, 200, 90), 1],
  "a scan": [scan, 1.2],
};

/** Voxels farther than this from all seeds have no seed. */
const SEED_LIMIT = 12;

const seededGrid = ([surface, voxelMm]: readonly [Surface, number]): SeededGrid =>
  seedGrid(surface, voxelGridOver(meshOf(surface).box, voxelMm), SEED_LIMIT, noProgress);

const NO_FINE_GRID: FineGrid = {
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

const barycentric = { v: 0, w: 0 };

function trueDistance(corners: Float32Array, x: number, y: number, z: number): number {
  let square = Infinity;
  for (let at = 0; at < corners.length; at += 9) {
    square = Math.min(square, squaredDistanceToTriangle(corners, at, x, y, z, barycentric));
  }
  return Math.sqrt(square);
}

/** Counts how many distances are exact; none may be off by more than 0.05 voxels. */
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

longTest(
  "the distance from any point agrees with brute force, or is slightly larger where many facets are about as near",
  () => {
    const random = randomFrom(17);
    for (const [name, shape] of Object.entries(SURFACES)) {
      const seeded = seededGrid(shape);
      const { distanceTo } = createDepthKernel(seeded, NO_FINE_GRID);
      const tally = newTally(name);
      for (let i = 0; i < 300; i++) {
        const x = random() * (seeded.columns - 1);
        const y = random() * (seeded.rows - 1);
        const z = random() * (seeded.layers - 1);
        const distance = trueDistance(seeded.corners, x, y, z);
        if (distance < SEED_LIMIT - 1) tally.add(distanceTo(x, y, z), distance);
      }
      tally.check();
    }
  },
);

longTest("coarse depths between the limits agree with brute force, and others with the distance to the seeds", () => {
  const random = randomFrom(23);
  const [exactFrom, limit, from] = [0.5, 4, 2];
  for (const [name, shape] of Object.entries(SURFACES)) {
    const seeded = seededGrid(shape);
    const { corners, seeds, places, isInside, columns, rows, layers } = seeded;
    const kernel = createDepthKernel(seeded, NO_FINE_GRID);
    const to = Math.min(layers, 11);
    fillCoarseDepths(kernel, rows, from, to, exactFrom, limit, noProgress);
    const depths = new Float32Array(kernel.memory.buffer, kernel.offsets.depths, seeds.length);
    const directions = new Int16Array(kernel.memory.buffer, kernel.offsets.directions, 3 * seeds.length);
    const tally = newTally(name);
    for (let voxel = 0; voxel < depths.length; voxel++) {
      const z = Math.floor(voxel / (columns * rows));
      const y = Math.floor(voxel / columns) % rows;
      const x = voxel % columns;
      const direction = [0, 1, 2].map((axis) => directions[3 * voxel + axis] / DIRECTION_STEPS);
      const isExact = direction.some((along) => along !== 0);
      if (z < from || z >= to || isInside[voxel] === 0) {
        assert.ok(depths[voxel] === 0 && !isExact, name);
        continue;
      }
      const seed = seeds[voxel];
      const [sx, sy, sz] = places.subarray(3 * seed, 3 * seed + 3);
      const toSeed = seed === NO_SEED ? limit : Math.hypot(x - sx!, y - sy!, z - sz!);
      assert.equal(isExact, toSeed > exactFrom && toSeed < limit, name);
      if (!isExact) assert.ok(Math.abs(depths[voxel] - toSeed) < 1e-5, name);
      if (!isExact || random() < 0.7) continue;
      const depth = depths[voxel];
      tally.add(depth, trueDistance(corners, x, y, z));
      const [dx, dy, dz] = direction.map((along) => depth * along);
      assert.ok(trueDistance(corners, x - dx!, y - dy!, z - dz!) < 1e-3, name);
    }
    tally.check();
  }
});

longTest("fine depths, blocks and ridges exactly equal those of the plain TypeScript version", () => {
  const [wall, core, blockDiagonal] = [2, 3.5, 1.75];
  for (const [name, shape] of Object.entries(SURFACES)) {
    const seeded = seededGrid(shape);
    const { columns, rows, layers } = seeded;
    const fine: FineGrid = {
      fineColumns: 2 * (columns - 2),
      fineRows: 2 * (rows - 1) - 1,
      fineLayers: 2 * (layers - 2),
      offsetX: 2,
      offsetY: 0,
      offsetZ: 2,
      wall,
      core,
      deepest: 10,
      blockDiagonal,
    };
    // Two kernels that search for the same points in the same order.
    const [kernel, other] = [createDepthKernel(seeded, fine), createDepthKernel(seeded, fine)];
    for (const each of [kernel, other]) fillCoarseDepths(each, rows, 0, layers, 0.05, 3.5, noProgress);
    fillFineDepths(kernel, fine.fineLayers, noProgress);
    const { buffer } = kernel.memory;
    const plain = plainFineDepths(other, seeded, fine);
    assert.ok(plain.values.some((depth) => depth > core) && plain.blocks.length > 100, name);
    assert.deepEqual(new Float32Array(buffer, kernel.offsets.values, plain.values.length), plain.values, name);
    assert.deepEqual(new Uint32Array(buffer, kernel.offsets.blocks, kernel.blockCount.value), plain.blocks, name);
    assert.deepEqual(new Uint32Array(buffer, kernel.offsets.ridges, kernel.ridgeCount.value), plain.ridges, name);
  }
});
