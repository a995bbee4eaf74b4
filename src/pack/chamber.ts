import type { Progress } from "../core/progress.ts";
import { distanceOutside, volumeFootprint } from "../geometry/build-volume.ts";
import type { Axis, Vec3 } from "../geometry/vector.ts";
import type { Room } from "./clearance.ts";
import { turnedAxes } from "./oriented-shape.ts";
import type { PartField } from "./part-shape.ts";
import { type Tray, blockCell, cellsOf, newTray, updateRows } from "./tray.ts";
import type { AxisTurn } from "./turns.ts";

/** A box with rounded vertical edges, in scene coordinates. */
export interface Region {
  readonly min: Vec3;
  readonly max: Vec3;
  readonly filletRadiusMm: number;
}

/** The region, reduced by `wallDistanceMm` at its sides. */
export function roomOf({ min, max, filletRadiusMm }: Region, wallDistanceMm: number): Room {
  const sides: Vec3 = [max[0] - min[0] - 2 * wallDistanceMm, max[1] - min[1] - 2 * wallDistanceMm, max[2] - min[2]];
  return {
    min: [min[0] + wallDistanceMm, min[1] + wallDistanceMm, min[2]],
    max: [max[0] - wallDistanceMm, max[1] - wallDistanceMm, max[2]],
    footprint: volumeFootprint({ dimensionsMm: sides, filletRadiusMm: Math.max(0, filletRadiusMm - wallDistanceMm) }),
  };
}

/** The largest upright box in the middle of a region with rounded edges: rows of boxes that begin along its sides stay aligned. */
export function boxWithin({ min, max, filletRadiusMm }: Region): Region {
  const inset = filletRadiusMm * (1 - Math.SQRT1_2);
  return {
    min: [min[0] + inset, min[1] + inset, min[2]],
    max: [max[0] - inset, max[1] - inset, max[2]],
    filletRadiusMm: 0,
  };
}

/**
 * The cells of a room. The grid begins at the least corner of the room, as parts do, and ends at least a cell beyond its other sides.
 * Places there are moved into the room.
 */
export interface Chamber {
  readonly tray: Tray;
  readonly cellMm: number;
  /** The least corner of the first cell. */
  readonly origin: Vec3;
}

/** The empty chamber. Cells more than one beyond the rounded edges are blocked. */
export function newChamber({ min, max, footprint }: Room, cellMm: number): Chamber {
  const count = (axis: Axis): number => 1 + Math.max(1, Math.ceil((max[axis] - min[axis]) / cellMm - 1e-6));
  const size = { columns: count(0), rows: count(1), layers: count(2) };
  const tray = newTray(size);
  const cells = cellsOf(tray);
  for (let y = 0; y < size.rows; y++) {
    for (let x = 0; x < size.columns; x++) {
      const u = (x + 0.5) * cellMm - (max[0] - min[0]) / 2;
      const v = (y + 0.5) * cellMm - (max[1] - min[1]) / 2;
      if (footprint.r === 0 || distanceOutside(footprint, u, v) <= cellMm) continue;
      for (let z = 0; z < size.layers; z++) blockCell(cells, x, y, z);
    }
  }
  cells.tops.fill(0);
  updateRows(tray, 0, size.rows, 0, size.layers);
  return { tray, cellMm, origin: min };
}

/**
 * Blocks the cells whose centres are nearer than `clearanceMm` to a part with its box centred at `centre`. `field` describes the part
 * before its rotation, in voxels of half a cell.
 */
export function stampPart(
  { tray, cellMm, origin }: Chamber,
  { field, turn }: { readonly field: PartField; readonly turn: AxisTurn },
  centre: Vec3,
  clearanceMm: number,
  progress: Progress,
): void {
  progress.report(0);
  const { columns, rows, layers, first, strideX, strideY, strideZ } = turnedAxes(field, turn);
  const { distances, stepsPerVoxel } = field;
  const cells = cellsOf(tray);
  const voxelMm = cellMm / 2;
  const limit = (clearanceMm / voxelMm) * stepsPerVoxel;
  /** The position of the centre of cell 0 among the centres of voxels. */
  const start = [columns, rows, layers].map(
    (count, axis) => (origin[axis] + cellMm / 2 - centre[axis]) / voxelMm + (count - 1) / 2,
  );
  const from = start.map((value) => Math.max(0, Math.ceil(-value / 2)));
  const end = [columns, rows, layers].map((count, axis) =>
    Math.min([tray.columns, tray.rows, tray.layers][axis], Math.ceil((count - 1 - start[axis]) / 2)),
  );
  for (let z = from[2]; z < end[2]; z++) {
    const w = start[2] + 2 * z;
    const k = Math.floor(w);
    const fz = w - k;
    for (let y = from[1]; y < end[1]; y++) {
      const v = start[1] + 2 * y;
      const j = Math.floor(v);
      const fy = v - j;
      const row = first + k * strideZ + j * strideY;
      for (let x = from[0]; x < end[0]; x++) {
        const u = start[0] + 2 * x;
        const i = Math.floor(u);
        const fx = u - i;
        const at = row + i * strideX;
        const a = distances[at] + fx * (distances[at + strideX] - distances[at]);
        const at2 = at + strideY;
        const b = distances[at2] + fx * (distances[at2 + strideX] - distances[at2]);
        const at3 = at + strideZ;
        const c = distances[at3] + fx * (distances[at3 + strideX] - distances[at3]);
        const at4 = at3 + strideY;
        const d = distances[at4] + fx * (distances[at4 + strideX] - distances[at4]);
        const low = a + fy * (b - a);
        if (low + fz * (c + fy * (d - c) - low) < limit) blockCell(cells, x, y, z);
      }
    }
  }
  updateRows(tray, from[1], end[1], from[2], end[2]);
}
