import type { BuildVolume } from "../core/geometry.ts";

/** How far a point may stand outside and still count as inside (interface supplement, section 7, "in_bounds"). */
export const BOUNDS_TOLERANCE_MM = 1e-3;

/** A volume seen from above: the rectangle |x| ≤ `a`, |y| ≤ `b` grown by `r` on all sides, which rounds its corners. */
export interface RoundedRectangle {
  readonly a: number;
  readonly b: number;
  readonly r: number;
}

export function footprintOf({ dimensionsMm: [x, y], filletRadiusMm }: BuildVolume): RoundedRectangle {
  const r = Math.min(filletRadiusMm, x / 2, y / 2);
  return { a: x / 2 - r, b: y / 2 - r, r };
}

/** How far a point lies outside the rounded rectangle; not above 0 when it lies inside. */
export const outsideMm = ({ a, b, r }: RoundedRectangle, x: number, y: number): number =>
  Math.hypot(Math.max(Math.abs(x) - a, 0), Math.max(Math.abs(y) - b, 0)) - r;
