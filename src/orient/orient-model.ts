import type { Profile } from "../catalog/profile-types.ts";
import type { Lock } from "../geometry/pose-lock.ts";
import type { Progress } from "../core/progress.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { type EulerDeg, rotationMatrix, roundedAngles } from "../geometry/pose.ts";
import { liftMm } from "../hold/support-lift.ts";
import { type Mat3, type Vec3, dot, times } from "../geometry/vector.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { findCandidates } from "./candidates.ts";
import { cheapestFirst } from "./cheapest-first.ts";
import { type Criteria, criteriaOf } from "./criteria.ts";
import { type Cups, cupsOf } from "./cups.ts";
import { exactCost, searchCost } from "./direction-cost.ts";
import { type Misfit, nearestFittingOrientation } from "./misfit.ts";
import { tieBreakers } from "./moments.ts";
import { orientDentalArch } from "./orient-dental-arch.ts";
import { type OrientationCandidate, firstByTieBreakers, orientationCandidate } from "./orientation-candidate.ts";
import { type PartShape, partShape } from "./part-shape.ts";
import { type CostedDirection, refineDirection } from "./refine-direction.ts";
import type { CandidateDirection, RefinedStarts, RoughSearch } from "./rough-search.ts";
import { volumeFit } from "./volume-fit.ts";

export interface OrientRequest {
  readonly mesh: Mesh;
  readonly scale: number;
  /** The present orientation: some locks keep its tilt. */
  readonly orientation: EulerDeg;
  /** A lock that allows at least a rotation about the vertical. */
  readonly lock: Lock;
  readonly profile: Profile;
  readonly volume: BuildVolume;
  /** For a dental arch only: degrees by which its front is raised, from −90 to 90. */
  readonly dentalTiltDeg?: number | undefined;
  /** Volumes of other printers, the smallest first: if the model fits its volume in no pose, the result names one that it fits. */
  readonly otherVolumes?: readonly BuildVolume[] | undefined;
  /** What several threads have made already (`shared-search.ts`). */
  readonly made?: { readonly shape: PartShape; readonly rough: RefinedStarts };
}

export interface OrientedModel {
  readonly orientation: EulerDeg;
  /** Volume of resin that stays in the model, mm³, to some percent; 0 for powder and for dental arches. */
  readonly trappedMm3: number;
  /** Absent where the model fits the volume. */
  readonly misfit?: Misfit;
}

interface PosedPart extends Omit<OrientedModel, "orientation"> {
  readonly rotation: Mat3;
}

/**
 * Angles are rounded to 1 / this: far finer than the accuracy of a file, far coarser than differences of `atan2`
 * between JavaScript engines.
 */
const STEPS_PER_DEGREE = 1e6;

/**
 * The best orientation of a model on its printer; where none fits the volume, the one that exceeds it least. It depends on the shape
 * only: not on the order or fineness of its facets, nor on its present orientation, except as its lock demands. Throws
 * OPERATION_FAILED for a dental arch without a base.
 */
export function orientModel(request: OrientRequest, progress: Progress): OrientedModel {
  progress.report(0);
  return orientShape(request, request.made?.shape ?? partShape(request.mesh, request.scale), progress);
}

/** {@link orientModel} for a model whose shape is known. */
export function orientShape(request: OrientRequest, shape: PartShape, progress: Progress): OrientedModel {
  const { rotation, ...found } = poseFor(request, shape, progress);
  return { orientation: roundedAngles(rotation, STEPS_PER_DEGREE), ...found };
}

function poseFor(request: OrientRequest, shape: PartShape, progress: Progress): PosedPart {
  const { volume, dentalTiltDeg, otherVolumes = [] } = request;
  const directions = allowedDirections(request);
  if (dentalTiltDeg !== undefined)
    return { rotation: orientDentalArch(shape, directions ? 0 : dentalTiltDeg, directions), trappedMm3: 0 };
  const criteria = criteriaOf(request.profile);
  for (const limits of limitsOf(request)) {
    const made = limits === volume ? undefined : request.made?.rough;
    const { rotation, fits, trappedMm3 } = cheapestPose(
      { shape, criteria, volume: limits },
      directions,
      progress,
      made,
    );
    if (fits) return { rotation, trappedMm3 };
  }
  const { rotation: nearest, ...misfit } = nearestFittingOrientation(shape, directions, volume, otherVolumes);
  return { rotation: nearest, trappedMm3: 0, misfit };
}

/** The volumes that a part should fit: the first in which it fits one of its poses is the one for it. */
const limitsOf = ({ volume, profile }: OrientRequest): readonly [BuildVolume, BuildVolume] => [
  aboveSupports(volume, profile),
  volume,
];

/** The search for a pose in the first of the volumes. */
export const firstSearch = (request: OrientRequest, shape: PartShape): RoughSearch => ({
  shape,
  criteria: criteriaOf(request.profile),
  volume: limitsOf(request)[0],
});

/** The part of a volume that remains for a model above its supports. */
function aboveSupports(volume: BuildVolume, profile: Profile): BuildVolume {
  const [x, y, z] = volume.dimensionsMm;
  const lift = profile.family === "resin" ? liftMm(profile.supports) : 0;
  return { ...volume, dimensionsMm: [x, y, z - lift] };
}

function cheapestPose(
  search: RoughSearch,
  directions: readonly Vec3[] | undefined,
  progress: Progress,
  made: RefinedStarts | undefined,
): ChosenPose {
  if (directions === undefined) return orientPart(search, progress, made);
  const { shape, criteria, volume } = search;
  const cost = exactCost(shape, criteria);
  const choices = directions.map((up) => ({ up, cost: cost(up) }));
  return directionChooser(shape, criteria, volume).choose(choices, progress);
}

/** The directions of the part that may point up under its lock (interface, "lock values"); undefined where every direction may. */
function allowedDirections({ lock, orientation }: OrientRequest): readonly Vec3[] | undefined {
  if (lock === "FREE") return undefined;
  const [x, y, z] = rotationMatrix(orientation).slice(6);
  return lock === "LOCKED_XY_FLIP_ENABLED"
    ? [
        [x, y, z],
        [-x, -y, -z],
      ]
    : [[x, y, z]];
}

/** First and last step of the local search, radians: down to 0.06°. */
const FIRST_STEP_RAD = 0.008;
const LAST_STEP_RAD = 0.001;
/** Number of candidates that are refined, and the factor by which they may cost more than the best. */
const MAX_REFINED = 1;
const MAX_REFINED_RATIO = 1.02;
/** Approximate factor by which an opposite direction may cost more than the best to become a candidate. */
const MAX_FLIPPED_RATIO = 1.1;

/** Less trapped resin than a drop, mm³, justifies neither a longer search nor a tilt of a level face. */
const DROP_MM3 = 50;

/** First step of the search for a direction in which resin that stays in the part runs out, radians: 10°. */
const DRAIN_RAD = 0.175;

/** Cosine of 1°. */
const NEAR_FACE_COSINE = 0.99985;

/** The best rotation of a part, if possible among those that fit the volume. */
function orientPart(search: RoughSearch, progress: Progress, made?: RefinedStarts): ChosenPose {
  const { shape, criteria, volume } = search;
  const cost = exactCost(shape, criteria);
  const searchCostOf = searchCost(shape, criteria, cost);
  const fits = volumeFit(shape, volume);
  const refined = (candidate: CandidateDirection): CandidateDirection => {
    progress.report(0);
    const { up } = refineDirection({ up: candidate.up, cost: searchCostOf(candidate.up) }, shape.axes, {
      costOf: searchCostOf,
      ...(fits(candidate.up) && { fits }),
      fromRad: FIRST_STEP_RAD,
      toRad: LAST_STEP_RAD,
    });
    const found: CandidateDirection = { up, cost: cost(up), isExact: false };
    return found.cost < candidate.cost ? found : candidate;
  };
  const found = findCandidates(search, cost, progress.part(0, 0.6), made);
  const isPromising = (candidate: CandidateDirection): boolean =>
    !candidate.isExact && candidate.cost <= MAX_REFINED_RATIO * found[0].cost;
  const promising = new Set(found.filter(isPromising).slice(0, MAX_REFINED));
  const best = withoutNearFaces(found.map((candidate) => (promising.has(candidate) ? refined(candidate) : candidate)));
  // Where only heights and areas count, as in powder, the opposite direction costs the same, and the search may have
  // found only one of the two.
  const candidates = best.flatMap((candidate): CandidateDirection[] => {
    const up = times(candidate.up, -1);
    const isWorth =
      candidate.cost <= MAX_REFINED_RATIO * found[0].cost && searchCostOf(up) <= MAX_FLIPPED_RATIO * found[0].cost;
    return isWorth ? [candidate, { up, cost: cost(up), isExact: candidate.isExact }] : [candidate];
  });
  const { choose, sealingCost } = directionChooser(shape, criteria, volume);
  const pose = choose(candidates, progress.part(0.7, 0.9));
  const { choice } = pose;
  const better = choice.isExact || !found.includes(choice) ? [] : [refined(choice)];
  if (!choice.isExact && pose.trappedMm3 > DROP_MM3) {
    // Cups are not part of the cost of the searches so far, as each direction takes milliseconds.
    const total = (up: Vec3): number => searchCostOf(up) + sealingCost(up);
    const drained = refineDirection({ up: choice.up, cost: total(choice.up) }, shape.axes, {
      costOf: total,
      ...(pose.fits && { fits }),
      fromRad: DRAIN_RAD,
      toRad: DRAIN_RAD / 2,
    });
    better.push({ up: drained.up, cost: cost(drained.up), isExact: false });
  }
  return better.length === 0 ? pose : choose([choice, ...better], progress.part(0.9, 1));
}

/** The directions without those within 1° of an exact direction that costs no more: they have converged to it. */
const withoutNearFaces = (all: readonly CandidateDirection[]): CandidateDirection[] =>
  all.filter(
    (candidate) =>
      candidate.isExact ||
      !all.some((flat) => flat.isExact && flat.cost <= candidate.cost && dot(flat.up, candidate.up) > NEAR_FACE_COSINE),
  );

/** Costs that differ by a smaller share count as equal, and the tie breakers decide. */
const EQUAL_COST_SHARE = 1e-3;

interface ChosenPose {
  readonly rotation: Mat3;
  readonly fits: boolean;
  readonly trappedMm3: number;
}

interface DirectionChooser {
  /** Selects the direction of least cost with its cups from directions with their costs without cups. */
  choose<C extends CostedDirection>(choices: readonly C[], progress: Progress): ChosenPose & { readonly choice: C };
  /** The cost of the cups of a direction. */
  sealingCost(up: Vec3): number;
}

/** Creates the selection for a part. It selects a direction that does not fit the volume only where none fits. */
function directionChooser(shape: PartShape, criteria: Criteria, volume: BuildVolume): DirectionChooser {
  const { surface, moments } = shape;
  const candidates = new Map<Vec3, OrientationCandidate>();
  const candidateOf = (up: Vec3): OrientationCandidate => {
    const candidate = candidates.get(up) ?? orientationCandidate(surface.vertices, moments, up, volume);
    candidates.set(up, candidate);
    return candidate;
  };
  // The voxels are aligned with the first direction's orientation, so that they do not depend on the axes of the file.
  let cups: Cups | undefined;
  const sealingCost = (up: Vec3): number => (cups ??= cupsOf(shape, criteria, candidateOf(up).rotation)).cost(up);
  const cheapestOf = <C extends CostedDirection>(choices: readonly C[], fits: boolean, progress: Progress): C[] => {
    let examined = 0;
    const totalCost = ({ up, cost }: CostedDirection): number | undefined => {
      progress.report(examined++ / choices.length);
      const candidate = candidateOf(up);
      if (candidate.fits !== fits) return undefined;
      return cost + sealingCost(up);
    };
    const cheapest: C[] = [];
    let least = Infinity;
    const withoutCups = choices.map((choice) => ({ choice, up: choice.up, cost: choice.cost }));
    for (const { choice, cost } of cheapestFirst(withoutCups, totalCost)) {
      least = Math.min(least, cost);
      if (cost > least * (1 + EQUAL_COST_SHARE)) break;
      cheapest.push(choice);
    }
    return cheapest;
  };
  const choose: DirectionChooser["choose"] = (choices, progress) => {
    const fitting = cheapestOf(choices, true, progress);
    const cheapest = fitting.length > 0 ? fitting : cheapestOf(choices, false, progress);
    const ranked = cheapest.map((choice) => {
      const { rotation, fits } = candidateOf(choice.up);
      return { choice, rotation, fits, marks: tieBreakers(moments, rotation) };
    });
    const { choice, rotation, fits } = firstByTieBreakers(ranked);
    return { choice, rotation, fits, trappedMm3: cups?.trappedMm3(choice.up) ?? 0 };
  };
  return { choose, sealingCost };
}
