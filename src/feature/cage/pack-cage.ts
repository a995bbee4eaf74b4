import { type MeshTree, TOUCH_TOLERANCE_MM, interfere, meshTree, placeSolid } from "../../check/interferences.ts";
import { operationFailed } from "../../core/api-error.ts";
import { getOrInsert } from "../../core/memoize.ts";
import { claimMemory } from "../../core/memory-budget.ts";
import type { Progress } from "../../core/progress.ts";
import { type Box, boxCentre, boxOf, boxSize, placeBox, unionBoxes } from "../../geometry/box.ts";
import type { BuildVolume } from "../../geometry/build-volume.ts";
import { IDENTITY_POSE, type Pose, orientationScaleKey, rotationMatrix } from "../../geometry/pose.ts";
import { ORIGIN, type Vec3, add, subtract } from "../../geometry/vector.ts";
import { boxSurface } from "../../mesh/box-surface.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import type { LetterPlane } from "../../mesh/letter-plane.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { inBounds, moveInside } from "../../layout/bounds.ts";
import type { Region } from "../../pack/chamber.ts";
import { type MovablePart, packChamber } from "../../pack/pack-chamber.ts";
import { rotatedVertices } from "../../pack/part-shape.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import { cageLattice } from "../../solid/cage/cage-lattice.ts";
import { type CageShape, frameMm, openingCount, planCage } from "../../solid/cage/cage-plan.ts";
import { cageFootprints } from "./cage-footprints.ts";

/** A model to be caged. */
export interface CagePart extends MovablePart {
  /** For messages, in quotes. */
  readonly name: string;
  readonly isFixed: boolean;
}

export interface CageRequest {
  readonly parts: readonly CagePart[];
  /** The other models, which stay. */
  readonly obstacles: readonly PlacedMesh[];
  readonly volume: BuildVolume;
  readonly packing: "PACK_NORMAL" | "PACK_VOLUME" | "PACK_HEIGHT" | "PACK_NONE";
  /** Least distance between parts, and of the cage from the other models. */
  readonly spacingMm: number;
  /** Least distance of the cage from the sides of the chamber. */
  readonly wallDistanceMm: number;
  /** Least distance between the parts and the lattice. */
  readonly distanceMm: number;
  readonly shape: Omit<CageShape, "innerMm" | "outerLimitMm">;
  /** Raised on the lattice. */
  readonly label?: string | undefined;
}

/** Beyond the distance asked for: coordinates of the lattice, up to 150 mm from its middle, are rounded to single precision. */
const ROUNDING_MM = 1e-5;
/** What the label and its plate may add to the width of a cage. */
const LABEL_MM = 2;

/** The volume without `byMm` at its sides. */
const shrunkVolume = ({ dimensionsMm: [x, y, z], filletRadiusMm }: BuildVolume, byMm: number): BuildVolume => ({
  dimensionsMm: [x - 2 * byMm, y - 2 * byMm, z],
  filletRadiusMm: Math.max(0, filletRadiusMm - byMm),
});

/** The largest cage that the chamber holds: its corners touch the rounded edges. */
function outerLimitMm({ volume, wallDistanceMm, label }: CageRequest): Vec3 {
  const { dimensionsMm, filletRadiusMm } = shrunkVolume(volume, wallDistanceMm);
  const insetMm = 2 * filletRadiusMm * (1 - Math.SQRT1_2) + (label === undefined ? 0 : LABEL_MM);
  const [x, y, z] = dimensionsMm;
  return [x - insetMm, y - insetMm, z];
}

/** From the outside of a cage to its parts. */
const marginMm = ({ shape, distanceMm }: CageRequest): number => frameMm(shape) + distanceMm + ROUNDING_MM;

/** The room for parts in the largest cage. Throws OPERATION_FAILED where there is none. */
function innerLimitMm(request: CageRequest): Vec3 {
  const [x, y, z] = outerLimitMm(request).map((mm) => mm - 2 * marginMm(request));
  if (Math.min(x, y, z) > 0) return [x, y, z];
  throw operationFailed(
    `A cage with these bars and distances has no room for parts in a chamber of ${sizeText(request.volume.dimensionsMm)}: ` +
      "lower distance_to_cage_mm, bar_thickness_mm or model_spacing_mm.",
  );
}

/** Where the parts of a cage stand in one attempt to pack them, and the volume of the cage around them. */
export interface CagePacking {
  /** Undefined for parts that found no place. */
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

/** Width and depth of a cage within, at least those of the largest part. */
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
    const [a, b] = turns === "all" ? size.toSorted((one, other) => one - other) : size.slice(0, 2);
    leastWidth = Math.max(leastWidth, a, b);
    leastDepth = Math.max(leastDepth, Math.min(a, b));
  }
  const sideMm = Math.fround(Math.cbrt(bulkMm3 / PACKED_SHARE));
  const [width, depth] = cageFootprints(parts.length)[attempt];
  return [
    Math.min(limit[0], Math.max(width * sideMm, leastWidth + 1)),
    Math.min(limit[1], Math.max(depth * sideMm, leastDepth + 1)),
  ];
}

/** Throws OPERATION_FAILED that names a part which has no room even alone. */
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

const sizeText = (size: Vec3): string => `${size.map((mm) => Math.round(mm * 10) / 10).join(" × ")} mm`;

function packingOf(request: CageRequest, poses: readonly (Pose | undefined)[], progress: Progress): CagePacking {
  const placed = poses.filter((pose) => pose !== undefined);
  if (placed.length < poses.length) return { poses, placed: placed.length, outerMm3: Infinity };
  const plan = planCage(fullShape(request, boxOfParts(request, placed, progress)));
  const outerMm3 = plan.reduce((product, { lengthMm }) => product * lengthMm, 1);
  return { poses, placed: placed.length, outerMm3 };
}

const boxOfParts = ({ parts }: CageRequest, poses: readonly Pose[], progress: Progress): Box =>
  poses.map((pose, i) => boxOfPlaced({ mesh: parts[i].mesh, pose }, progress)).reduce(unionBoxes);

function boxOfPlaced({ mesh, pose }: PlacedMesh, progress: Progress): Box {
  return placeBox(boxOfRotated(mesh, pose, progress), 1, pose.position);
}

const boxOfRotated = (mesh: Mesh, { orientation, scale }: Pose, progress: Progress): Box =>
  boxOf(rotatedVertices(mesh, rotationMatrix(orientation), scale, progress.silent()));

const fullShape = (request: CageRequest, box: Box): CageShape => ({
  ...request.shape,
  innerMm: boxSize(box).map((mm) => mm + 2 * (request.distanceMm + ROUNDING_MM)) as unknown as Vec3,
  outerLimitMm: outerLimitMm(request),
});

export interface FinishedCage {
  readonly lattice: Mesh;
  /** Where the label of the lattice stands out, if it has one. */
  readonly letters?: LetterPlane | undefined;
  readonly position: Vec3;
  /** Of the parts. */
  readonly poses: readonly Pose[];
}

/** Builds the lattice around packed parts, and moves both to a free place in the chamber, together and as little as needed. */
export async function finishCage(
  request: CageRequest & { readonly poses: readonly Pose[] },
  progress: Progress,
): Promise<FinishedCage> {
  const { poses, label } = request;
  const box = boxOfParts(request, poses, progress);
  const shape = fullShape(request, box);
  claimLatticeMemory(shape, label !== undefined);
  const { mesh: lattice, letters } = await cageLattice({ ...shape, label }, progress.part(0, 0.6));
  const centre = boxCentre(box);
  const outer: Box = { min: add(lattice.box.min, centre), max: add(lattice.box.max, centre) };
  const offset = freeOffset(request, outer, progress.part(0.6, 1));
  const fixed = request.parts.find(({ isFixed }) => isFixed);
  if (fixed && offset.some((mm) => mm !== 0)) {
    throw operationFailed(
      `${fixed.name} is FULLY_LOCKED, and its cage would leave the chamber or touch another model there: move it, or set another lock.`,
    );
  }
  return {
    lattice,
    letters,
    position: add(boxCentre(outer), offset),
    poses: poses.map((pose) => ({ ...pose, position: add(pose.position, offset) })),
  };
}

/** Facets for each opening, and what a facet takes while a lattice is made, in bytes: measured on 18,000 openings. */
const FACETS_PER_OPENING = { SQUARE: 24, ROUND: 66 };
const BYTES_PER_FACET = { plain: 350, labelled: 1200 };

function claimLatticeMemory(shape: CageShape, isLabelled: boolean): void {
  const facets = FACETS_PER_OPENING[shape.bars] * openingCount(planCage(shape));
  claimMemory({
    bytes: BYTES_PER_FACET[isLabelled ? "labelled" : "plain"] * facets,
    what: "The lattice",
    wayOut: "raise bar_spacing_mm, or cage fewer models at a time",
  });
}

/** Sintered bodies that are nearer to each other than this fuse: the smallest clearance that makers of printers advise. */
const FUSED_MM = 0.5;

/** The move that takes a box to a place in the chamber where it is free. Throws OPERATION_FAILED where there is none. */
function freeOffset(request: CageRequest, outer: Box, progress: Progress): Vec3 {
  const { obstacles, volume, spacingMm, wallDistanceMm, packing } = request;
  const { min, max } = outer;
  const hullXy = Float64Array.of(min[0], min[1], max[0], min[1], max[0], max[1], min[0], max[1]);
  const extent = { box: outer, hullXy };
  const at = (position: Vec3): Pose => ({ ...IDENTITY_POSE, position });
  const room = shrunkVolume(volume, wallDistanceMm);
  const mesh = canonicalMesh(boxSurface(outer), 1, progress.silent());
  const isFree = newFreeTest(obstacles, outer, mesh, progress);
  // Parts that are not packed stay where a client has put them, unless something is in the way.
  const mayStay = packing === "PACK_NONE" && inBounds(extent, IDENTITY_POSE, volume);
  if (mayStay && isFree(ORIGIN, Math.min(spacingMm, FUSED_MM))) return ORIGIN;
  const nearest = moveInside(extent, IDENTITY_POSE, room, "xyz").position;
  const floor: Vec3 = [0 - boxCentre(outer)[0], 0 - boxCentre(outer)[1], 0 - min[2]];
  const isKept = packing === "PACK_NONE" || packing === "PACK_NORMAL";
  const near = [...(isKept ? [ORIGIN, nearest] : []), floor].find(
    (offset) => inBounds(extent, at(offset), room) && isFree(offset, spacingMm),
  );
  if (near) return near;
  const part = { mesh, pose: at(boxCentre(mesh.box)), turns: "none" as const };
  const [x, y, z] = volume.dimensionsMm;
  const region: Region = { min: [-x / 2, -y / 2, 0], max: [x / 2, y / 2, z], filletRadiusMm: volume.filletRadiusMm };
  const [pose] = packChamber({ parts: [part], obstacles, region, spacingMm, wallDistanceMm }, progress).poses;
  if (pose) return subtract(pose.position, part.pose.position);
  throw operationFailed(
    `The cage of ${sizeText(boxSize(outer))} finds no place in the chamber ${obstacles.length > 0 ? "beside the other models" : `of ${sizeText(volume.dimensionsMm)}`}: ` +
      "cage fewer models at a time, lower model_spacing_mm, or delete models that are in the way.",
  );
}

/** Tells whether a box, `mesh` its surface, moved by an offset is at least some distance from all obstacles, and none is within it. */
function newFreeTest(
  obstacles: readonly PlacedMesh[],
  outer: Box,
  mesh: Mesh,
  progress: Progress,
): (offset: Vec3, spacingMm: number) => boolean {
  const trees = new Map<string, MeshTree>();
  const treeOf = (one: Mesh): MeshTree => getOrInsert(trees, one.hash, () => meshTree(one, progress.silent()));
  const placed = obstacles.map((obstacle) => ({
    obstacle,
    box: boxOfPlaced(obstacle, progress),
  }));
  return (offset, spacingMm) => {
    const pose: Pose = { ...IDENTITY_POSE, position: add(boxCentre(mesh.box), offset) };
    const moved = placeBox(outer, 1, offset);
    return placed.every(({ obstacle, box }, i) => {
      progress.report(i / placed.length);
      const isNear = [0, 1, 2].every(
        (axis) => box.min[axis] < moved.max[axis] + spacingMm && moved.min[axis] < box.max[axis] + spacingMm,
      );
      if (!isNear) return true;
      const one = placeSolid({ mesh, pose }, treeOf(mesh), pose);
      const other = placeSolid(obstacle, treeOf(obstacle.mesh), pose);
      return !interfere(one, other, spacingMm + TOUCH_TOLERANCE_MM, progress.silent());
    });
  };
}
