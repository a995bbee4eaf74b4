import type { Progress } from "../core/progress.ts";
import { type Vec3, distance, subtract, times } from "../geometry/vector.ts";
import { type PackedPart, type Room, areFacetsApart, clampToRoom, movedTo } from "./clearance.ts";
import { nearestFacets } from "./nearest-facets.ts";

/**
 * Maximum number of rounds over the neighbours: between walls hardly farther apart than the spacing needs, a part reaches the middle in a
 * few.
 */
const MAX_ROUNDS = 24;
/** The shortfall of the spacing must shrink to this share or less per round: measured, 0.5 to 0.7 if it vanishes in the end. */
const SHRINKS_BY = 0.8;
/** Surplus of each push, below the precision of spacings: rounding must not keep the part too near. */
const EXTRA_MM = 5e-6;

/**
 * The part moved by at most `reachMm` to where it keeps the spacing to its neighbours, by pushing it away from the nearest facet of each in
 * turn and back into the room (projections onto convex sets, if neighbours are locally convex). Undefined if no such place is found.
 */
export function pushApart(
  part: PackedPart,
  neighbours: readonly PackedPart[],
  room: Room,
  { spacingMm, reachMm }: { readonly spacingMm: number; readonly reachMm: number },
  progress: Progress,
): PackedPart | undefined {
  const start = clampToRoom(room, part.extent, part.pose.position);
  let position: Vec3 = start;
  let lastMissing = Infinity;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    let missing = 0;
    for (const other of neighbours) {
      const there = movedTo(part, position);
      if (areFacetsApart(there, other, spacingMm, progress)) continue;
      const near = nearestFacets(part.bvh, other.bvh, subtract(other.pose.position, position), spacingMm, progress);
      if (!near) return undefined;
      const byMm = spacingMm - near.distanceMm + EXTRA_MM;
      missing = Math.max(missing, byMm);
      position = clampToRoom(room, part.extent, subtract(position, times(near.direction, byMm)));
      if (distance(position, start) > reachMm) return undefined;
    }
    if (missing === 0) return movedTo(part, position);
    if (missing > SHRINKS_BY * lastMissing) return undefined;
    lastMissing = missing;
  }
  return undefined;
}
