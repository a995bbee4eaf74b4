import type { Progress } from "../core/progress.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { type Vec3, dot, times } from "../geometry/vector.ts";
import type { AirVoxels } from "./air-voxels.ts";
import { cheapestFirst } from "./cheapest-first.ts";
import { type Criteria, costOf, slopeWeightsOf } from "./criteria.ts";
import { roughAir, roughCups } from "./cups.ts";
import { holdEstimator } from "./direction-cost.ts";
import { measureSurfels, measureSurfelsBothWays } from "./measure.ts";
import { type PartShape, directionLattice, hemisphereOf } from "./part-shape.ts";
import { COARSE_CELLS, partSurfels } from "./part-surfels.ts";
import { type CostedDirection, type DirectionCost, refineDirection } from "./refine-direction.ts";
import { tiltedDirections } from "./tilts.ts";
import { volumeFit } from "./volume-fit.ts";

// The search for promising directions by coarse surfels. Threads can share its steps: each depends on its arguments alone.

/** A promising direction. One that makes a planar face horizontal is exact: a local search does not improve it. */
export interface CandidateDirection extends CostedDirection {
  readonly isExact: boolean;
}

/** A part whose orientation is searched for. */
export interface RoughSearch {
  readonly shape: PartShape;
  readonly criteria: Criteria;
  readonly volume: BuildVolume;
}

/**
 * Gives 1,026 directions, 5° to 10° apart: local minima of the cost are wider, except those of a planar face on the
 * platform.
 */
const LATTICE_STEPS = 12;

/** The directions that are valued roughly: of planar faces, their tilts and a lattice. The opposite of each is valued with it. */
export const roughDirections = ({ faces, axes }: PartShape): Omit<CandidateDirection, "cost">[] => [
  ...faces.map(({ normal }) => ({ up: normal, isExact: true })),
  ...tiltedDirections(faces, axes).map((up) => ({ up, isExact: false })),
  ...hemisphereOf(directionLattice(LATTICE_STEPS, axes)).map((up) => ({ up, isExact: false })),
];

/** Directions per progress report. */
const BATCH = 64;

/** The rough costs of the directions `from` up to `to`, without cups, each followed by that of its opposite. */
export function roughCosts(
  { shape, criteria }: RoughSearch,
  from: number,
  to: number,
  progress: Progress,
): Float64Array<ArrayBuffer> {
  const { surface, extremes } = shape;
  const slopeWeights = slopeWeightsOf(criteria);
  const surfels = partSurfels(shape, COARSE_CELLS);
  const holds = holdEstimator(shape, criteria);
  const costs = new Float64Array(2 * (to - from));
  for (const [i, { up }] of roughDirections(shape).slice(from, to).entries()) {
    if (i % BATCH === 0) progress.report(i / (to - from));
    const estimates = holds.both(up);
    const measures = measureSurfelsBothWays(surfels, extremes.points, up, slopeWeights);
    measures.forEach((one, way) => {
      costs[2 * i + way] = costOf(one, estimates[way], surface.areaMm2, criteria);
    });
  }
  return costs;
}

/** Promising directions from which local searches start. */
export interface RoughStarts {
  /** With their rough costs, cups included. */
  readonly starts: readonly CandidateDirection[];
  /** Whether they fit the volume; a search from them stays within it. */
  readonly isFitting: boolean;
  /** The air around the part, for the cups of the directions that the searches find; undefined if cups cost nothing. */
  readonly air: AirVoxels | undefined;
}

/** The promising directions among the {@link roughDirections}, by their {@link roughCosts}. */
export function selectStarts(search: RoughSearch, costs: Float64Array, progress: Progress): RoughStarts {
  const { shape, criteria, volume } = search;
  const rough = roughDirections(shape).flatMap(({ up, isExact }, i): CandidateDirection[] => [
    { up, isExact, cost: costs[2 * i] },
    { up: times(up, -1), isExact, cost: costs[2 * i + 1] },
  ]);
  const air = roughAir(shape, criteria);
  const { cost: cups } = roughCups(shape, criteria, air);
  const fits = volumeFit(shape, volume);
  const fitting = selectDistinct(rough, ({ up }) => fits(up), cups, progress);
  const isFitting = fitting.length > 0;
  return { starts: isFitting ? fitting : selectDistinct(rough, () => true, cups, progress), isFitting, air };
}

/** First and last step of the local search, radians. */
const FROM_RAD = 0.06;
const TO_RAD = 0.015;

/** The direction that a local search finds from a start, with its rough cost without cups; an exact start itself. */
export function refineStart(
  { shape, criteria, volume }: RoughSearch,
  start: CandidateDirection,
  isFitting: boolean,
): CostedDirection {
  if (start.isExact) return start;
  const { surface, extremes, axes } = shape;
  const slopeWeights = slopeWeightsOf(criteria);
  const surfels = partSurfels(shape, COARSE_CELLS);
  const holds = holdEstimator(shape, criteria);
  const roughly = (up: Vec3): number =>
    costOf(measureSurfels(surfels, extremes.points, up, slopeWeights), holds.one(up), surface.areaMm2, criteria);
  return refineDirection({ ...start, cost: roughly(start.up) }, axes, {
    costOf: roughly,
    ...(isFitting && { fits: volumeFit(shape, volume) }),
    fromRad: FROM_RAD,
    toRad: TO_RAD,
  });
}

/** Starts, and what the search from each has found. */
export interface RefinedStarts extends RoughStarts {
  readonly refined: readonly CostedDirection[];
}

/** All steps of the search. */
export function searchRoughly(search: RoughSearch, progress: Progress): RefinedStarts {
  const costs = roughCosts(search, 0, roughDirections(search.shape).length, progress.part(0, 0.65));
  const found = selectStarts(search, costs, progress.part(0.65, 0.85));
  const refining = progress.part(0.85, 1);
  const refined = found.starts.map((start, i) => {
    refining.report(i / found.starts.length);
    return refineStart(search, start, found.isFitting);
  });
  return { ...found, refined };
}

/** Number of directions from which local searches start. */
const MAX_STARTS = 10;
/** Cosine of 6°: among candidates closer together, only the best is kept. */
const NEAR_DIRECTION_COSINE = 0.9945;
/** After this number of directions, only directions that cost at most this factor more than the best are examined. */
const MIN_EXAMINED = 12;
const MAX_COST_RATIO = 1.15;

/**
 * The cheapest acceptable directions including the cost of their cups, the cheapest first. Each is more than 6° from the previous
 * directions; but an exact direction is kept next to cheaper inexact ones.
 */
function selectDistinct(
  rough: readonly CandidateDirection[],
  willDo: (one: CostedDirection) => boolean,
  cups: DirectionCost,
  progress: Progress,
): CandidateDirection[] {
  const kept: CandidateDirection[] = [];
  const isApart = (one: CandidateDirection): boolean =>
    kept.every((other) => (one.isExact && !other.isExact) || dot(other.up, one.up) <= NEAR_DIRECTION_COSINE);
  let examined = 0;
  const totalCost = (one: CandidateDirection): number | undefined => {
    progress.report(examined++ / rough.length);
    return isApart(one) && willDo(one) ? one.cost + cups(one.up) : undefined;
  };
  let seen = 0;
  let least = Infinity;
  for (const one of cheapestFirst(rough, totalCost)) {
    least = Math.min(least, one.cost);
    if (kept.length === MAX_STARTS || (seen++ >= MIN_EXAMINED && one.cost > least * MAX_COST_RATIO)) break;
    if (isApart(one)) kept.push(one);
  }
  return kept;
}
