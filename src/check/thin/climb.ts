import { add, dot, exactLength, subtract, times, unit, type Vec3 } from "../../core/geometry.ts";
import type { FacetTree } from "../../mesh/bvh/facet-tree.ts";
import { nearestPoint } from "../../mesh/bvh/nearest-point.ts";
import { type Ball, largestBall, type TouchingBall } from "./largest-ball.ts";

/**
 * Two sides that meet at a smaller angle make a thin edge, others the edge of something thick: those of a cube (90°) and of a
 * tetrahedron (70.5°) are thick. The directions from a place between the sides to the two differ by 180° less that angle.
 */
const LEAST_THICK_EDGE_DEG = 65;
const COS_OF_THIN = Math.fround(Math.cos(((180 - LEAST_THICK_EDGE_DEG) / 180) * Math.PI));

/** Between walls that are parallel within 10° a ball is in something thin, whatever thick balls there are beside it. */
const COS_OF_WALLS = -0.985;

/** Steps are shares of the ball's radius, so they stay inside it. Where a long one leads to nothing larger, a shorter one may. */
const STEPS = [1, 2, 3, 4, 5, 6, 7, 8].map((halves) => 2 ** -halves);
/** Small balls at an edge go up it by twice their radius at once, if the larger ball still holds the place they come from. */
const LEAP = 2;
/** Of the thick radius: what is larger after a leap might have passed between two sides. */
const LARGEST_LEAP = 0.5;
/** A step leads up where the ball grows by more than this share of it. */
const LEAST_SLOPE = 0.1;
/** So many sides may stand around a place; where no way leads away from them all, none is looked for any more. */
const MOST_SIDES = 8;
const MOST_STEPS = 60;

/**
 * The ball that fills the thin part of a solid that a place of it belongs to, or undefined where it belongs to something
 * thick. From a foot on the surface, which `inward` leads away from, the way goes up along the solid's medial axis to ever
 * larger balls. Where it comes to one of `thickMm` radius it was the edge or corner of a thick body; where it first comes
 * between two sides that almost face each other, or where no larger ball is near, it has been in something thin.
 */
export function climb(tree: FacetTree, foot: Vec3, inward: Vec3, thickMm: number): Ball | undefined {
  let ball = largestBall(tree, foot, inward, thickMm);
  for (let step = 0; step < MOST_STEPS; step++) {
    if (ball.feet.length === 1) return undefined;
    const away = ball.feet.map((place) => unit(subtract(ball.centre, place)));
    if (dot(away[0], away[1]) < COS_OF_THIN || facesAcross(tree, ball, away[0], thickMm)) return ball;
    const next = leapUp(tree, ball, away, thickMm) ?? larger(tree, ball, away, thickMm);
    if (next === "thick") return undefined;
    if (!next) return ball;
    ball = next;
  }
  return ball;
}

/** The ball that touches the surface at a foot and, all but facing that, at a wall that is closer than a thick ball is wide. */
export function betweenWalls(tree: FacetTree, foot: Vec3, inward: Vec3, thickMm: number): Ball | undefined {
  const ball = largestBall(tree, foot, inward, thickMm);
  const [, other] = ball.feet;
  return other && dot(inward, unit(subtract(ball.centre, other))) < COS_OF_WALLS ? ball : undefined;
}

/** How far across a ball a side is looked for that faces its first foot, in its radii beyond its centre. */
const ACROSS = 0.25;

/**
 * Whether a side that almost faces the ball's first foot is so close behind the ball that between the two none of the
 * thick radius has room. Rods and cones have sides all around, of which a ball touches but two.
 */
function facesAcross(tree: FacetTree, { centre, radiusMm }: TouchingBall, away: Vec3, thickMm: number): boolean {
  const place = add(centre, times(away, ACROSS * radiusMm));
  const nearest = nearestPoint(tree, place, radiusMm);
  if (!nearest || nearest.distanceMm === 0) return false;
  const back = unit(subtract(place, nearest.point));
  const gapMm = dot(subtract(centre, nearest.point), back);
  return radiusMm + gapMm < 2 * thickMm && dot(back, away) < COS_OF_THIN;
}

/** A larger ball a leap away that holds the centre of this one, if there is one. */
function leapUp(
  tree: FacetTree,
  { centre, radiusMm }: TouchingBall,
  awayFromFeet: readonly Vec3[],
  thickMm: number,
): TouchingBall | undefined {
  const mostMm = LARGEST_LEAP * thickMm;
  const leapMm = LEAP * radiusMm;
  if (leapMm > mostMm) return undefined;
  const place = add(centre, times(unit(awayFromFeet.reduce(add)), leapMm));
  const nearest = nearestPoint(tree, place, mostMm);
  if (!nearest || nearest.distanceMm < leapMm) return undefined;
  return largestBall(tree, nearest.point, unit(subtract(place, nearest.point)), thickMm);
}

/** A larger ball a step away, if there is one. */
function larger(
  tree: FacetTree,
  ball: TouchingBall,
  awayFromFeet: readonly Vec3[],
  thickMm: number,
): TouchingBall | "thick" | undefined {
  for (const step of STEPS) {
    const found = stepUp(tree, ball, awayFromFeet, step, thickMm);
    if (found) return found;
  }
  return undefined;
}

/** Steps away from the ball's feet. What then is in the way is turned away from, too. */
function stepUp(
  tree: FacetTree,
  { centre, radiusMm }: TouchingBall,
  awayFromFeet: readonly Vec3[],
  step: number,
  thickMm: number,
): TouchingBall | "thick" | undefined {
  let way = awayFromFeet.reduce(add);
  for (let sides = awayFromFeet.length; sides <= MOST_SIDES; sides++) {
    const size = exactLength(way);
    if (size === 0) return undefined;
    const place = add(centre, times(way, (step * radiusMm) / size));
    const nearest = nearestPoint(tree, place, thickMm);
    if (!nearest) return "thick";
    if (nearest.distanceMm > (1 + LEAST_SLOPE * step) * radiusMm) {
      return largestBall(tree, nearest.point, unit(subtract(place, nearest.point)), thickMm);
    }
    way = add(way, unit(subtract(centre, nearest.point)));
  }
  return undefined;
}
