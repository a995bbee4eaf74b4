import type { BuildVolume, Mat3, Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { Criteria } from "../criteria.ts";
import { type Air, airAround } from "../cups/air.ts";
import { sealedMm2 } from "../cups/sealed.ts";
import { marksOf } from "../form/moments.ts";
import type { Shape } from "../shape.ts";
import { firstByMarks, type Stance, stanceOf } from "../stance/stance.ts";
import type { Choice } from "./refine.ts";

/** Costs that differ by a smaller share are equal, and the shape decides. */
const EQUAL = 1e-3;

interface Standing<C extends Choice> {
  readonly choice: C;
  readonly stance: Stance;
  /** With its cups. */
  readonly cost: number;
}

/**
 * The cheapest of some directions with their cups, and how the part stands that way; one that does not fit the volume only where
 * none fits. Given their costs without cups, directions are looked at as long as they may still be the cheapest.
 */
export function cheapestOf<C extends Choice>(
  shape: Shape,
  choices: readonly C[],
  criteria: Criteria,
  volume: BuildVolume,
  watch: Watch,
): { choice: C; rotation: Mat3 } {
  const { part, moments } = shape;
  const sealedOf = cupsOf(shape, criteria);
  const look = (fits: boolean): Standing<C>[] => {
    const seen: Standing<C>[] = [];
    let least = Infinity;
    for (const [i, choice] of choices.toSorted((a, b) => a.cost - b.cost).entries()) {
      watch.report(i / choices.length);
      if (choice.cost > least * (1 + EQUAL)) break;
      const stance = stanceOf(part.vertices, moments, choice.up, volume);
      if (stance.fits !== fits) continue;
      const cost = choice.cost + (criteria.weights.cups * sealedOf(choice.up, stance)) / part.areaMm2;
      least = Math.min(least, cost);
      seen.push({ choice, stance, cost });
    }
    return seen.filter(({ cost }) => cost <= least * (1 + EQUAL));
  };
  const inside = look(true);
  const equal = inside.length > 0 ? inside : look(false);
  const marked = equal.map((one) => ({ ...one, marks: marksOf(moments, one.stance.rotation) }));
  const { choice, stance } = firstByMarks(marked);
  return { choice, rotation: stance.rotation };
}

/** The cups of each direction. The cubes are laid out as the first of them stands: so they lie in the part the same way always. */
function cupsOf({ part, extremes }: Shape, { weights }: Criteria): (up: Vec3, stance: Stance) => number {
  let air: Air | undefined;
  return (up, { rotation }) => {
    if (weights.cups === 0) return 0;
    air ??= airAround(part, extremes, rotation);
    return sealedMm2(air, up, part.vertices);
  };
}
