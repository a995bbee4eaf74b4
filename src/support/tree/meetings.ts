import type { Vec3 } from "../../core/geometry.ts";
import { apartMm, distanceMm } from "./ball.ts";
import { type Branch, restOf, sectionFor } from "./branch.ts";
import { MOST_LEAN_MM, MOST_LOAD } from "./measures.ts";

/** A place where two branches may become one. */
export interface Meeting {
  readonly place: Vec3;
  /** Material less than if each went its own way and the trunk went straight down, mm³. */
  readonly saving: number;
}

/** A meeting saves at least this much, mm³: a joint for less is not worth its weakness. */
export const LEAST_SAVING = 0.5;

/** A joint lies so far below each of the two: balls of two widths in one place would be one joint of two sizes. */
const LEAST_DROP_MM = 1;

const ROUNDING_MM = 1e-6;

const NONE: readonly Meeting[] = [];

/**
 * The places where two branches may meet, none of them flatter than 45° below either: where both lean, as far as
 * brings them together highest, and on the way down of either.
 * Source: J. Vanek, J. A. G. Galicia, B. Benes, "Clever Support: Efficient Support Structure Generation for Digital
 * Fabrication" (2014).
 */
export function meetingsOf(a: Branch, b: Branch, groundMm: number): readonly Meeting[] {
  if (a.load + b.load > MOST_LOAD) return NONE;
  const p = a.ball.place;
  const q = b.ball.place;
  const apart = apartMm(p, q);
  // Both lean by 45° at most, and meet above the ground.
  if (apart > 2 * MOST_LEAN_MM || apart > p[2] + q[2] - 2 * groundMm + ROUNDING_MM) return NONE;
  const highest = apart > 0 ? Math.min(1, Math.max(0, (apart + p[2] - q[2]) / (2 * apart))) : 0;
  const shares = highest > 0 && highest < 1 ? [highest, 0, 1] : [0, 1];
  const places = [
    ...shares.map((share): Vec3 => {
      const [fromP, fromQ] = [share, 1 - share].map((part) => Math.max(LEAST_DROP_MM, part * apart));
      const z = Math.min(p[2] - fromP, q[2] - fromQ);
      return [p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1]), z];
    }),
    ...[a, b].flatMap(({ route }) => route.balls.slice(0, -1).map(({ place }) => place)),
  ];
  const canReach = (from: Vec3, place: Vec3): boolean => {
    const aside = apartMm(from, place);
    return aside <= MOST_LEAN_MM && from[2] - place[2] >= Math.max(LEAST_DROP_MM, aside) - 1e-9;
  };
  const [sectionA, sectionB, sectionBoth] = [a.load, b.load, a.load + b.load].map(sectionFor);
  return places.flatMap((place): Meeting[] => {
    if (place[2] <= groundMm || !canReach(p, place) || !canReach(q, place)) return [];
    const joint =
      sectionA * distanceMm(p, place) + sectionB * distanceMm(q, place) + sectionBoth * (place[2] - groundMm);
    const saving = restOf(a) + restOf(b) - joint;
    return saving >= LEAST_SAVING ? [{ place, saving }] : [];
  });
}
