// AssemblyScript: a part of `depths.as.ts`.

import { columns, depths, directions, isInside, NO_SEED, places, rows, seeds, word } from "./coarse-grid.as";
import { squared } from "./facet-record.as";
import { nearestOfTile } from "./facet-search.as";
import { onNearest } from "./nearest-facet.as";
import { gather, TILE } from "./tile.as";

/** A length of 1 of a direction. */
export const DIRECTION_STEPS: f64 = 32_767;

/** Puts the distance to the nearest seed down, or `limit` where there is none; tells whether the depth is to be exact. */
function isNear(voxel: i32, x: i32, y: i32, z: i32, exactFrom: f64, limit: f64): bool {
  if (load<u8>(isInside + voxel) === 0) return false;
  const depth = depths + (<usize>voxel << 2);
  const seed = word(seeds, voxel);
  if (seed === NO_SEED) {
    store<f32>(depth, <f32>limit);
    return false;
  }
  const place = places + <usize>seed * 6;
  const dx = <f64>(x - <i32>load<u16>(place));
  const dy = <f64>(y - <i32>load<u16>(place + 2));
  const dz = <f64>(z - <i32>load<u16>(place + 4));
  const toSeed = Math.sqrt(squared(dx, dy, dz));
  store<f32>(depth, <f32>toSeed);
  return toSeed > exactFrom && toSeed < limit;
}

@inline
function steps(difference: f64, length: f64): i16 {
  return <i16>(<i32>Math.floor((DIRECTION_STEPS * difference) / length + 0.5));
}

function fillTile(x0: i32, y0: i32, z0: i32, z1: i32, exactFrom: f64, limit: f64): void {
  let isGathered = false;
  for (let z = z0; z < z1; z++) {
    for (let y = y0; y < min(y0 + TILE, rows); y++) {
      for (let x = x0; x < min(x0 + TILE, columns); x++) {
        const voxel = (z * rows + y) * columns + x;
        if (!isNear(voxel, x, y, z, exactFrom, limit)) continue;
        if (!isGathered) gather(x0, y0, z0);
        isGathered = true;
        const depth = nearestOfTile(x, y, z);
        store<f32>(depths + (<usize>voxel << 2), <f32>depth);
        const direction = directions + <usize>voxel * 6;
        store<i16>(direction, steps(<f64>x - onNearest(0), depth));
        store<i16>(direction + 2, steps(<f64>y - onNearest(1), depth));
        store<i16>(direction + 4, steps(<f64>z - onNearest(2), depth));
      }
    }
  }
}

/** Fills the tiles in whose first voxels are in a row of a layer, up to the layer `to`. */
export function fillRow(y: i32, z: i32, to: i32, exactFrom: f64, limit: f64): void {
  for (let x = 0; x < columns; x += TILE) fillTile(x, y, z, min(z + TILE, to), exactFrom, limit);
}
