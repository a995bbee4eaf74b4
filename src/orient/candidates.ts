import type { Progress } from "../core/progress.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { type Mat3, type Vec3, add, dot, times, unit } from "../geometry/vector.ts";
import { type Criteria, costOf, slopeWeightsOf } from "./criteria.ts";
import { roughCups } from "./cups.ts";
import { type DirectionCost, holdEstimator } from "./direction-cost.ts";
import { measureSurfels, measureSurfelsBothWays } from "./measure.ts";
import { orientationCandidate } from "./orientation-candidate.ts";
import { type PartShape, directionLattice, hemisphereOf } from "./part-shape.ts";
import type { PartSurface } from "./part-surface.ts";
import { surfelsOf } from "./surfels.ts";
import { tangentsOf, tiltedDirections } from "./tilts.ts";

/** A direction of the part and the cost of printing the part with it pointing up. */
export interface CostedDirection {
  readonly up: Vec3;
  readonly cost: number;
}

/** A promising direction. One that makes a planar face horizontal is exact: a local search does not improve it. */
export interface CandidateDirection extends CostedDirection {
  readonly isExact: boolean;
}

/**
 * Gives 1,026 directions, 5° to 10° apart: local minima of the cost are wider, except those of a planar face on the
 * platform.
 */
const LATTICE_STEPS = 12;
/** Cells along the part for its surfels: some thousand, which give costs to some percent. */
const COARSE_CELLS = 14;
/** Number of directions that are refined by surfels, and number of those then measured by facets. */
const MAX_CANDIDATES = 10;
const MAX_MEASURED = 8;
/** Cosine of 6°: among candidates closer together, only the best is kept. */
const NEAR_DIRECTION_COSINE = 0.9945;
/** First and last step of the refinement by surfels, radians. */
const FROM_RAD = 0.06;
const TO_RAD = 0.015;
/** After this many directions, only directions that cost at most this factor more than the best are examined. */
const MIN_EXAMINED = 12;
const MAX_COST_RATIO = 1.15;
/** Directions per progress report. */
const BATCH = 64;

/** The best directions to point up, with their exact costs without cups, the cheapest first. */
export function findCandidates(
  shape: PartShape,
  exactCost: DirectionCost,
  criteria: Criteria,
  volume: BuildVolume,
  progress: Progress,
): CandidateDirection[] {
  const { surface, axes, extremes, faces } = shape;
  const slopeWeights = slopeWeightsOf(criteria);
  const surfels = surfelsOf(surface, axes, COARSE_CELLS);
  const holds = holdEstimator(shape, criteria);
  progress.report(0.1);
  const costsBothWays = (up: Vec3): number[] => {
    const estimates = holds.both(up);
    return measureSurfelsBothWays(surfels, extremes.points, up, slopeWeights).map((one, way) =>
      costOf(one, estimates[way], surface.areaMm2, criteria),
    );
  };
  const roughly = (up: Vec3): number =>
    costOf(measureSurfels(surfels, extremes.points, up, slopeWeights), holds.one(up), surface.areaMm2, criteria);
  const faceDirections = faces.map(({ normal }) => ({ up: normal, isExact: true }));
  const lattice = hemisphereOf(directionLattice(LATTICE_STEPS, axes)).map((up) => ({ up, isExact: false }));
  const tilts = tiltedDirections(faces, axes).map((up) => ({ up, isExact: false }));
  const rough = [...faceDirections, ...tilts, ...lattice].flatMap(
    ({ up, isExact }, i, { length }): CandidateDirection[] => {
      if (i % BATCH === 0) progress.report(0.1 + (0.4 * i) / length);
      const [cost, reversed] = costsBothWays(up);
      return [
        { up, isExact, cost },
        { up: times(up, -1), isExact, cost: reversed },
      ];
    },
  );
  const { cost: cups } = roughCups(shape, criteria);
  const fitsVolume = volumeFit(shape, volume);
  const fits = ({ up }: CostedDirection): boolean => fitsVolume(up);
  const fitting = selectDistinct(rough, fits, cups, progress.part(0.5, 0.6));
  const apart = fitting.length > 0 ? fitting : selectDistinct(rough, () => true, cups, progress.part(0.5, 0.6));
  const search = { costOf: roughly, ...(fitting.length > 0 && { fits: fitsVolume }), fromRad: FROM_RAD, toRad: TO_RAD };
  const refined = apart.map((one, i): CandidateDirection => {
    progress.report(0.6 + (0.1 * i) / apart.length);
    if (one.isExact) return one;
    const { up, cost } = refineDirection({ ...one, cost: roughly(one.up) }, axes, search);
    const total = cost + cups(up);
    return total < one.cost ? { up, isExact: false, cost: total } : one;
  });
  return measuredExactly(refined, exactCost, progress.part(0.7, 1));
}

/** The cheapest directions with their exact costs, the cheapest first. */
function measuredExactly(
  rough: readonly CandidateDirection[],
  exactCost: DirectionCost,
  progress: Progress,
): CandidateDirection[] {
  return rough
    .toSorted((a, b) => a.cost - b.cost)
    .slice(0, MAX_MEASURED)
    .map(({ up, isExact }, i): CandidateDirection => {
      progress.report(i / MAX_MEASURED);
      return { up, isExact, cost: exactCost(up) };
    })
    .sort((a, b) => a.cost - b.cost);
}

/** A test, by its extreme points, whether a part fits the volume with a direction pointing up. */
export function volumeFit({ surface, moments, extremes }: PartShape, volume: BuildVolume): (up: Vec3) => boolean {
  if (2 * farthestMm(surface) <= Math.min(...volume.dimensionsMm)) return () => true;
  return (up) => orientationCandidate(extremes.points, moments, up, volume).fits;
}

/** Distance from the centre of the bounding box of the part to its farthest vertex. */
function farthestMm({ vertices }: PartSurface): number {
  let most2 = 0;
  for (let at = 0; at < vertices.length; at += 3) {
    const x = vertices[at];
    const y = vertices[at + 1];
    const z = vertices[at + 2];
    most2 = Math.max(most2, x * x + y * y + z * z);
  }
  return Math.sqrt(most2);
}

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
    if (kept.length === MAX_CANDIDATES || (seen++ >= MIN_EXAMINED && one.cost > least * MAX_COST_RATIO)) break;
    if (isApart(one)) kept.push(one);
  }
  return kept;
}

/** Steps to the eight neighbours of a direction, in its two tangents. */
const DIAGONAL = Math.SQRT1_2;
const TANGENT_STEPS = [
  [1, 0],
  [DIAGONAL, DIAGONAL],
  [0, 1],
  [-DIAGONAL, DIAGONAL],
  [-1, 0],
  [-DIAGONAL, -DIAGONAL],
  [0, -1],
  [DIAGONAL, -DIAGONAL],
] as const;
/** Order in which steps are tried relative to the last successful one: the same step first, then its neighbours. */
const STEP_ORDER = [0, 1, 7, 2, 6, 3, 5, 4] as const;
/** Number of steps of one length before it is halved: valleys of the cost are curved. */
const MAX_MOVES = 6;
/** A smaller gain is a rounding error. */
const MIN_GAIN = 1e-9;

export interface LocalSearch {
  readonly costOf: DirectionCost;
  /** Accepts a direction; without it all are accepted. */
  readonly fits?: (up: Vec3) => boolean;
  /** Length of the first step and least length of the last. */
  readonly fromRad: number;
  readonly toRad: number;
}

/**
 * A local search (pattern search) from a direction to a direction of lower cost, by steps of `fromRad`, which are halved where none
 * improves until they are shorter than `toRad`. The tangents depend on the axes of the part only.
 */
export function refineDirection(
  start: CostedDirection,
  axes: Mat3,
  { costOf: cost, fits, fromRad, toRad }: LocalSearch,
): CostedDirection {
  let best = start;
  let heading = 0;
  for (let step = fromRad; step >= toRad; step /= 2) {
    for (let move = 0; move < MAX_MOVES; move++) {
      const [a, b] = tangentsOf(best.up, axes);
      const better = STEP_ORDER.map((turn) => (heading + turn) % TANGENT_STEPS.length).find((next) => {
        const [i, j] = TANGENT_STEPS[next];
        const up = unit(add(best.up, add(times(a, i * step), times(b, j * step))));
        const found = cost(up);
        if (found >= best.cost - MIN_GAIN || fits?.(up) === false) return false;
        best = { up, cost: found };
        return true;
      });
      if (better === undefined) break;
      heading = better;
    }
  }
  return best;
}

/**
 * Yields choices by their total cost, the cheapest first, given lower bounds `cost`. `totalCost` is expensive: it is
 * called for a choice only when no other can be cheaper than its bound; it returns undefined for a choice that is not
 * acceptable.
 */
export function* cheapestFirst<C extends CostedDirection>(
  choices: readonly C[],
  totalCost: (choice: C) => number | undefined,
): Generator<C> {
  const sorted = choices.toSorted((a, b) => a.cost - b.cost);
  // By total cost, the cheapest last.
  const pending: C[] = [];
  for (const choice of sorted) {
    for (let next = pending.at(-1); next && next.cost <= choice.cost; next = pending.at(-1)) {
      pending.pop();
      yield next;
    }
    const cost = totalCost(choice);
    if (cost === undefined) continue;
    const index = pending.findIndex((other) => other.cost <= cost);
    pending.splice(index < 0 ? pending.length : index, 0, { ...choice, cost });
  }
  yield* pending.toReversed();
}
