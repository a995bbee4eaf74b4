import assert from "node:assert/strict";
import { test } from "node:test";
import { noProgress } from "../../src/core/progress.ts";
import {
  type GridSize,
  NO_SEED,
  featureTransform,
  squaredDistances,
  voxelCount,
} from "../../src/geometry/distance-transform.ts";
import { randomFrom } from "../fixture/random.ts";

const SIZES: readonly GridSize[] = [
  { columns: 1, rows: 1, layers: 1 },
  { columns: 17, rows: 1, layers: 1 },
  { columns: 1, rows: 1, layers: 23 },
  { columns: 19, rows: 21, layers: 1 },
  { columns: 70, rows: 5, layers: 3 },
  { columns: 5, rows: 33, layers: 9 },
  { columns: 12, rows: 14, layers: 13 },
];

/** 1 for about `share` of the voxels. */
function someSeeds(size: GridSize, share: number, seed: number): Uint8Array {
  const random = randomFrom(seed);
  return Uint8Array.from({ length: voxelCount(size) }, () => (random() < share ? 1 : 0));
}

type Voxel = readonly [x: number, y: number, z: number];

function voxelAt(index: number, { columns, rows }: GridSize): Voxel {
  return [index % columns, Math.floor(index / columns) % rows, Math.floor(index / (columns * rows))];
}

function byBruteForce(isSeed: Uint8Array, size: GridSize, limit: number): number[] {
  const seeds = [...isSeed.keys()].filter((index) => isSeed[index] === 1).map((index) => voxelAt(index, size));
  return Array.from(isSeed, (_, index) => {
    const [x, y, z] = voxelAt(index, size);
    return Math.min(limit ** 2, ...seeds.map(([a, b, c]) => (x - a) ** 2 + (y - b) ** 2 + (z - c) ** 2));
  });
}

test("distances equal those of brute force, for all shapes of grids and densities of seeds", () => {
  for (const [i, size] of SIZES.entries()) {
    for (const share of [0, 0.002, 0.05, 0.5]) {
      for (const limit of [3, 255, 1000]) {
        const isSeed = someSeeds(size, share, 10 * i + limit);
        const found = squaredDistances(isSeed, size, limit, noProgress);
        assert.deepEqual([...found], byBruteForce(isSeed, size, limit), JSON.stringify({ size, share, limit }));
      }
    }
  }
});

test("distances take two bytes for each voxel if the limit allows it", () => {
  const size = { columns: 300, rows: 2, layers: 2 };
  const isSeed = new Uint8Array(voxelCount(size));
  isSeed[0] = 1;
  const near = squaredDistances(isSeed, size, 255, noProgress);
  const far = squaredDistances(isSeed, size, 256, noProgress);
  assert.equal(near.BYTES_PER_ELEMENT, 2);
  assert.equal(far.BYTES_PER_ELEMENT, 4);
  assert.deepEqual([near[254], near[255], near[299]], [254 ** 2, 255 ** 2, 255 ** 2]);
  assert.deepEqual([far[254], far[255], far[299]], [254 ** 2, 255 ** 2, 256 ** 2]);
});

const SIZES2: readonly GridSize[] = [
  { columns: 1, rows: 1, layers: 1 },
  { columns: 19, rows: 21, layers: 1 },
  { columns: 70, rows: 5, layers: 3 },
  { columns: 5, rows: 33, layers: 9 },
  { columns: 24, rows: 14, layers: 13 },
];

test("each voxel gets a seed at the distance of the nearest one, up to the limit", () => {
  for (const [i, size] of SIZES2.entries()) {
    for (const share of [0, 0.003, 0.05, 0.5]) {
      for (const limit of [2.5, 6, 1000]) {
        const random = randomFrom(7 * i + limit);
        const isSeed = Uint8Array.from({ length: voxelCount(size) }, () => (random() < share ? 1 : 0));
        const voxels = [...isSeed.keys()].filter((voxel) => isSeed[voxel] === 1);
        const seeds = new Uint32Array(isSeed.length).fill(NO_SEED);
        for (const [seed, voxel] of voxels.entries()) seeds[voxel] = seed;
        const places = Uint16Array.from(voxels.flatMap((voxel) => placeOf(voxel, size)));
        featureTransform(seeds, places, size, limit, noProgress);
        const squares = squaredDistances(isSeed, size, 2000, noProgress);
        for (const [voxel, seed] of seeds.entries()) {
          const what = JSON.stringify({ size, share, limit, voxel });
          if (seed === NO_SEED) assert.ok(squares[voxel] > limit * limit, what);
          else {
            const [x, y, z] = placeOf(voxel, size);
            const [a, b, c] = places.subarray(3 * seed, 3 * seed + 3);
            assert.equal((x - a!) ** 2 + (y - b!) ** 2 + (z - c!) ** 2, squares[voxel], what);
          }
        }
      }
    }
  }
});

function placeOf(voxel: number, { columns, rows }: GridSize): [x: number, y: number, z: number] {
  return [voxel % columns, Math.floor(voxel / columns) % rows, Math.floor(voxel / (columns * rows))];
}
