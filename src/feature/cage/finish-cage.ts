import { type MeshTree, TOUCH_TOLERANCE_MM, interfere, meshTree, placeMeshTree } from "../../mesh/bvh/interfere.ts";
import { operationFailed } from "../../core/api-error.ts";
import { getOrInsert } from "../../core/memoize.ts";
import { claimMemory } from "../../core/memory-budget.ts";
import type { Progress } from "../../core/progress.ts";
import { type Box, boxCentre, boxSize, placeBox } from "../../geometry/box.ts";
import { IDENTITY_POSE, type Pose } from "../../geometry/pose.ts";
import { AXIS_INDICES, ORIGIN, type Vec3, add, subtract } from "../../geometry/vector.ts";
import { inBounds, moveInside } from "../../layout/bounds.ts";
import { boxSurface } from "../../mesh/box-surface.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import type { LetterPlane } from "../../mesh/letter-plane.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import type { Region } from "../../pack/chamber.ts";
import { packChamber } from "../../pack/pack-chamber.ts";
import { cageLattice } from "../../solid/cage/cage-lattice.ts";
import { type CageShape, openingCount, planCage } from "../../solid/cage/cage-plan.ts";
import { type CageRequest, boxOfParts, boxOfPlaced, fullShape, shrunkVolume, sizeText } from "./cage-request.ts";

export interface FinishedCage {
  readonly lattice: Mesh;
  /** The plane of the raised label of the lattice, if it has one. */
  readonly letters?: LetterPlane | undefined;
  readonly position: Vec3;
  /** The poses of the parts. */
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

/** Facets per opening, and bytes per facet while a lattice is made: measured on 18,000 openings. */
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

/** Sintered bodies that are nearer to each other than this fuse: the smallest clearance that makers of printers recommend. */
const FUSED_MM = 0.5;

/** The offset that moves a box to a free place in the chamber. Throws OPERATION_FAILED if there is none. */
function freeOffset(request: CageRequest, outer: Box, progress: Progress): Vec3 {
  const { obstacles, volume, spacingMm, wallDistanceMm, packing } = request;
  const { min, max } = outer;
  const hullXy = Float64Array.of(min[0], min[1], max[0], min[1], max[0], max[1], min[0], max[1]);
  const extent = { box: outer, hullXy };
  const at = (position: Vec3): Pose => ({ ...IDENTITY_POSE, position });
  const room = shrunkVolume(volume, wallDistanceMm);
  const mesh = canonicalMesh(boxSurface(outer), 1, progress.silent());
  const isFree = newFreeTest(obstacles, outer, mesh, progress);
  // Parts that are not packed keep the position that a client chose, unless something is in the way.
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
    `The cage of ${sizeText(boxSize(outer))} does not fit in the chamber ${obstacles.length > 0 ? "next to the other models" : `of ${sizeText(volume.dimensionsMm)}`}: ` +
      "cage fewer models at a time, lower model_spacing_mm, or delete models that are in the way.",
  );
}

/**
 * Returns a test whether a box (`mesh` is its surface), moved by an offset, keeps the distance from all obstacles and contains none of
 * them.
 */
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
      const isNear = AXIS_INDICES.every(
        (axis) => box.min[axis] < moved.max[axis] + spacingMm && moved.min[axis] < box.max[axis] + spacingMm,
      );
      if (!isNear) return true;
      const one = placeMeshTree({ mesh, pose }, treeOf(mesh), pose);
      const other = placeMeshTree(obstacle, treeOf(obstacle.mesh), pose);
      return !interfere(one, other, spacingMm + TOUCH_TOLERANCE_MM, progress.silent());
    });
  };
}
