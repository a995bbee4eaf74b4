import type { BuildVolume, Mat3, Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { type CupCost, cupCost } from "../cost/cup-cost.ts";
import type { Criteria } from "../criteria.ts";
import { marksOf } from "../form/moments.ts";
import type { Shape } from "../shape.ts";
import { firstByMarks, type Stance, stanceOf } from "../stance/stance.ts";
import { cheapestFirst } from "./cheapest-first.ts";
import type { Choice } from "./refine.ts";

/** Costs that differ by a smaller share are equal, and the shape decides. */
const EQUAL = 1e-3;

/** Finds, of directions and their costs without cups, the cheapest with its cups, and how the part stands that way. */
export type Choose = <C extends Choice>(choices: readonly C[], watch: Watch) => { choice: C; rotation: Mat3 };

/** The choice for a part, which takes a direction that does not fit the volume only where none fits. */
export function chooser(shape: Shape, criteria: Criteria, volume: BuildVolume): Choose {
  const { part, moments } = shape;
  const stances = new Map<Vec3, Stance>();
  const standing = (up: Vec3): Stance => {
    const stance = stances.get(up) ?? stanceOf(part.vertices, moments, up, volume);
    stances.set(up, stance);
    return stance;
  };
  // The cubes are laid out as the first direction stands: so they lie in the part the same way always.
  let cups: CupCost | undefined;
  const equals = <C extends Choice>(choices: readonly C[], fits: boolean, watch: Watch): C[] => {
    let asked = 0;
    const inAll = ({ up, cost }: Choice): number | undefined => {
      watch.report(asked++ / choices.length);
      const stance = standing(up);
      if (stance.fits !== fits) return undefined;
      cups ??= cupCost(shape, criteria, stance.rotation);
      return cost + cups(up);
    };
    const seen: C[] = [];
    let least = Infinity;
    const bare = choices.map((choice) => ({ choice, up: choice.up, cost: choice.cost }));
    for (const { choice, cost } of cheapestFirst(bare, inAll)) {
      least = Math.min(least, cost);
      if (cost > least * (1 + EQUAL)) break;
      seen.push(choice);
    }
    return seen;
  };
  return (choices, watch) => {
    const inside = equals(choices, true, watch);
    const equal = inside.length > 0 ? inside : equals(choices, false, watch);
    const marked = equal.map((choice) => {
      const { rotation } = standing(choice.up);
      return { choice, rotation, marks: marksOf(moments, rotation) };
    });
    return firstByMarks(marked);
  };
}
