import { add, exactLength, subtract, times, unit, type Vec3 } from "../../core/geometry.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { neck } from "./neck.ts";
import { type Ball, tube } from "./tube.ts";

/** How a pillar stands on the ground. */
export interface Footing {
  /** Where it ends, level, inside of what it stands on. */
  readonly cutMm: number;
  readonly isBreakaway: boolean;
}

const SIDES = 8;

/** A ball's end is cut short at the latitude of 45°: there it is as wide as it is far from the middle. */
const CAP = Math.SQRT1_2;

/** What is flatter ends at the ground as it does elsewhere: cut level, it would end far beside its foot. */
const LEAST_RISE = 0.5;

/**
 * The closed body of struts that are one way, from ball to ball. Its ends are rounded beyond the middles of the outer
 * balls, so that struts that share a ball overlap; a first one with a footing stands on it instead.
 */
export function chainBody(balls: readonly Ball[], footing: Footing | undefined, turn: number): Surface {
  const [first, second] = balls;
  const way = unit(subtract(second.centre, first.centre));
  const lengthMm = exactLength(subtract(second.centre, first.centre));
  const upper = [...balls.slice(1), capOf(balls.at(-2)!, balls.at(-1)!)];
  if (!footing || way[2] < LEAST_RISE || lengthMm < 2 * first.radiusMm) {
    return tube({ spine: [capOf(second, first), first, ...upper], isCutLevel: false, sides: SIDES, turn });
  }
  const lower = footing.isBreakaway ? neck(first, way, lengthMm) : [first];
  return tube({ spine: [...standing(lower, way, footing), ...upper], isCutLevel: true, sides: SIDES, turn });
}

/** The lower end of a pillar led down to where it ends, level. */
function standing([first, ...above]: readonly Ball[], way: Vec3, { cutMm }: Footing): readonly Ball[] {
  const depthMm = (first.centre[2] - cutMm) / way[2];
  const end = { centre: subtract(first.centre, times(way, depthMm)), radiusMm: first.radiusMm };
  // A level cut reaches up a slanted way by r · tan of its slant: no section may lie below that.
  const tangent = Math.sqrt(Math.max(0, 1 - way[2] * way[2])) / way[2];
  return depthMm <= first.radiusMm * tangent ? [end, ...above] : [end, first, ...above];
}

/** Where the way from a ball ends beyond the next. */
function capOf({ centre: from }: Ball, { centre, radiusMm }: Ball): Ball {
  const beyond = times(unit(subtract(centre, from)), CAP * radiusMm);
  return { centre: add(centre, beyond), radiusMm: CAP * radiusMm };
}
