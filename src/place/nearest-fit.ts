import { outsideMm, type RoundedRectangle } from "./volume.ts";

type Xy = readonly [x: number, y: number];

/** Places that bring a corner into a rounded corner of the rectangle: a disc, as far as `side` looks outward. */
interface Disc {
  readonly centre: Xy;
  /** Signs of x and y of the rounded corner. */
  readonly side: Xy;
}

/** Rounding that a limit forgives: far above that of its numbers, far below the tolerance of bounds. */
const SLACK_MM = 1e-9;

/**
 * The place nearest to `wanted` where a shape lies in the rounded rectangle, or undefined where there is none. The
 * places that fit are a box, which keeps the corners between the straight sides, cut by one disc for each corner of the
 * shape and rounded corner: a convex set. The nearest of them is pinned by at most two of those limits, so it is found
 * in closed form among the discs met so far, and the disc it breaks worst joins them until it breaks none.
 *
 * @param corners x, y of each corner of the shape, relative to its place.
 */
export function nearestFit(corners: Float64Array, footprint: RoundedRectangle, wanted: Xy): Xy | undefined {
  const range = boxOfPlaces(corners, footprint);
  const discs: Disc[] = [];
  for (;;) {
    const place = nearestAllowed(range, discs, footprint.r, wanted);
    if (!place) return undefined;
    const broken = worstBroken(corners, footprint, place);
    if (!broken) return place;
    discs.push(broken);
  }
}

interface Range {
  readonly min: Xy;
  readonly max: Xy;
}

function boxOfPlaces(corners: Float64Array, { a, b, r }: RoundedRectangle): Range {
  const min: [number, number] = [-Infinity, -Infinity];
  const max: [number, number] = [Infinity, Infinity];
  for (let i = 0; i < corners.length; i++) {
    const half = (i % 2 === 0 ? a : b) + r;
    min[i % 2] = Math.max(min[i % 2], -half - corners[i]);
    max[i % 2] = Math.min(max[i % 2], half - corners[i]);
  }
  return { min, max };
}

/** Twice the slack, so that rounding never breaks a disc that already counts. */
function worstBroken(corners: Float64Array, footprint: RoundedRectangle, [x, y]: Xy): Disc | undefined {
  let worst = 2 * SLACK_MM;
  let broken: Disc | undefined;
  for (let i = 0; i < corners.length; i += 2) {
    const outside = outsideMm(footprint, x + corners[i], y + corners[i + 1]);
    if (outside <= worst) continue;
    worst = outside;
    const side: Xy = [Math.sign(x + corners[i]), Math.sign(y + corners[i + 1])];
    broken = { centre: [side[0] * footprint.a - corners[i], side[1] * footprint.b - corners[i + 1]], side };
  }
  return broken;
}

function nearestAllowed(range: Range, discs: readonly Disc[], r: number, wanted: Xy): Xy | undefined {
  let nearest: Xy | undefined;
  let leastMm = Infinity;
  for (const place of candidates(range, discs, r, wanted)) {
    const distanceMm = Math.hypot(place[0] - wanted[0], place[1] - wanted[1]);
    if (distanceMm < leastMm && isAllowed(place, range, discs, r)) [nearest, leastMm] = [place, distanceMm];
  }
  return nearest;
}

const isAllowed = ([x, y]: Xy, { min, max }: Range, discs: readonly Disc[], r: number): boolean =>
  x >= min[0] - SLACK_MM && x <= max[0] + SLACK_MM && y >= min[1] - SLACK_MM && y <= max[1] + SLACK_MM &&
  discs.every(({ centre, side }) => {
    const beyondX = Math.max(side[0] * (x - centre[0]), 0);
    const beyondY = Math.max(side[1] * (y - centre[1]), 0);
    return Math.hypot(beyondX, beyondY) <= r + SLACK_MM;
  });

/** The nearest place in the box alone, in each disc alone, and where the limits of two cross. */
function* candidates({ min, max }: Range, discs: readonly Disc[], r: number, wanted: Xy): Generator<Xy> {
  yield [clamp(wanted[0], min[0], max[0]), clamp(wanted[1], min[1], max[1])];
  for (const [i, { centre: [x, y] }] of discs.entries()) {
    const [toX, toY] = [wanted[0] - x, wanted[1] - y];
    const distance = Math.hypot(toX, toY);
    if (distance > r) yield [x + (toX / distance) * r, y + (toY / distance) * r];
    for (const edge of [min[0], max[0]]) for (const rise of legs(r, edge - x)) yield [edge, y + rise];
    for (const edge of [min[1], max[1]]) for (const run of legs(r, edge - y)) yield [x + run, edge];
    for (const { centre } of discs.slice(0, i)) yield* crossings(centre, [x, y], r);
  }
}

const clamp = (value: number, min: number, max: number): number => Math.min(Math.max(value, min), max);

/** The two lengths that complete `leg` to a right triangle of hypotenuse `r`. */
function legs(r: number, leg: number): number[] {
  if (Math.abs(leg) > r + SLACK_MM) return [];
  const other = Math.sqrt(Math.max(0, r * r - leg * leg));
  return [other, -other];
}

/** Where two circles of radius `r` cross. */
function crossings([x, y]: Xy, [u, v]: Xy, r: number): Xy[] {
  const [halfX, halfY] = [(u - x) / 2, (v - y) / 2];
  const half = Math.hypot(halfX, halfY);
  if (half === 0) return [];
  return legs(r, half).map((leg) => [x + halfX - (halfY / half) * leg, y + halfY + (halfX / half) * leg]);
}
