import { type Ball, type Vec3, add, dot, exactLength, subtract, times, unit } from "../../geometry/vector.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import { type ClosestPoint, closestPoint } from "../../mesh/bvh/closest-point.ts";

/** A ball inside a solid that touches its surface. */
export interface TouchingBall extends Ball {
  /** The points at which it touches the surface. The second is missing if only the given limit keeps the ball from growing. */
  readonly feet: readonly [Vec3] | readonly [Vec3, Vec3];
}

/** Radii and distances that differ by a smaller share are equal. */
const TOLERANCE = 1e-4;

/** Rounds after which a search ends. It is never reached: the shrinking ball converges in a few rounds. */
const MAX_ROUNDS = 30;

/**
 * The largest ball inside a solid, of at most `maxMm` radius, that touches its surface at `foot`; `inward` is the unit vector from
 * there into the solid. The shrinking ball algorithm of J. Ma, S. W. Bae, S. Choi, "3D medial axis point approximation using nearest
 * neighbors and the normal field" (2012): a ball through the foot shrinks until no surface is inside it. `first`: the nearest point of
 * the surface to the centre of the ball of `maxMm`, where it is known ({@link surfaceInBall}).
 */
export function medialBall(
  tree: Bvh,
  foot: Vec3,
  inward: Vec3,
  maxMm: number,
  first = surfaceInBall(tree, add(foot, times(inward, maxMm)), maxMm),
): TouchingBall {
  let radiusMm = maxMm;
  let other: Vec3 | undefined;
  let nearest = first;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    if (round > 0) nearest = surfaceInBall(tree, add(foot, times(inward, radiusMm)), radiusMm);
    if (!nearest || nearest.distanceMm >= (1 - TOLERANCE) * radiusMm) break;
    const away = subtract(nearest.point, foot);
    const smallerMm = dot(away, away) / (2 * dot(away, inward));
    other = nearest.point;
    const hasConverged = smallerMm > (1 - TOLERANCE) * radiusMm;
    radiusMm = smallerMm;
    if (hasConverged) break;
  }
  return { centre: add(foot, times(inward, radiusMm)), radiusMm, feet: other ? [foot, other] : [foot] };
}

/** Over-relaxation: a ball moves by this many times the depth of its intersection. Values above 1 reach corners sooner; 2 diverges. */
const RELAXATION = 1.5;

/** Share by which radii are reduced, for rounding. */
const ROUNDING = 1e-6;

/** Share of a radius: a ball that intersects the surface by less at the end of the search would fit after a few more moves. */
const ALMOST_FITTING = 2e-3;

/** A search ends when two moves leave more than this share of the intersection: the walls are then too close to each other. */
const MIN_GAIN = 0.7;

/**
 * A patient search ends early where intersections that go on shrinking as in the last two moves would in the end be this many times too
 * deep, but not before some moves, since the first ones are erratic. This adds about 0.1 % to the volume of thin parts.
 */
const HOPELESS = 64;
const HOPELESS_AFTER = 13;

/**
 * The centre of a ball of the given radius inside a solid that covers `point`, a point inside the solid; undefined where the search
 * from `start` finds none. The ball is alternately moved away from the surface and back over the point, at most `moves` times. A ball
 * that covers a point of the solid and does not intersect the surface is inside the solid. A patient search goes on as long as there is
 * hope. Source: projections onto convex sets (Gubin, Polyak, Raik 1967).
 */
export function coveringBall(
  tree: Bvh,
  point: Vec3,
  start: Vec3,
  radiusMm: number,
  moves: number,
  isPatient: boolean,
): Vec3 | undefined {
  let centre = movedOver(point, start, radiusMm);
  let maxDepth = radiusMm;
  let depth = radiusMm;
  for (let move = 0; move < moves; move++) {
    const nearest = surfaceInBall(tree, centre, radiusMm);
    if (!nearest) return centre;
    const { point: surfacePoint, distanceMm } = nearest;
    depth = radiusMm - distanceMm;
    if (distanceMm === 0) return undefined;
    if (move % 2 === 1) {
      if (!isPatient && depth > MIN_GAIN * maxDepth) return undefined;
      if (isPatient && move >= HOPELESS_AFTER) {
        const last = extrapolated(depth, depth / maxDepth, (moves - 1 - move) >> 1);
        if (last > HOPELESS * ALMOST_FITTING * radiusMm) return undefined;
      }
      maxDepth = depth;
    }
    const by = (RELAXATION * depth) / distanceMm;
    centre = movedOver(point, add(centre, times(subtract(centre, surfacePoint), by)), radiusMm);
  }
  return depth < ALMOST_FITTING * radiusMm ? centre : undefined;
}

/** The value after `steps` multiplications by `factor`. Not a power, whose last bit differs between engines. */
function extrapolated(value: number, factor: number, steps: number): number {
  let last = value;
  for (let step = 0; step < steps; step++) last *= factor;
  return last;
}

/** The point of the surface nearest to the centre of a ball; undefined where the ball does not intersect the surface. */
export const surfaceInBall = (tree: Bvh, centre: Vec3, radiusMm: number): ClosestPoint | undefined =>
  closestPoint(tree, centre, (1 - ROUNDING) * radiusMm);

/** The centre of a ball that is moved straight towards a point until the ball covers the point. */
function movedOver(point: Vec3, centre: Vec3, radiusMm: number): Vec3 {
  const away = subtract(centre, point);
  const gap = exactLength(away);
  const maxMm = (1 - ROUNDING) * radiusMm;
  return gap <= maxMm ? centre : add(point, times(away, maxMm / gap));
}

/**
 * Two sides that meet at a smaller dihedral angle form a thin edge; the edges of cubes (90°) and tetrahedra (70.5°) are thick. The
 * directions from a point between the sides to the two sides differ by 180° minus that angle.
 */
const MIN_THICK_EDGE_DEG = 65;
const THIN_COSINE = Math.fround(Math.cos(((180 - MIN_THICK_EDGE_DEG) / 180) * Math.PI));

/** Cosine of 170°: a ball between walls that are parallel within 10° is in a thin part, whatever thick balls are next to it. */
const WALLS_COSINE = -0.985;

/** Step lengths in radii of the ball, so that steps stay inside it; a shorter step is tried where a longer one leads to no larger ball. */
const STEPS = [1, 2, 3, 4, 5, 6, 7, 8].map((halves) => 2 ** -halves);
/** A small ball leaps along an edge by this many radii, if the larger ball then covers its centre. */
const LEAP = 2;
/** Largest radius after a leap, in thick radii: a larger ball might have passed between two sides. */
const MAX_LEAP = 0.5;
/** A step leads up where the ball grows by more than this share of the step. */
const MIN_SLOPE = 0.1;
/** Maximum number of sides around a ball that a step leads away from. */
const MAX_SIDES = 8;
const MAX_STEPS = 60;

/** A ball that fills a thin part of a solid. */
interface ThinBall extends Ball {
  /** Half the thickness of the part: the radius of the ball, or half the distance of two sides that face each other around it. */
  readonly halfMm: number;
}

const thinBall = ({ centre, radiusMm }: Ball, halfMm = radiusMm): ThinBall => ({ centre, radiusMm, halfMm });

/**
 * The ball that fills the thin part of a solid that contains the foot of a medial ball; undefined where the foot is in a thick part. The
 * search climbs from the ball along the medial axis to larger and larger ones. If it reaches a ball of `thickMm` radius, the foot is at
 * an edge or corner of a thick part. If it first comes between two sides that almost face each other, or finds no larger ball, the foot
 * is at a thin part.
 */
export function climbMedialAxis(tree: Bvh, from: TouchingBall, thickMm: number): ThinBall | undefined {
  let ball = from;
  for (let step = 0; step < MAX_STEPS; step++) {
    if (ball.feet.length === 1) return undefined;
    const away = ball.feet.map((foot) => unit(subtract(ball.centre, foot)));
    if (dot(away[0], away[1]) < THIN_COSINE) return thinBall(ball);
    const facedMm = halfWidthBehind(tree, ball, away[0]);
    if (facedMm !== undefined && facedMm < thickMm) return thinBall(ball, Math.max(ball.radiusMm, facedMm));
    const next = leapUp(tree, ball, away, thickMm) ?? stepUp(tree, ball, away, thickMm);
    if (next === "thick") return undefined;
    if (!next) return thinBall(ball);
    ball = next;
  }
  return thinBall(ball);
}

/** Whether a medial ball touches an almost parallel wall opposite to its foot. */
export function isBetweenWalls({ centre, feet: [, other] }: TouchingBall, inward: Vec3): boolean {
  return other !== undefined && dot(inward, unit(subtract(centre, other))) < WALLS_COSINE;
}

/** The search for a side opposite to the first foot starts this far beyond the centre of the ball, in radii. */
const OPPOSITE = 0.25;

/**
 * Half the distance from the first foot of a ball to a side behind the ball that almost faces it: the radius of a ball that fits between
 * the two. Undefined where no such side is close by. Rods and cones have sides all around, and a ball touches only two of them.
 */
function halfWidthBehind(tree: Bvh, { centre, radiusMm }: TouchingBall, away: Vec3): number | undefined {
  const point = add(centre, times(away, OPPOSITE * radiusMm));
  const nearest = closestPoint(tree, point, radiusMm);
  if (!nearest || nearest.distanceMm === 0) return undefined;
  const back = unit(subtract(point, nearest.point));
  if (dot(back, away) >= THIN_COSINE) return undefined;
  return (radiusMm + dot(subtract(centre, nearest.point), back)) / 2;
}

/** A larger ball a leap away that covers the centre of this ball; undefined where there is none. */
function leapUp(
  tree: Bvh,
  { centre, radiusMm }: TouchingBall,
  awayFromFeet: readonly Vec3[],
  thickMm: number,
): TouchingBall | undefined {
  const maxMm = MAX_LEAP * thickMm;
  const leapMm = LEAP * radiusMm;
  if (leapMm > maxMm) return undefined;
  const point = add(centre, times(unit(awayFromFeet.reduce(add)), leapMm));
  const nearest = closestPoint(tree, point, maxMm);
  if (!nearest || nearest.distanceMm < leapMm) return undefined;
  return medialBall(tree, nearest.point, unit(subtract(point, nearest.point)), thickMm);
}

/** A larger ball a step away; undefined where there is none. */
function stepUp(
  tree: Bvh,
  ball: TouchingBall,
  awayFromFeet: readonly Vec3[],
  thickMm: number,
): TouchingBall | "thick" | undefined {
  for (const step of STEPS) {
    const found = stepBy(step, tree, ball, awayFromFeet, thickMm);
    if (found) return found;
  }
  return undefined;
}

/** Steps away from the feet of a ball, and from further sides that turn out to be in the way. `step`: in radii. */
function stepBy(
  step: number,
  tree: Bvh,
  { centre, radiusMm }: TouchingBall,
  awayFromFeet: readonly Vec3[],
  thickMm: number,
): TouchingBall | "thick" | undefined {
  let direction = awayFromFeet.reduce(add);
  for (let sides = awayFromFeet.length; sides <= MAX_SIDES; sides++) {
    const size = exactLength(direction);
    if (size === 0) return undefined;
    const point = add(centre, times(direction, (step * radiusMm) / size));
    const nearest = closestPoint(tree, point, thickMm);
    if (!nearest) return "thick";
    if (nearest.distanceMm > (1 + MIN_SLOPE * step) * radiusMm) {
      return medialBall(tree, nearest.point, unit(subtract(point, nearest.point)), thickMm);
    }
    direction = add(direction, unit(subtract(centre, nearest.point)));
  }
  return undefined;
}
