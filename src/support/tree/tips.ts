import { type Ball, type Vec3, add, cosSin, dot, lerp, times } from "../../geometry/vector.ts";
import { raycast } from "../../mesh/bvh/raycast.ts";
import { windingNumber } from "../../mesh/bvh/winding-number.ts";
import type { SurfacePoint } from "../points/underside.ts";
import { MAX_WIDENING_MM, type RoutingSpace, isBallInVolume, isPathClear } from "./clearance.ts";
import { CLEARANCE_MM, PENETRATION, TIP_CLEARANCE_MM, TIP_LENGTHS_MM, TWIG_RADIUS_MM } from "./support-tree.ts";

/** The strut that touches the model: a ball that enters its surface, and the ball at which a pillar continues. */
export interface Tip {
  readonly touch: Ball;
  readonly end: Ball;
}

/** Least cosine between a tip and the surface normal: a tip leaves the surface at 14.5° or steeper. */
const MIN_NORMAL_COSINE = 0.25;
/** Pieces in which a tip's clearance is checked. */
const PIECES = 3;
/** How far a surface may bulge towards a tip, compared with a flat one, where the tip's clearance begins. */
const BULGE_MM = 0.1;

/** Downward directions: vertical, and at 22.5° and 45° from vertical to eight sides. */
const DIRECTIONS: readonly Vec3[] = [
  [0, 0, -1],
  ...[22.5, 45].flatMap((leanDeg) =>
    Array.from({ length: 8 }, (_, i): Vec3 => {
      const [down, horizontal] = cosSin((leanDeg * Math.PI) / 180);
      const [x, y] = cosSin((i * Math.PI) / 4);
      return [horizontal * x, horizontal * y, -down];
    }),
  ),
];

/** Tried in this order. The first `freeMm` of a tip may be without clearance: next to a wall no other tip is possible. */
const ATTEMPTS = [
  { lengths: TIP_LENGTHS_MM.filter((length) => length >= 1.5), freeMm: 0 },
  { lengths: TIP_LENGTHS_MM.filter((length) => length < 1.5), freeMm: 0 },
  { lengths: TIP_LENGTHS_MM.filter((length) => length >= 1.5), freeMm: 1.2 },
];

/** The ball at a touchpoint: it enters a flat surface by {@link PENETRATION}, in a circle of the given diameter. */
export function touchBall({ position, normal }: SurfacePoint, sizeMm: number): Ball {
  const half = sizeMm / 2;
  const depth = PENETRATION * half;
  const radiusMm = (half * half + depth * depth) / (2 * depth);
  return { centre: add(position, times(normal, radiusMm - depth)), radiusMm };
}

/** Radius of a tip's end: a pillar is no thinner than the touches of its tips. */
const endRadius = (touch: Ball): number => Math.max(TWIG_RADIUS_MM, touch.radiusMm);

/**
 * The possible tips of a touchpoint, the best first: along the normal, turned downward to 45° if that is flatter; then along other
 * directions, those nearest to the normal first. For each direction the longest tip that is clear of the model; short tips only after
 * all directions.
 */
export function* tipCandidates(space: RoutingSpace, touchpoint: SurfacePoint, sizeMm: number): Generator<Tip> {
  const { normal } = touchpoint;
  const touch = touchBall(touchpoint, sizeMm);
  const others = DIRECTIONS.filter((direction) => dot(direction, normal) >= MIN_NORMAL_COSINE);
  others.sort((a, b) => dot(b, normal) - dot(a, normal));
  const directions = [turnedDownward(normal), ...others];
  for (const { lengths, freeMm } of ATTEMPTS) {
    for (const direction of directions) {
      const cosine = dot(direction, normal);
      if (cosine < MIN_NORMAL_COSINE) continue;
      for (const length of lengths) {
        const end = { centre: add(touch.centre, times(direction, length)), radiusMm: endRadius(touch) };
        const isTooLow = end.centre[2] < space.groundMm + TIP_CLEARANCE_MM;
        if (isTooLow || !tipFits(space, touch, end, length, cosine, freeMm)) continue;
        yield { touch, end };
        break;
      }
    }
  }
}

/** A normal; where it is flatter than 45°, the direction 45° below horizontal to the same side. */
function turnedDownward([x, y, z]: Vec3): Vec3 {
  const horizontal = Math.sqrt(x * x + y * y);
  // No tip points up, which would be the direction of a face that does.
  if (horizontal === 0) return [x, y, -Math.abs(z)];
  if (z <= -Math.SQRT1_2) return [x, y, z];
  return [(x * Math.SQRT1_2) / horizontal, (y * Math.SQRT1_2) / horizontal, -Math.SQRT1_2];
}

/**
 * Depth by which a touch's ball enters, in its radii: 2 · p² / (1 + p²), where p is the depth in radii of the touch.
 */
const BALL_PENETRATION = (2 * PENETRATION * PENETRATION) / (1 + PENETRATION * PENETRATION);

/**
 * Whether a tip is clear of the model from where it would have left a flat surface, and its end is outside of the model: a facet may
 * be inside another body of the model, or face the wrong way. `cosine`: between tip and normal.
 */
export function tipFits(
  space: RoutingSpace,
  touch: Ball,
  end: Ball,
  lengthMm: number,
  cosine: number,
  freeMm = 0,
): boolean {
  if (!isBallInVolume(space, touch) || !isBallInVolume(space, end)) return false;
  const widening = end.radiusMm - touch.radiusMm;
  // The axis rises from a flat surface by `cosine` per mm while the radius grows: where their difference is the
  // clearance.
  const depth = touch.radiusMm * BALL_PENETRATION;
  const clearOfFace = (depth + TIP_CLEARANCE_MM + BULGE_MM) / (cosine * lengthMm - widening);
  const clearFrom = Math.max(clearOfFace, freeMm / lengthMm);
  if (!(clearOfFace > 0 && clearFrom < 1)) return false;
  if (!isPathClear(space, end.centre, end.centre, end.radiusMm + CLEARANCE_MM + MAX_WIDENING_MM)) return false;
  for (let piece = 0; piece < PIECES; piece++) {
    const [start, stop] = [piece, piece + 1].map((i) => clearFrom + ((1 - clearFrom) * i) / PIECES);
    const reachMm = touch.radiusMm + widening * start + TIP_CLEARANCE_MM;
    if (!isPathClear(space, lerp(touch.centre, end.centre, start), lerp(touch.centre, end.centre, stop), reachMm))
      return false;
  }
  // Below a gap in a surface that is not closed the number is negative.
  return windingNumber(space.bvh, end.centre) <= 0;
}

/** Touchpoints nearer to the ground have no room for a tip. */
const MAX_POST_MM = 1.2;
/** Touchpoints up to this height are on the ground. */
const ON_GROUND_MM = 0.05;

/** Support of a touchpoint close to the ground: a short vertical post; for a touchpoint on the ground, only a foot. */
export interface ShortPost {
  readonly top: Ball;
  readonly foot?: Ball;
}

/** The post of a touchpoint that is too low for a tip; undefined if the touchpoint is higher, or the model is below it. */
export function shortPost(space: RoutingSpace, touchpoint: SurfacePoint, sizeMm: number): ShortPost | undefined {
  const { position } = touchpoint;
  const heightMm = position[2] - space.groundMm;
  if (heightMm > MAX_POST_MM) return undefined;
  const ground = ([x, y]: Vec3): Vec3 => [x, y, space.groundMm];
  if (heightMm <= ON_GROUND_MM) {
    const top = { centre: ground(position), radiusMm: sizeMm / 2 };
    return isBallInVolume(space, top) ? { top } : undefined;
  }
  const touch = touchBall(touchpoint, sizeMm);
  const [x, y, z] = touch.centre;
  // No wider than it is high: so its foot stays below a surface that rises from the touchpoint.
  const foot = { centre: ground(touch.centre), radiusMm: Math.min(endRadius(touch), Math.max(sizeMm / 2, heightMm)) };
  const top = { ...touch, centre: [x, y, Math.max(z, space.groundMm)] as const };
  const lengthMm = top.centre[2] - space.groundMm;
  if (!isBallInVolume(space, foot) || raycast(space.bvh, top.centre, [0, 0, -1], lengthMm)) return undefined;
  return lengthMm > 0 ? { top, foot } : { top };
}
