import type { Mat3, Vec3 } from "../../core/geometry.ts";
import type { Criteria } from "../criteria.ts";
import { type Air, airAround } from "../cups/air.ts";
import { sealedMm2 } from "../cups/sealed.ts";
import type { Shape } from "../shape.ts";

/** What the cups of a direction add to its cost. */
export type CupCost = (up: Vec3) => number;

/** Cubes that tell a cup's area to a fifth of it. */
const ROUGH_CUBES = 20_000;

/** The cost of cups, about. */
export const roughCupCost = (shape: Shape, criteria: Criteria): CupCost =>
  costIn(shape, criteria, () => airAround(shape.part, shape.extremes, shape.axes, ROUGH_CUBES), shape.extremes.points);

/** The cost of cups, in cubes along the rows of `frame`. */
export const cupCost = (shape: Shape, criteria: Criteria, frame: Mat3): CupCost =>
  costIn(shape, criteria, () => airAround(shape.part, shape.extremes, frame), shape.part.vertices);

/** Each direction is worked out once, and the air where it is asked for. */
function costIn({ part }: Shape, { weights }: Criteria, layOut: () => Air, points: Float64Array): CupCost {
  if (weights.cups === 0) return () => 0;
  const known = new Map<Vec3, number>();
  let air: Air | undefined;
  return (up) => {
    air ??= layOut();
    const cost = known.get(up) ?? (weights.cups * sealedMm2(air, up, points)) / part.areaMm2;
    known.set(up, cost);
    return cost;
  };
}
