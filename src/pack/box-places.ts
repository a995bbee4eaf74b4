import type { Progress } from "../core/progress.ts";
import type { Box } from "../geometry/box.ts";
import type { Vec3 } from "../geometry/vector.ts";
import type { PartExtent, PackedPart, Room } from "./clearance.ts";

/** Largest number of compared pairs of a place and a box: about one second for 24 rotations of a part among 500 others. */
const MAX_COMPARISONS = 1e7;
/** Tolerance of the spacing between boxes; above the rounding error of distances. */
const ROUNDING_MM = 1e-6;

/**
 * Positions at which the box of a part is next to or above the boxes of others, at least the spacing away along one axis, with no box above
 * it: all such positions that touch a box grown by the spacing, or the left or front side of the room, the lowest first. If there is any
 * such position, one is found here, independent of the cells.
 */
export function boxPlaces(
  { box }: PartExtent,
  placed: readonly PackedPart[],
  { min, max }: Room,
  spacingMm: number,
  progress: Progress,
): Vec3[] {
  const [width, depth, height] = [0, 1, 2].map((axis) => box.max[axis] - box.min[axis]);
  const others = placed.map(({ pose: { position }, extent }) => grownBox(extent.box, position, spacingMm));
  const found: Vec3[] = [];
  let comparisons = 0;
  for (const x of startsAlong(0, others, min[0], max[0] - width)) {
    progress.report(0);
    const beside = others.filter((other) => isAcross(other, 0, x, width));
    for (const y of startsAlong(1, beside, min[1], max[1] - depth)) {
      comparisons += beside.length;
      if (comparisons > MAX_COMPARISONS) return sorted(found, box);
      let z = min[2];
      for (const other of beside) if (other.max[2] > z && isAcross(other, 1, y, depth)) z = other.max[2];
      if (z + height <= max[2] + ROUNDING_MM) found.push([x, y, z]);
    }
  }
  return sorted(found, box);
}

const grownBox = ({ min, max }: Box, [x, y, z]: Vec3, byMm: number): Box => ({
  min: [min[0] + x - byMm, min[1] + y - byMm, min[2] + z - byMm],
  max: [max[0] + x + byMm, max[1] + y + byMm, max[2] + z + byMm],
});

/** Coordinates along an axis at which a box can begin: at the side of the room, or after another box. */
const startsAlong = (axis: 0 | 1, others: readonly Box[], least: number, most: number): Iterable<number> =>
  new Set([least, ...others.map(({ max }) => max[axis])].filter((at) => at >= least && at <= most + ROUNDING_MM));

const isAcross = ({ min, max }: Box, axis: 0 | 1, from: number, size: number): boolean =>
  from < max[axis] - ROUNDING_MM && min[axis] < from + size - ROUNDING_MM;

/** Positions of parts whose boxes begin at the given corners. */
const sorted = (corners: readonly Vec3[], { min }: Box): Vec3[] =>
  corners
    .toSorted((a, b) => a[2] - b[2] || a[1] - b[1] || a[0] - b[0])
    .map(([x, y, z]): Vec3 => [x - min[0], y - min[1], z - min[2]]);
