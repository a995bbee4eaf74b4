import { operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { must } from "../../core/must.ts";
import { mapVec3 } from "../../geometry/vector.ts";
import { boxSize } from "../../geometry/box.ts";
import { type Pose, orientationScaleKey } from "../../geometry/pose.ts";
import type { Vec3 } from "../../geometry/vector.ts";
import type { Region } from "../../pack/chamber.ts";
import { packChamber } from "../../pack/pack-chamber.ts";
import { frameMm, planCage } from "../../solid/cage/cage-plan.ts";
import { cageFootprints } from "./cage-footprints.ts";
import {
  type CageRequest,
  ROUNDING_MM,
  boxOfParts,
  boxOfRotated,
  fullShape,
  outerLimitMm,
  sizeText,
} from "./cage-request.ts";

/** Distance from the outside of a cage to its parts. */
const marginMm = ({ shape, distanceMm }: CageRequest): number => frameMm(shape) + distanceMm + ROUNDING_MM;

/** The room for parts in the largest cage. Throws OPERATION_FAILED if there is none. */
function innerLimitMm(request: CageRequest): Vec3 {
  const [x, y, z] = mapVec3(outerLimitMm(request), (mm) => mm - 2 * marginMm(request));
  if (Math.min(x, y, z) > 0) return [x, y, z];
  throw operationFailed(
    `A cage with these bars and distances has no room for parts in a chamber of ${sizeText(request.volume.dimensionsMm)}: ` +
      "lower distance_to_cage_mm, bar_thickness_mm or model_spacing_mm.",
  );
}

/** The poses of the parts of a cage after one attempt to pack them, and the volume of the cage around them. */
export interface CagePacking {
  /** Undefined for parts that did not fit. */
  readonly poses: readonly (Pose | undefined)[];
  readonly placed: number;
  readonly outerMm3: number;
}

/** Share of the room that the boxes of packed parts take, grown by half the spacing. */
const PACKED_SHARE = 0.8;

export interface CageAttempt {
  readonly request: CageRequest;
  /** Index in {@link cageFootprints}; 0 for other types of packing than PACK_VOLUME. */
  readonly attempt: number;
}

/** Packs the parts of a cage as its type of packing says. Throws OPERATION_FAILED for a part that is too large for any cage. */
export function packCage({ request, attempt }: CageAttempt, progress: Progress): CagePacking {
  const { parts, obstacles, packing, spacingMm } = request;
  if (packing === "PACK_NONE")
    return packingOf(
      request,
      parts.map(({ pose }) => pose),
      progress,
    );
  const margin = marginMm(request);
  const limit = innerLimitMm(request);
  const [width, depth] = packing === "PACK_VOLUME" ? footprintOf(request, limit, attempt, progress) : limit;
  const isInPlace = packing === "PACK_NORMAL";
  const region: Region = {
    min: [-width / 2, -depth / 2, margin],
    max: [width / 2, depth / 2, margin + limit[2]],
    filletRadiusMm: 0,
  };
  const packed = packChamber(
    { parts, obstacles: isInPlace ? obstacles : [], region, spacingMm, wallDistanceMm: 0 },
    progress.part(0, 0.9),
  );
  if (packed.placed < parts.length) requireRoomForEach(request, packed.poses, limit, progress.part(0.9, 1));
  return packingOf(request, packed.poses, progress);
}

/** Inner width and depth of a cage, at least those of the largest part. */
function footprintOf(
  { parts, spacingMm }: CageRequest,
  limit: Vec3,
  attempt: number,
  progress: Progress,
): readonly [number, number] {
  let [bulkMm3, leastWidth, leastDepth] = [0, 0, 0];
  for (const { mesh, pose, turns } of parts) {
    const size =
      turns === "all" ? boxSize(mesh.box).map((mm) => mm * pose.scale) : boxSize(boxOfRotated(mesh, pose, progress));
    bulkMm3 += size.reduce((product, mm) => product * (mm + spacingMm), 1);
    const sides = (turns === "all" ? size.toSorted((one, other) => one - other) : size).slice(0, 2);
    leastWidth = Math.max(leastWidth, ...sides);
    leastDepth = Math.max(leastDepth, Math.min(...sides));
  }
  const sideMm = Math.fround(Math.cbrt(bulkMm3 / PACKED_SHARE));
  const [width, depth] = must(cageFootprints(parts.length)[attempt], `Footprint ${attempt}`);
  return [
    Math.min(limit[0], Math.max(width * sideMm, leastWidth + 1)),
    Math.min(limit[1], Math.max(depth * sideMm, leastDepth + 1)),
  ];
}

/** Throws OPERATION_FAILED with the name of a part that does not fit even alone. */
function requireRoomForEach(
  request: CageRequest,
  poses: readonly (Pose | undefined)[],
  room: Vec3,
  progress: Progress,
): void {
  const [x, y, z] = room;
  const region: Region = { min: [-x / 2, -y / 2, 0], max: [x / 2, y / 2, z], filletRadiusMm: 0 };
  const tried = new Set<string>();
  request.parts.forEach((part, i) => {
    const key = orientationScaleKey(part.mesh.hash, part.pose);
    if (poses[i] || tried.has(key)) return;
    tried.add(key);
    progress.report(i / poses.length);
    const alone = { parts: [part], obstacles: [], region, spacingMm: 0, wallDistanceMm: 0 };
    if (packChamber(alone, progress.silent()).placed === 1) return;
    throw operationFailed(
      `${part.name} is too large for a cage in this chamber, which has room for ${sizeText(room)} within bars and distances: ` +
        "leave it out of model_ids, scale it down, or let its lock turn it.",
    );
  });
}

function packingOf(request: CageRequest, poses: readonly (Pose | undefined)[], progress: Progress): CagePacking {
  const placed = poses.filter((pose) => pose !== undefined);
  if (placed.length < poses.length) return { poses, placed: placed.length, outerMm3: Infinity };
  const plan = planCage(fullShape(request, boxOfParts(request, placed, progress)));
  const outerMm3 = plan.reduce((product, { lengthMm }) => product * lengthMm, 1);
  return { poses, placed: placed.length, outerMm3 };
}
