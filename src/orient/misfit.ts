import type { BuildVolume } from "../geometry/build-volume.ts";
import { type Mat3, type Vec3, unit } from "../geometry/vector.ts";
import { excessMm, orientationCandidate } from "./orientation-candidate.ts";
import { type PartShape, directionLattice, hemisphereOf } from "./part-shape.ts";
import { refineDirection } from "./refine-direction.ts";

/** Distance by which a part fails to fit a build volume in every orientation that it may have. */
export interface Misfit {
  /** Length by which the part exceeds the volume in the pose in which it exceeds it least, mm. */
  readonly excessMm: number;
  /** Index of the first of the other volumes into which it fits; undefined where it fits none. */
  readonly fittingVolume: number | undefined;
}

/** The pose of a part in which it exceeds its volume least. */
export interface NearestFit extends Misfit {
  readonly rotation: Mat3;
}

/** Gives 258 directions, some 15° apart. */
const LATTICE_STEPS = 8;
/** Number of directions that are refined, and the first and last step of the refinement, radians. */
const MAX_REFINED = 4;
const FROM_RAD = 0.1;
const TO_RAD = 0.002;
/** The excess of a part that is short enough but does not fit the rounded edges of the volume, mm. */
const LEAST_EXCESS_MM = 0.1;

/**
 * The pose in which a part exceeds its volume least, for a part that fits it in none, and the first of `others` that it
 * fits. `allowed` are the directions that may point up; undefined for any.
 */
export function nearestFittingOrientation(
  { surface, moments, axes, extremes, faces }: PartShape,
  allowed: readonly Vec3[] | undefined,
  volume: BuildVolume,
  others: readonly BuildVolume[],
): NearestFit {
  const { vertices } = surface;
  const directions = allowed ?? [
    ...faces.map(({ normal }) => normal),
    ...hemisphereOf(directionLattice(LATTICE_STEPS, axes)),
  ];
  /** The directions in which the extreme points of the part exceed a volume least, the best first. */
  const nearest = (limits: BuildVolume): Vec3[] => {
    const cost = (up: Vec3): number => excessMm(extremes.points, up, limits);
    const sorted = directions.map((up) => ({ up, cost: cost(up) })).sort((a, b) => a.cost - b.cost);
    if (allowed) return sorted.map(({ up }) => up);
    return sorted
      .slice(0, MAX_REFINED)
      .map((one) => refineDirection(one, axes, { costOf: cost, fromRad: FROM_RAD, toRad: TO_RAD }))
      .sort((a, b) => a.cost - b.cost)
      .map(({ up }) => unit(up));
  };
  const [up] = nearest(volume);
  const fittingVolume = others.findIndex((other) =>
    nearest(other).some((direction) => orientationCandidate(vertices, moments, direction, other).fits),
  );
  return {
    rotation: orientationCandidate(vertices, moments, up, volume).rotation,
    excessMm: Math.max(LEAST_EXCESS_MM, excessMm(vertices, up, volume)),
    fittingVolume: fittingVolume < 0 ? undefined : fittingVolume,
  };
}
