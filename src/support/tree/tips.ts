import { add, dot, times, type Vec3 } from "../../core/geometry.ts";
import { windingNumber } from "../../mesh/bvh/winding-number.ts";
import type { Touchpoint } from "../touchpoint.ts";
import { type Ball, between } from "./ball.ts";
import { GAP_MM, PENETRATION, TIP_GAP_MM, TIP_LENGTHS_MM, TWIG_MM } from "./measures.ts";
import { ballFits, isClear, type Space, WIDENING_MM } from "./space.ts";

/** The strut that touches the model: a ball in its surface, and the end from which a pillar goes on. */
export interface Tip {
  readonly touch: Ball;
  readonly end: Ball;
}

/** A tip may leave the surface no flatter than this: sine of 14.5°. */
const LEAST_RISE = 0.25;
/** Pieces in which a tip's clearance is checked. */
const PIECES = 3;
/** How far a surface may bend towards a tip, beyond a flat one, where the tip's clearance begins. */
const BEND_MM = 0.1;

const HALF = Math.SQRT1_2;
/** Downward: straight, and leaning by 22.5° and 45° to eight sides. Rounded: engines differ in a sine's last bits. */
const DIRECTIONS: readonly Vec3[] = [
  [0, 0, -1],
  ...[22.5, 45].flatMap((lean) =>
    Array.from({ length: 8 }, (_, i): Vec3 => {
      const [level, down] = [Math.sin, Math.cos].map((part) => Math.fround(part((lean * Math.PI) / 180)));
      const angle = (i * Math.PI) / 4;
      return [level * Math.fround(Math.cos(angle)), level * Math.fround(Math.sin(angle)), -down];
    }),
  ),
];

/** In this order. `freeMm`: so much of a tip may lack its clearance: beside a wall there is no other way. */
const ATTEMPTS = [
  { lengths: TIP_LENGTHS_MM.filter((length) => length >= 1.5), freeMm: 0 },
  { lengths: TIP_LENGTHS_MM.filter((length) => length < 1.5), freeMm: 0 },
  { lengths: TIP_LENGTHS_MM.filter((length) => length >= 1.5), freeMm: 1.2 },
];

/** The ball at a touch: it enters the surface by {@link PENETRATION}, in a circle of the touch's size. */
export function touchBall({ position, normal }: Pick<Touchpoint, "position" | "normal">, sizeMm: number): Ball {
  const half = sizeMm / 2;
  const depth = PENETRATION * half;
  const radiusMm = (half * half + depth * depth) / (2 * depth);
  return { place: add(position, times(normal, radiusMm - depth)), radiusMm };
}

/** A pillar is no thinner than the touches of its tips. */
export const endRadius = (touch: Ball): number => Math.max(TWIG_MM, touch.radiusMm);

/**
 * The tips that a touchpoint may have, the best first: along the normal, turned downward to 45° where that is flatter;
 * then along other directions, those nearest to the normal first. Of each direction the longest that the model leaves
 * room for; short ones only after all directions.
 */
export function* tipsAt(space: Space, touchpoint: Touchpoint, sizeMm: number): Generator<Tip> {
  const { normal } = touchpoint;
  const touch = touchBall(touchpoint, sizeMm);
  const others = DIRECTIONS.filter((direction) => dot(direction, normal) >= LEAST_RISE);
  others.sort((a, b) => dot(b, normal) - dot(a, normal));
  const directions = [downward(normal), ...others];
  for (const { lengths, freeMm } of ATTEMPTS) {
    for (const direction of directions) {
      const rise = dot(direction, normal);
      if (rise < LEAST_RISE) continue;
      for (const length of lengths) {
        const end = { place: add(touch.place, times(direction, length)), radiusMm: endRadius(touch) };
        if (end.place[2] < space.groundMm + TIP_GAP_MM || !tipFits(space, touch, end, length, rise, freeMm)) continue;
        yield { touch, end };
        break;
      }
    }
  }
}

/** The normal, or where it is flatter than 45° the direction of 45° below it. */
function downward([x, y, z]: Vec3): Vec3 {
  const level = Math.sqrt(x * x + y * y);
  return z <= -HALF || level === 0 ? [x, y, z] : [(x * HALF) / level, (y * HALF) / level, -HALF];
}

/**
 * Whether a tip is clear of the model from where it would be of a flat surface, and its end outside: a face may lie
 * within another body of the model, or look the wrong way. `rise`: cosine between tip and normal.
 */
export function tipFits(space: Space, touch: Ball, end: Ball, lengthMm: number, rise: number, freeMm = 0): boolean {
  if (!ballFits(space, touch) || !ballFits(space, end)) return false;
  const widening = end.radiusMm - touch.radiusMm;
  // Above a flat surface the axis rises by `rise`, while the radius widens: where one has left the other by the gap.
  const depth = touch.radiusMm * PENETRATION_OF_BALL;
  const clearOfFace = (depth + TIP_GAP_MM + BEND_MM) / (rise * lengthMm - widening);
  const clearAt = Math.max(clearOfFace, freeMm / lengthMm);
  if (!(clearOfFace > 0 && clearAt < 1)) return false;
  if (!isClear(space, end.place, end.place, end.radiusMm + GAP_MM + WIDENING_MM)) return false;
  for (let piece = 0; piece < PIECES; piece++) {
    const [start, to] = [piece, piece + 1].map((i) => clearAt + ((1 - clearAt) * i) / PIECES);
    const reach = touch.radiusMm + widening * start + TIP_GAP_MM;
    const [from, on] = [between(touch.place, end.place, start), between(touch.place, end.place, to)];
    if (!isClear(space, from, on, reach)) return false;
  }
  // Below a gap in a surface that is not closed the number is less.
  return windingNumber(space.facets, end.place) <= 0;
}

/** How deep a touch's ball enters, in its radii: 2 · p² / (1 + p²) for a depth of p radii of the touch. */
const PENETRATION_OF_BALL = (2 * PENETRATION * PENETRATION) / (1 + PENETRATION * PENETRATION);
