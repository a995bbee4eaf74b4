import type { Vec3 } from "../../core/geometry.ts";
import type { PlaceGrid, Visit } from "./place-grid.ts";

/**
 * Calls `visit` with all points of a grid that lie within `reach` of a segment, and others near it; a point may come twice.
 * Goes slab by slab, as thick as a cell, along the axis that the segment is nearest to.
 */
export function visitAlong(grid: PlaceGrid, from: Vec3, to: Vec3, reach: number, visit: Visit): void {
  const { cellMm } = grid;
  const way = [to[0] - from[0], to[1] - from[1], to[2] - from[2]] as const;
  const [x, y, z] = [Math.abs(way[0]), Math.abs(way[1]), Math.abs(way[2])];
  const axis = x >= y && x >= z ? 0 : y >= z ? 1 : 2;
  const [j, k] = [(axis + 1) % 3, (axis + 2) % 3];
  const [start, length] = [from[axis], way[axis] || 1];
  const least: [number, number, number] = [0, 0, 0];
  const most: [number, number, number] = [0, 0, 0];
  const last = Math.floor((Math.max(start, to[axis]) + reach) / cellMm);
  for (let slab = Math.floor((Math.min(start, to[axis]) - reach) / cellMm); slab <= last; slab++) {
    const one = shareWithin((slab * cellMm - reach - start) / length);
    const other = shareWithin(((slab + 1) * cellMm + reach - start) / length);
    least[axis] = most[axis] = (slab + 0.5) * cellMm;
    for (const across of [j, k]) {
      const [p, q] = [from[across]! + one * way[across]!, from[across]! + other * way[across]!];
      least[across] = Math.min(p, q) - reach;
      most[across] = Math.max(p, q) + reach;
    }
    grid.visitBox(least, most, visit);
  }
}

const shareWithin = (share: number): number => Math.min(1, Math.max(0, share));
