import type { Vec3 } from "../geometry/vector.ts";
import { type Criteria, costOf, slopeWeightsOf } from "./criteria.ts";
import { type HoldEstimate, estimateHold, estimateHoldBothWays } from "./hold-estimate.ts";
import { measure, measureSurfels } from "./measure.ts";
import type { PartShape } from "./part-shape.ts";
import { FINE_CELLS, HOLD_CELLS, partSurfels } from "./part-surfels.ts";
import type { DirectionCost } from "./refine-direction.ts";
import { outermostPoints } from "./vertex-cells.ts";

/** Larger meshes are measured by fine surfels, with the same accuracy in a fifth of the time. */
const MAX_EXACT_FACETS = 100_000;
/** Larger meshes are searched by surfels: faster than by facets. */
const MAX_EXACT_SEARCH_FACETS = 8_000;

/** The cost of a direction without its cups, by the facets of the part or, for large meshes, by fine surfels. */
export function exactCost(shape: PartShape, criteria: Criteria): DirectionCost {
  const { surface } = shape;
  if (surface.areas.length > MAX_EXACT_FACETS) return surfelCost(shape, criteria);
  const slopeWeights = slopeWeightsOf(criteria);
  const holds = holdEstimator(shape, criteria);
  return (up) => costOf(measure(surface, up, slopeWeights), holds.one(up), surface.areaMm2, criteria);
}

/**
 * The cost for a local search, which compares neighbouring directions; its results are then compared by the exact cost.
 */
export const searchCost = (shape: PartShape, criteria: Criteria, exact: DirectionCost): DirectionCost =>
  shape.surface.areas.length <= MAX_EXACT_SEARCH_FACETS || shape.surface.areas.length > MAX_EXACT_FACETS
    ? exact
    : surfelCost(shape, criteria);

function surfelCost(shape: PartShape, criteria: Criteria): DirectionCost {
  const { surface } = shape;
  const slopeWeights = slopeWeightsOf(criteria);
  const surfels = partSurfels(shape, FINE_CELLS);
  const holds = holdEstimator(shape, criteria);
  return (up) => {
    const extremes = outermostPoints(surface.cells, up);
    return costOf(measureSurfels(surfels, extremes, up, slopeWeights), holds.one(up), surface.areaMm2, criteria);
  };
}

const NO_HOLD: HoldEstimate = { loadMm2: 0, bendMm: 0 };

/** Estimates of hold for a direction pointing up, and for that direction and its opposite. */
export interface HoldEstimator {
  one(up: Vec3): HoldEstimate;
  both(up: Vec3): readonly [upright: HoldEstimate, reversed: HoldEstimate];
}

/** The estimates for a part. Powder holds every part. */
export function holdEstimator(shape: PartShape, { weights }: Criteria): HoldEstimator {
  if (weights.unheld === 0 && weights.wobble === 0) return { one: () => NO_HOLD, both: () => [NO_HOLD, NO_HOLD] };
  const surfels = partSurfels(shape, HOLD_CELLS);
  return { one: (up) => estimateHold(surfels, up), both: (up) => estimateHoldBothWays(surfels, up) };
}
