import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { squaredDistances } from "../../../src/mesh/voxel/distance-transform.ts";
import { type GridSize, voxelCount } from "../../../src/mesh/voxel/grid-size.ts";
import { randomFrom } from "../../fixture/altered.ts";

const SIZES: readonly GridSize[] = [
  { columns: 1, rows: 1, layers: 1 },
  { columns: 17, rows: 1, layers: 1 },
  { columns: 1, rows: 1, layers: 23 },
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

test("distances to the nearest seed are those of brute force, for all shapes of grids and densities of seeds", () => {
  for (const [i, size] of SIZES.entries()) {
    for (const share of [0, 0.002, 0.05, 0.5]) {
      for (const limit of [3, 255, 1000]) {
        const isSeed = someSeeds(size, share, 10 * i + limit);
        const found = squaredDistances(isSeed, size, limit, unwatched);
        assert.deepEqual([...found], byBruteForce(isSeed, size, limit), JSON.stringify({ size, share, limit }));
      }
    }
  }
});

test("distances take two bytes for each voxel as long as they fit in them", () => {
  const size = { columns: 300, rows: 2, layers: 2 };
  const isSeed = new Uint8Array(voxelCount(size));
  isSeed[0] = 1;
  const near = squaredDistances(isSeed, size, 255, unwatched);
  const far = squaredDistances(isSeed, size, 256, unwatched);
  assert.equal(near.BYTES_PER_ELEMENT, 2);
  assert.equal(far.BYTES_PER_ELEMENT, 4);
  assert.deepEqual([near[254], near[255], near[299]], [254 ** 2, 255 ** 2, 255 ** 2]);
  assert.deepEqual([far[254], far[255], far[299]], [254 ** 2, 255 ** 2, 256 ** 2]);
});
