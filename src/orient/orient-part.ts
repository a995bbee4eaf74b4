import { type BuildVolume, type Mat3, times } from "../core/geometry.ts";
import type { Watch } from "../core/watch.ts";
import { exactCost, searchCost } from "./cost/exact-cost.ts";
import type { Criteria } from "./criteria.ts";
import { type Candidate, candidatesOf } from "./search/candidates.ts";
import { cheapestOf } from "./search/cheapest.ts";
import { refine } from "./search/refine.ts";
import type { Shape } from "./shape.ts";

/** Steps of the search by facets, radians: down to 0.03°. */
const FROM_RAD = 0.008;
const TO_RAD = 0.0005;
/** How many candidates are searched from, and by what factor they may cost more than the best. */
const REFINED = 3;
const REFINABLE = 1.03;

/** The rotation of a part that stands best. Of ways outside of the volume none, while one is inside. */
export function orientPart(shape: Shape, criteria: Criteria, volume: BuildVolume, watch: Watch): Mat3 {
  const cost = exactCost(shape.part, criteria);
  const nearby = searchCost(shape.part, criteria, cost);
  const refined = (one: Candidate): Candidate => {
    watch.report(0);
    const { up } = refine({ up: one.up, cost: nearby(one.up) }, shape.axes, nearby, FROM_RAD, TO_RAD);
    const found: Candidate = { up, cost: cost(up), isFlat: false };
    return found.cost < one.cost ? found : one;
  };
  const found = candidatesOf(shape, cost, criteria, volume, watch.part(0, 0.6));
  const isPromising = (one: Candidate): boolean => !one.isFlat && one.cost <= REFINABLE * found[0].cost;
  const promising = new Set(found.filter(isPromising).slice(0, REFINED));
  const best = found.map((one) => (promising.has(one) ? refined(one) : one));
  // Upside down is as good wherever only heights and areas count, as in powder, and the search may have seen one of the two.
  const candidates = best.flatMap((one): Candidate[] => {
    const up = times(one.up, -1);
    return one.cost <= REFINABLE * found[0].cost ? [one, { up, cost: cost(up), isFlat: true }] : [one];
  });
  const { choice, rotation } = cheapestOf(shape, candidates, criteria, volume, watch.part(0.7, 0.9));
  if (choice.isFlat || !found.includes(choice)) return rotation;
  return cheapestOf(shape, [choice, refined(choice)], criteria, volume, watch.part(0.9, 1)).rotation;
}
