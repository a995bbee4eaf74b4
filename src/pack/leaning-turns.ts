import { type RoundedRectangle, nearestFit } from "../geometry/build-volume.ts";
import { convexHull } from "../geometry/convex-hull.ts";
import { type Mat3, type Vec3, add, cosSin, dot, times, unit } from "../geometry/vector.ts";
import type { Room } from "./clearance.ts";
import { extentAlong, sidesOf } from "./turns.ts";

/** Number of directions that slanted leans try as the upward one, spread evenly over the half sphere. */
const DIRECTIONS = 400;
/** Step of the rotations about that direction, and steps of the refinement, degrees. */
const SPIN_DEG = 5;
const REFINED_DEG = [4, 2, 1, 0.5, 0.25] as const;

/**
 * A lean with a side of the smallest box upright is preferred, unless a slanted lean is lower than this share of its height: upright parts
 * fit side by side, while nothing fits below a slanted part.
 */
const MUCH_LOWER = 0.95;
/** Step of the rotations about an upright side, degrees. */
const FINE_SPIN_DEG = 1;

interface Lean {
  readonly up: Vec3;
  readonly spinDeg: number;
  readonly heightMm: number;
}

/**
 * The rotation in which points (the extreme ones of a scaled mesh) fit in a room and are lowest, if lower than `belowMm`. Points that are
 * longer than the room or one of its sides fit along a diagonal. Undefined if none is found.
 */
export function leaningTurn(points: readonly Vec3[], base: Mat3, room: Room, belowMm: number): Mat3 | undefined {
  const axes = [0, 3, 6].map((at): Vec3 => [base[at], base[at + 1], base[at + 2]]);
  const upright = uprightLean(points, axes, room, belowMm);
  const slantedBelowMm = upright ? MUCH_LOWER * upright.heightMm : belowMm;
  const lean = slantedLean(points, room, slantedBelowMm) ?? upright;
  return lean && rotationOf(lean.up, lean.spinDeg);
}

/** The lowest lean with one of the axes upright, in the rotation about this axis that leaves most room for more parts next to it. */
function uprightLean(points: readonly Vec3[], axes: readonly Vec3[], room: Room, belowMm: number): Lean | undefined {
  const lengths = axes.map((axis) => extentAlong(points, axis));
  const longest = axes[lengths.indexOf(Math.max(...lengths))];
  let best: (Lean & { readonly besideMm: number }) | undefined;
  for (const up of axes) {
    const heightMm = extentAlong(points, up);
    if (heightMm > heightOf(room) || heightMm >= belowMm || (best && heightMm > best.heightMm)) continue;
    for (let spinDeg = 0; spinDeg < 180; spinDeg += FINE_SPIN_DEG) {
      const rotation = rotationOf(up, spinDeg);
      const besideMm = roomBesideMm(points, rotation, longest, room.footprint);
      if (best && heightMm === best.heightMm && besideMm <= best.besideMm) continue;
      if (fitsInFootprint(points, rotation, room.footprint)) best = { up, spinDeg, heightMm, besideMm };
    }
  }
  return best;
}

/** How far the points may move across their longest axis in a footprint, whose rounded corners do not count. */
function roomBesideMm(points: readonly Vec3[], rotation: Mat3, longest: Vec3, { a, b, r }: RoundedRectangle): number {
  const [x, y] = [0, 3].map((at): Vec3 => [rotation[at], rotation[at + 1], rotation[at + 2]]);
  const freeXMm = 2 * (a + r) - extentAlong(points, x);
  const freeYMm = 2 * (b + r) - extentAlong(points, y);
  return freeXMm * Math.abs(dot(y, longest)) + freeYMm * Math.abs(dot(x, longest));
}

/** The lowest lean found in any direction. */
function slantedLean(points: readonly Vec3[], room: Room, belowMm: number): Lean | undefined {
  let best: Lean | undefined;
  const consider = (up: Vec3, spinDeg: number, heightMm = extentAlong(points, up)): void => {
    if (heightMm > heightOf(room) || heightMm >= (best?.heightMm ?? belowMm)) return;
    if (fitsInFootprint(points, rotationOf(up, spinDeg), room.footprint)) best = { up, spinDeg, heightMm };
  };
  for (const up of evenDirections()) {
    const heightMm = extentAlong(points, up);
    for (let spinDeg = 0; spinDeg < 180; spinDeg += SPIN_DEG) consider(up, spinDeg, heightMm);
  }
  for (const stepDeg of REFINED_DEG) {
    for (let last = undefined as Lean | undefined; best !== last;) {
      last = best;
      if (last) for (const [up, spinDeg] of leansBeside(last, stepDeg)) consider(up, spinDeg);
    }
  }
  return best;
}

const heightOf = ({ min, max }: Room): number => max[2] - min[2];

/** Leans a step away from one. */
function leansBeside({ up, spinDeg }: Lean, stepDeg: number): (readonly [Vec3, number])[] {
  const [x, y] = sidesOf(up);
  const share = (stepDeg * Math.PI) / 180;
  const beside = [times(x, share), times(x, -share), times(y, share), times(y, -share)];
  return beside.flatMap((step) => [-stepDeg, 0, stepDeg].map((spin) => [unit(add(up, step)), spinDeg + spin] as const));
}

function evenDirections(): Vec3[] {
  return Array.from({ length: DIRECTIONS }, (_, k): Vec3 => {
    const z = 1 - (k + 0.5) / DIRECTIONS;
    const [c, s] = cosSin(k * Math.PI * (3 - Math.sqrt(5)));
    const r = Math.sqrt(1 - z * z);
    return [r * c, r * s, z];
  });
}

function rotationOf(up: Vec3, spinDeg: number): Mat3 {
  const [x, y] = sidesOf(up);
  const [c, s] = cosSin((spinDeg * Math.PI) / 180);
  return [...add(times(x, c), times(y, -s)), ...add(times(x, s), times(y, c)), ...up];
}

function fitsInFootprint(points: readonly Vec3[], rotation: Mat3, footprint: RoundedRectangle): boolean {
  const [x, y] = [0, 3].map((at): Vec3 => [rotation[at], rotation[at + 1], rotation[at + 2]]);
  const { a, b, r } = footprint;
  if (extentAlong(points, x) > 2 * (a + r) || extentAlong(points, y) > 2 * (b + r)) return false;
  const hull = convexHull(
    Float64Array.from(points, (point) => dot(point, x)),
    Float64Array.from(points, (point) => dot(point, y)),
  );
  return nearestFit(hull, footprint, [0, 0]) !== undefined;
}
