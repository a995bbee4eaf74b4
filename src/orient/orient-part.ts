import { type BuildVolume, dot, type Mat3, times } from "../core/geometry.ts";
import type { Watch } from "../core/watch.ts";
import { exactCost, searchCost } from "./cost/exact-cost.ts";
import type { Criteria } from "./criteria.ts";
import { type Candidate, candidatesOf } from "./search/candidates.ts";
import { chooser } from "./search/chooser.ts";
import { refine } from "./search/refine.ts";
import type { Shape } from "./shape.ts";

/** Steps of the search by facets, radians: down to 0.03°. */
const FROM_RAD = 0.008;
const TO_RAD = 0.001;
/** How many candidates are searched from, and by what factor they may cost more than the best. */
const REFINED = 3;
const REFINABLE = 1.03;
/** By what factor one may cost more upside down, about, to be worth a close look. */
const FLIPPED = 1.1;

/** Cosine of 1°. */
const LEANING = 0.99985;

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
  const best = withoutLeaning(found.map((one) => (promising.has(one) ? refined(one) : one)));
  // Upside down is as good wherever only heights and areas count, as in powder, and the search may have seen one of the two.
  const candidates = best.flatMap((one): Candidate[] => {
    const up = times(one.up, -1);
    const isWorth = one.cost <= REFINABLE * found[0].cost && nearby(up) <= FLIPPED * found[0].cost;
    return isWorth ? [one, { up, cost: cost(up), isFlat: true }] : [one];
  });
  const choose = chooser(shape, criteria, volume);
  const { choice, rotation } = choose(candidates, watch.part(0.7, 0.9));
  if (choice.isFlat || !found.includes(choice)) return rotation;
  return choose([choice, refined(choice)], watch.part(0.9, 1)).rotation;
}

/** Those but a little off a flat that is cheaper: the search has led to that flat, which is better known as it is. */
const withoutLeaning = (all: readonly Candidate[]): Candidate[] =>
  all.filter(
    (one) => one.isFlat || !all.some((flat) => flat.isFlat && flat.cost <= one.cost && dot(flat.up, one.up) > LEANING),
  );
