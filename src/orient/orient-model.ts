import type { Profile } from "../catalog/profile-types.ts";
import type { Lock } from "../core/model-options.ts";
import type { Progress } from "../core/progress.ts";
import type { BuildVolume } from "../geometry/build-volume.ts";
import { type EulerDeg, rotationMatrix, roundedAngles } from "../geometry/pose.ts";
import { type Mat3, type Vec3, dot, times } from "../geometry/vector.ts";
import type { Mesh } from "../mesh/mesh.ts";
import {
  type CandidateDirection,
  type CostedDirection,
  cheapestFirst,
  cupCost,
  findCandidates,
  refineDirection,
} from "./candidates.ts";
import { type Criteria, criteriaOf } from "./criteria.ts";
import { type DirectionCost, exactCost, searchCost } from "./measure.ts";
import { tieBreakers } from "./moments.ts";
import { orientDentalArch } from "./orient-dental-arch.ts";
import { type OrientationCandidate, firstByTieBreakers, orientationCandidate } from "./orientation-candidate.ts";
import { type PartShape, partShape } from "./part-shape.ts";

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
}

/**
 * Angles are rounded to 1 / this: far finer than the accuracy of a file, far coarser than differences of `atan2`
 * between JavaScript engines.
 */
const STEPS_PER_DEGREE = 1e6;

/**
 * The best orientation of a model on its printer. It depends on the shape only: not on the order or fineness of its
 * facets, nor on its present orientation, except as far as its lock demands. Throws OPERATION_FAILED for a dental arch
 * without a base.
 */
export function orientModel(request: OrientRequest, progress: Progress): EulerDeg {
  progress.report(0);
  const shape = partShape(request.mesh, request.scale);
  return roundedAngles(rotationFor(request, shape, progress), STEPS_PER_DEGREE);
}

function rotationFor(request: OrientRequest, shape: PartShape, progress: Progress): Mat3 {
  const { profile, volume, dentalTiltDeg } = request;
  const directions = allowedDirections(request);
  if (dentalTiltDeg !== undefined) return orientDentalArch(shape, directions ? 0 : dentalTiltDeg, directions);
  const criteria = criteriaOf(profile);
  if (directions === undefined) return orientPart(shape, criteria, volume, progress);
  const cost = exactCost(shape, criteria);
  const choices = directions.map((up) => ({ up, cost: cost(up) }));
  return directionChooser(shape, criteria, volume)(choices, progress).rotation;
}

/** The directions of the part that may point up by its lock (interface, "lock values"); undefined for any direction. */
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
/** Number of candidates that are refined, and by what factor they may cost more than the best. */
const MAX_REFINED = 3;
const MAX_REFINED_RATIO = 1.03;
/** By what factor an opposite direction may cost more than the best, approximately, to become a candidate. */
const MAX_FLIPPED_RATIO = 1.1;

/** Cosine of 1°. */
const NEAR_FACE_COSINE = 0.99985;

/** The best rotation of a part, among those that fit the volume if any do. */
function orientPart(shape: PartShape, criteria: Criteria, volume: BuildVolume, progress: Progress): Mat3 {
  const cost = exactCost(shape, criteria);
  const searchCostOf = searchCost(shape, criteria, cost);
  const refined = (candidate: CandidateDirection): CandidateDirection => {
    progress.report(0);
    const { up } = refineDirection(
      { up: candidate.up, cost: searchCostOf(candidate.up) },
      shape.axes,
      searchCostOf,
      FIRST_STEP_RAD,
      LAST_STEP_RAD,
    );
    const found: CandidateDirection = { up, cost: cost(up), isExact: false };
    return found.cost < candidate.cost ? found : candidate;
  };
  const found = findCandidates(shape, cost, criteria, volume, progress.part(0, 0.6));
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
    return isWorth ? [candidate, { up, cost: cost(up), isExact: true }] : [candidate];
  });
  const choose = directionChooser(shape, criteria, volume);
  const { choice, rotation } = choose(candidates, progress.part(0.7, 0.9));
  if (choice.isExact || !found.includes(choice)) return rotation;
  return choose([choice, refined(choice)], progress.part(0.9, 1)).rotation;
}

/**
 * Without the directions within 1° of an exact one that is not more expensive: the search has converged to that one.
 */
const withoutNearFaces = (all: readonly CandidateDirection[]): CandidateDirection[] =>
  all.filter(
    (candidate) =>
      candidate.isExact ||
      !all.some((flat) => flat.isExact && flat.cost <= candidate.cost && dot(flat.up, candidate.up) > NEAR_FACE_COSINE),
  );

/** Costs that differ by a smaller share count as equal, and the tie breakers decide. */
const EQUAL_COST_SHARE = 1e-3;

/**
 * Selects the direction of least cost with its cups from directions with their costs without cups, and gives the
 * rotation of the part.
 */
export type ChooseDirection = <C extends CostedDirection>(
  choices: readonly C[],
  progress: Progress,
) => { choice: C; rotation: Mat3 };

/** Creates the selection for a part. It selects a direction that does not fit the volume only where none fits. */
function directionChooser(shape: PartShape, criteria: Criteria, volume: BuildVolume): ChooseDirection {
  const { surface, moments } = shape;
  const candidates = new Map<Vec3, OrientationCandidate>();
  const candidateOf = (up: Vec3): OrientationCandidate => {
    const candidate = candidates.get(up) ?? orientationCandidate(surface.vertices, moments, up, volume);
    candidates.set(up, candidate);
    return candidate;
  };
  // The voxels are aligned with the first direction's orientation, so that they do not depend on the axes of the file.
  let cups: DirectionCost | undefined;
  const cheapestOf = <C extends CostedDirection>(choices: readonly C[], fits: boolean, progress: Progress): C[] => {
    let examined = 0;
    const totalCost = ({ up, cost }: CostedDirection): number | undefined => {
      progress.report(examined++ / choices.length);
      const candidate = candidateOf(up);
      if (candidate.fits !== fits) return undefined;
      cups ??= cupCost(shape, criteria, candidate.rotation);
      return cost + cups(up);
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
  return (choices, progress) => {
    const fitting = cheapestOf(choices, true, progress);
    const cheapest = fitting.length > 0 ? fitting : cheapestOf(choices, false, progress);
    const ranked = cheapest.map((choice) => {
      const { rotation } = candidateOf(choice.up);
      return { choice, rotation, marks: tieBreakers(moments, rotation) };
    });
    return firstByTieBreakers(ranked);
  };
}
