// AssemblyScript: a part of `depths.as.ts`.

import { word } from "./coarse-grid.as";
import { core, fineColumns, fineLayers, fineRows, putValue, valueAt, wall } from "./fine-grid.as";
import { exactAt, unsure, unsureCount } from "./interpolate.as";

@inline
function zoneOf(depth: f64): i32 {
  return Math.abs(depth) < wall ? 0 : Math.abs(depth) < core ? 1 : 2;
}

/** Whether a voxel has a neighbour on the other side of a level. */
function isBetween(voxel: i32, x: i32, y: i32, z: i32): bool {
  const zone = zoneOf(valueAt(voxel));
  const layer = fineColumns * fineRows;
  return (
    (x > 0 && zoneOf(valueAt(voxel - 1)) !== zone) ||
    (x + 1 < fineColumns && zoneOf(valueAt(voxel + 1)) !== zone) ||
    (y > 0 && zoneOf(valueAt(voxel - fineColumns)) !== zone) ||
    (y + 1 < fineRows && zoneOf(valueAt(voxel + fineColumns)) !== zone) ||
    (z > 0 && zoneOf(valueAt(voxel - layer)) !== zone) ||
    (z + 1 < fineLayers && zoneOf(valueAt(voxel + layer)) !== zone)
  );
}

/** Makes the depths exact that are not and have neighbours on different sides of a level, in the unsure blocks `from` up to `to`. */
export function sharpen(from: i32, to: i32): void {
  for (let b = from; b < to; b++) eachVoxel(word(unsure, b), makeExact);
}

function makeExact(voxel: i32, x: i32, y: i32, z: i32): void {
  if (valueAt(voxel) <= 0 && isBetween(voxel, x, y, z)) putValue(voxel, exactAt(x, y, z));
}

/** Makes all depths of the unsure blocks positive again. */
export function settle(): void {
  for (let b = 0; b < unsureCount; b++) eachVoxel(word(unsure, b), makePositive);
}

function makePositive(voxel: i32, _x: i32, _y: i32, _z: i32): void {
  putValue(voxel, Math.abs(valueAt(voxel)));
}

/** Tells of the voxels of a block, given by its first, that lie in the grid, with their coordinates. */
@inline
function eachVoxel(block: i32, tell: (voxel: i32, x: i32, y: i32, z: i32) => void): void {
  const row = block / fineColumns;
  const z0 = row / fineRows;
  const y0 = row - z0 * fineRows;
  const x0 = block - row * fineColumns;
  for (let z = z0; z < min(z0 + 2, fineLayers); z++) {
    for (let y = y0; y < min(y0 + 2, fineRows); y++) {
      for (let x = x0; x < min(x0 + 2, fineColumns); x++) tell((z * fineRows + y) * fineColumns + x, x, y, z);
    }
  }
}
