import assert from "node:assert/strict";
import { test } from "node:test";
import { unwatched } from "../../../src/core/watch.ts";
import { squaredDistances } from "../../../src/mesh/voxel/distance-transform.ts";
import { type GridSize, voxelCount } from "../../../src/mesh/voxel/grid-size.ts";
import { nearestSeeds, NO_SEED } from "../../../src/mesh/voxel/nearest-seeds.ts";
import { randomFrom } from "../../fixture/altered.ts";

const SIZES: readonly GridSize[] = [
  { columns: 1, rows: 1, layers: 1 },
  { columns: 70, rows: 5, layers: 3 },
  { columns: 5, rows: 33, layers: 9 },
  { columns: 24, rows: 14, layers: 13 },
];

test("each voxel gets a seed at the distance of the nearest, up to the limit and no farther", () => {
  for (const [i, size] of SIZES.entries()) {
    for (const share of [0, 0.003, 0.05, 0.5]) {
      for (const limit of [2.5, 6, 1000]) {
        const random = randomFrom(7 * i + limit);
        const isSeed = Uint8Array.from({ length: voxelCount(size) }, () => (random() < share ? 1 : 0));
        const voxels = [...isSeed.keys()].filter((voxel) => isSeed[voxel] === 1);
        const seeds = new Uint32Array(isSeed.length).fill(NO_SEED);
        for (const [seed, voxel] of voxels.entries()) seeds[voxel] = seed;
        const places = Uint16Array.from(voxels.flatMap((voxel) => placeOf(voxel, size)));
        nearestSeeds(seeds, places, size, limit, unwatched);
        const squares = squaredDistances(isSeed, size, 2000, unwatched);
        for (const [voxel, seed] of seeds.entries()) {
          const what = JSON.stringify({ size, share, limit, voxel });
          if (seed === NO_SEED) assert.ok(squares[voxel]! > limit * limit, what);
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
