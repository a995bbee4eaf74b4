import type { Point2 } from "./polygon.ts";
import { cosSin, type Vec3 } from "./vector.ts";

/** The build volume of a printer. */
export interface BuildVolume {
  /** x, y, z. The volume is centred at zero in x and y; z is 0 at the platform and points up. */
  readonly dimensionsMm: Vec3;
  /** Radius of the four vertical edges. */
  readonly filletRadiusMm: number;
}

/** The outline of a volume seen from above, counter-clockwise from the right back corner. Each corner is an arc of `pieces` segments. */
export function volumeRim(
  { dimensionsMm: [x, y], filletRadiusMm }: BuildVolume,
  pieces: number,
): [x: number, y: number][] {
  const r = Math.min(filletRadiusMm, x / 2, y / 2);
  const corners = [
    [1, 1],
    [-1, 1],
    [-1, -1],
    [1, -1],
  ] as const;
  return corners.flatMap(([sideX, sideY], quarter) =>
    Array.from({ length: pieces + 1 }, (_, i): [number, number] => {
      const [cos, sin] = cosSin((Math.PI / 2) * (quarter + i / pieces));
      return [sideX * (x / 2 - r) + r * cos, sideY * (y / 2 - r) + r * sin];
    }),
  );
}

/** A point at most this far outside counts as inside (interface supplement, section 7, "in_bounds"). */
export const BOUNDS_TOLERANCE_MM = 1e-3;

/** A rectangle with rounded corners: |x| ≤ `a`, |y| ≤ `b`, offset outward by `r`. */
export interface RoundedRectangle {
  readonly a: number;
  readonly b: number;
  readonly r: number;
}

/** A volume seen from above. */
export function volumeFootprint({ dimensionsMm: [x, y], filletRadiusMm }: BuildVolume): RoundedRectangle {
  const r = Math.min(filletRadiusMm, x / 2, y / 2);
  return { a: x / 2 - r, b: y / 2 - r, r };
}

/** The distance of a point from the rounded rectangle; at most 0 for a point in it. */
export const distanceOutside = ({ a, b, r }: RoundedRectangle, x: number, y: number): number =>
  Math.hypot(Math.max(Math.abs(x) - a, 0), Math.max(Math.abs(y) - b, 0)) - r;

/** The positions at which a corner of the shape is within a rounded corner: a disc, bounded on the outside only. */
interface Disc {
  readonly centre: Point2;
  /** The signs of x and y of the rounded corner, which point outward. */
  readonly side: Point2;
}

/** Tolerance of the constraints: far above rounding errors, far below {@link BOUNDS_TOLERANCE_MM}. */
const TOLERANCE_MM = 1e-9;

/**
 * The position nearest to `wanted` at which a shape is in the rounded rectangle, or undefined if there is none. The feasible positions
 * are a box, for the straight sides, intersected with one disc for each corner of the shape and each rounded corner: a convex set. The
 * nearest feasible position is determined by at most two of these constraints, so it is computed in closed form for the active discs;
 * the most violated disc is then activated, until none is violated.
 * @param corners x, y of each corner of the shape, relative to its position.
 */
export function nearestFit(corners: Float64Array, footprint: RoundedRectangle, wanted: Point2): Point2 | undefined {
  const range = positionRange(corners, footprint);
  const discs: Disc[] = [];
  for (;;) {
    const place = nearestFeasible(range, discs, footprint.r, wanted);
    if (!place) return undefined;
    const broken = worstViolatedDisc(corners, footprint, place);
    if (!broken) return place;
    discs.push(broken);
  }
}

interface PositionRange {
  readonly min: Point2;
  readonly max: Point2;
}

function positionRange(corners: Float64Array, { a, b, r }: RoundedRectangle): PositionRange {
  const min: [number, number] = [-Infinity, -Infinity];
  const max: [number, number] = [Infinity, Infinity];
  for (let i = 0; i < corners.length; i++) {
    const half = (i % 2 === 0 ? a : b) + r;
    min[i % 2] = Math.max(min[i % 2], -half - corners[i]);
    max[i % 2] = Math.min(max[i % 2], half - corners[i]);
  }
  return { min, max };
}

/** With twice the tolerance, so that a disc that is already active is not violated by rounding errors. */
function worstViolatedDisc(corners: Float64Array, footprint: RoundedRectangle, [x, y]: Point2): Disc | undefined {
  let worst = 2 * TOLERANCE_MM;
  let broken: Disc | undefined;
  for (let i = 0; i < corners.length; i += 2) {
    const outside = distanceOutside(footprint, x + corners[i], y + corners[i + 1]);
    if (outside <= worst) continue;
    worst = outside;
    const side: Point2 = [Math.sign(x + corners[i]), Math.sign(y + corners[i + 1])];
    broken = { centre: [side[0] * footprint.a - corners[i], side[1] * footprint.b - corners[i + 1]], side };
  }
  return broken;
}

function nearestFeasible(range: PositionRange, discs: readonly Disc[], r: number, wanted: Point2): Point2 | undefined {
  let nearest: Point2 | undefined;
  let leastMm = Infinity;
  for (const place of candidates(range, discs, r, wanted)) {
    const distanceMm = Math.hypot(place[0] - wanted[0], place[1] - wanted[1]);
    if (distanceMm < leastMm && isFeasible(place, range, discs, r)) [nearest, leastMm] = [place, distanceMm];
  }
  return nearest;
}

const isFeasible = ([x, y]: Point2, { min, max }: PositionRange, discs: readonly Disc[], r: number): boolean =>
  x >= min[0] - TOLERANCE_MM &&
  x <= max[0] + TOLERANCE_MM &&
  y >= min[1] - TOLERANCE_MM &&
  y <= max[1] + TOLERANCE_MM &&
  discs.every(({ centre, side }) => {
    const beyondX = Math.max(side[0] * (x - centre[0]), 0);
    const beyondY = Math.max(side[1] * (y - centre[1]), 0);
    return Math.hypot(beyondX, beyondY) <= r + TOLERANCE_MM;
  });

/** The nearest position in the box, in each disc, and the intersections of two boundaries. */
function* candidates(
  { min, max }: PositionRange,
  discs: readonly Disc[],
  r: number,
  wanted: Point2,
): Generator<Point2> {
  yield [clamp(wanted[0], min[0], max[0]), clamp(wanted[1], min[1], max[1])];
  for (const [i, disc] of discs.entries()) {
    const [x, y] = disc.centre;
    const [toX, toY] = [wanted[0] - x, wanted[1] - y];
    const distance = Math.hypot(toX, toY);
    if (distance > r) yield [x + (toX / distance) * r, y + (toY / distance) * r];
    for (const edge of [min[0], max[0]]) for (const rise of otherLegs(r, edge - x)) yield [edge, y + rise];
    for (const edge of [min[1], max[1]]) for (const run of otherLegs(r, edge - y)) yield [x + run, edge];
    for (const { centre } of discs.slice(0, i)) yield* circleIntersections(centre, [x, y], r);
  }
}

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);

/** The other leg of a right triangle with hypotenuse `r`, with both signs. */
function otherLegs(r: number, leg: number): number[] {
  if (Math.abs(leg) > r + TOLERANCE_MM) return [];
  const other = Math.sqrt(Math.max(0, r * r - leg * leg));
  return [other, -other];
}

/** The intersections of two circles of radius `r`. */
function circleIntersections([x, y]: Point2, [u, v]: Point2, r: number): Point2[] {
  const [halfX, halfY] = [(u - x) / 2, (v - y) / 2];
  const half = Math.hypot(halfX, halfY);
  if (half === 0) return [];
  return otherLegs(r, half).map((leg) => [x + halfX - (halfY / half) * leg, y + halfY + (halfX / half) * leg]);
}
