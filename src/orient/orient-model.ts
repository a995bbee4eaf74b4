import type { Profile } from "../catalog/profile-types.ts";
import type { BuildVolume, Mat3, Vec3 } from "../core/geometry.ts";
import type { Lock } from "../core/lock.ts";
import type { Watch } from "../core/watch.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { anglesOf, type EulerDeg, toMatrix } from "../mesh/pose.ts";
import { exactCost } from "./cost/exact-cost.ts";
import { criteriaOf } from "./criteria.ts";
import { orientArch } from "./dental/orient-arch.ts";
import { orientPart } from "./orient-part.ts";
import { chooser } from "./search/chooser.ts";
import { type Shape, shapeOf } from "./shape.ts";

export interface OrientRequest {
  readonly mesh: Mesh;
  readonly scale: number;
  /** How it stands now; its tilt counts where it may not be changed. */
  readonly orientation: EulerDeg;
  /** One that lets it turn about the vertical at least. */
  readonly lock: Lock;
  readonly profile: Profile;
  readonly volume: BuildVolume;
  /** Present for the model of a dental arch: degrees by which its front is raised, from −90 to 90. */
  readonly dentalTiltDeg?: number;
}

/** Angles are rounded to this: far below what a file says of a shape, far above what engines differ by in arcs. */
const STEPS_PER_DEGREE = 1e6;

/**
 * How a model stands best on its printer. The answer is one for a shape: neither the order of its facets nor how fine they are
 * nor the way it stands now changes it, but as far as its lock asks. Throws OPERATION_FAILED for a dental arch without base.
 */
export function orientModel(request: OrientRequest, watch: Watch): EulerDeg {
  watch.report(0);
  const shape = shapeOf(request.mesh, request.scale);
  return anglesOf(rotationFor(request, shape, watch), STEPS_PER_DEGREE);
}

function rotationFor(request: OrientRequest, shape: Shape, watch: Watch): Mat3 {
  const { profile, volume, dentalTiltDeg } = request;
  const ups = allowedUps(request);
  if (dentalTiltDeg !== undefined) return orientArch(shape, ups ? 0 : dentalTiltDeg, ups);
  const criteria = criteriaOf(profile);
  if (ups === undefined) return orientPart(shape, criteria, volume, watch);
  const cost = exactCost(shape.part, criteria);
  const choices = ups.map((up) => ({ up, cost: cost(up) }));
  return chooser(shape, criteria, volume)(choices, watch).rotation;
}

/** The directions of the part that its lock lets point up (interface, "lock values"); undefined where any may. */
function allowedUps({ lock, orientation }: OrientRequest): readonly Vec3[] | undefined {
  if (lock === "FREE") return undefined;
  const [x, y, z] = toMatrix(orientation).slice(6);
  return lock === "LOCKED_XY_FLIP_ENABLED"
    ? [
        [x, y, z],
        [-x, -y, -z],
      ]
    : [[x, y, z]];
}
