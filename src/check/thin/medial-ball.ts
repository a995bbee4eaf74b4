import { type Ball, type Vec3, add, dot, exactLength, subtract, times, unit } from "../../geometry/vector.ts";
import type { Bvh } from "../../mesh/bvh/bvh.ts";
import { closestPoint, distanceToSurface } from "../../mesh/bvh/closest-point.ts";

/** A ball inside a solid that touches its surface. */
interface TouchingBall extends Ball {
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
 * neighbors and the normal field" (2012): a ball through the foot shrinks until no surface is inside it.
 */
export function medialBall(tree: Bvh, foot: Vec3, inward: Vec3, maxMm: number): TouchingBall {
  let radiusMm = maxMm;
  let other: Vec3 | undefined;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const nearest = closestPoint(tree, add(foot, times(inward, radiusMm)), (1 - TOLERANCE) * radiusMm);
    if (!nearest) break;
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
 * The centre of a ball of the given radius inside a solid that covers `point`, a point inside the solid; undefined where the search
 * from `start` finds none. The ball is alternately moved away from the surface and back over the point, at most `moves` times. A ball
 * that covers a point of the solid and does not intersect the surface is inside the solid. A patient search does all moves. Source:
 * projections onto convex sets (Gubin, Polyak, Raik 1967).
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
    const nearest = closestPoint(tree, centre, (1 - ROUNDING) * radiusMm);
    if (!nearest) return centre;
    const { point: surfacePoint, distanceMm } = nearest;
    depth = radiusMm - distanceMm;
    if (distanceMm === 0) return undefined;
    if (move % 2 === 1 && !isPatient) {
      if (depth > MIN_GAIN * maxDepth) return undefined;
      maxDepth = depth;
    }
    const by = (RELAXATION * depth) / distanceMm;
    centre = movedOver(point, add(centre, times(subtract(centre, surfacePoint), by)), radiusMm);
  }
  return depth < ALMOST_FITTING * radiusMm ? centre : undefined;
}

/** Whether a ball does not intersect the surface. */
export const ballFits = (tree: Bvh, centre: Vec3, radiusMm: number): boolean =>
  distanceToSurface(tree, centre, (1 - ROUNDING) * radiusMm) === (1 - ROUNDING) * radiusMm;

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

/**
 * The ball that fills the thin part that contains a point of a solid; undefined where the point is in a thick part. From a foot on the
 * surface, with `inward` leading into the solid, the search climbs along the medial axis to larger and larger balls. If it reaches a
 * ball of `thickMm` radius, the foot is at an edge or corner of a thick part. If it first comes between two sides that almost face
 * each other, or finds no larger ball, the foot is at a thin part.
 */
export function climbMedialAxis(tree: Bvh, foot: Vec3, inward: Vec3, thickMm: number): Ball | undefined {
  let ball = medialBall(tree, foot, inward, thickMm);
  for (let step = 0; step < MAX_STEPS; step++) {
    if (ball.feet.length === 1) return undefined;
    const away = ball.feet.map((foot) => unit(subtract(ball.centre, foot)));
    if (dot(away[0], away[1]) < THIN_COSINE || isFaced(tree, ball, away[0], thickMm)) return ball;
    const next = leapUp(tree, ball, away, thickMm) ?? stepUp(tree, ball, away, thickMm);
    if (next === "thick") return undefined;
    if (!next) return ball;
    ball = next;
  }
  return ball;
}

/**
 * The ball that touches the surface at a foot and at an almost parallel wall nearer than the diameter of a thick ball.
 */
export function ballBetweenWalls(tree: Bvh, foot: Vec3, inward: Vec3, thickMm: number): Ball | undefined {
  const ball = medialBall(tree, foot, inward, thickMm);
  const [, other] = ball.feet;
  return other && dot(inward, unit(subtract(ball.centre, other))) < WALLS_COSINE ? ball : undefined;
}

/** The search for a side opposite to the first foot starts this far beyond the centre of the ball, in radii. */
const OPPOSITE = 0.25;

/**
 * Whether a side that almost faces the first foot of a ball is so close behind the ball that no thick ball fits between the two. Rods
 * and cones have sides all around, and a ball touches only two of them.
 */
function isFaced(tree: Bvh, { centre, radiusMm }: TouchingBall, away: Vec3, thickMm: number): boolean {
  const point = add(centre, times(away, OPPOSITE * radiusMm));
  const nearest = closestPoint(tree, point, radiusMm);
  if (!nearest || nearest.distanceMm === 0) return false;
  const back = unit(subtract(point, nearest.point));
  const gapMm = dot(subtract(centre, nearest.point), back);
  return radiusMm + gapMm < 2 * thickMm && dot(back, away) < THIN_COSINE;
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
