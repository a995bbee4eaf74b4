import type { Progress } from "../../core/progress.ts";
import { paired } from "../../core/paired.ts";
import { type Box, boxOf, boxSize, placeBox, unionBoxes } from "../../geometry/box.ts";
import type { BuildVolume } from "../../geometry/build-volume.ts";
import { type Pose, rotationMatrix } from "../../geometry/pose.ts";
import { type Vec3, mapVec3 } from "../../geometry/vector.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import type { MovablePart } from "../../pack/pack-chamber.ts";
import { rotatedVertices } from "../../pack/part-shape.ts";
import type { CageShape } from "../../solid/cage/cage-plan.ts";

/** A model to be caged. */
export interface CagePart extends MovablePart {
  /** Name in quotes, for messages. */
  readonly name: string;
  readonly isFixed: boolean;
}

/** Models to cage, and the options of the cage. */
export interface CageRequest {
  readonly parts: readonly CagePart[];
  /** The other models, which keep their places. */
  readonly obstacles: readonly PlacedMesh[];
  readonly volume: BuildVolume;
  readonly packing: "PACK_NORMAL" | "PACK_VOLUME" | "PACK_HEIGHT" | "PACK_NONE";
  /** Least distance between parts, and between the cage and other models. */
  readonly spacingMm: number;
  /** Least distance of the cage from the sides of the chamber. */
  readonly wallDistanceMm: number;
  /** Least distance between the parts and the lattice. */
  readonly distanceMm: number;
  readonly shape: Omit<CageShape, "innerMm" | "outerLimitMm">;
  /** Text that is raised on the lattice. */
  readonly label?: string | undefined;
}

/** Added to the requested distance: coordinates of the lattice, up to 150 mm from its middle, are rounded to single precision. */
export const ROUNDING_MM = 1e-5;
/** Width that the label and its plate can add to a cage. */
const LABEL_MM = 2;

/** The build volume, smaller by `byMm` at its sides. */
export const shrunkVolume = ({ dimensionsMm: [x, y, z], filletRadiusMm }: BuildVolume, byMm: number): BuildVolume => ({
  dimensionsMm: [x - 2 * byMm, y - 2 * byMm, z],
  filletRadiusMm: Math.max(0, filletRadiusMm - byMm),
});

/** The largest cage that the chamber holds: its corners touch the rounded edges. */
export function outerLimitMm({ volume, wallDistanceMm, label }: CageRequest): Vec3 {
  const { dimensionsMm, filletRadiusMm } = shrunkVolume(volume, wallDistanceMm);
  const insetMm = 2 * filletRadiusMm * (1 - Math.SQRT1_2) + (label === undefined ? 0 : LABEL_MM);
  const [x, y, z] = dimensionsMm;
  return [x - insetMm, y - insetMm, z];
}

/** The box around the parts of a cage in these poses, along the axes of the scene. */
export const boxOfParts = ({ parts }: CageRequest, poses: readonly Pose[], progress: Progress): Box =>
  paired(parts, poses)
    .map(([{ mesh }, pose]) => boxOfPlaced({ mesh, pose }, progress))
    .reduce(unionBoxes);

/** The box around a placed mesh, exact. */
export function boxOfPlaced({ mesh, pose }: PlacedMesh, progress: Progress): Box {
  return placeBox(boxOfRotated(mesh, pose, progress), 1, pose.position);
}

/** The box around a mesh that is rotated and scaled about its origin. */
export const boxOfRotated = (mesh: Mesh, { orientation, scale }: Pose, progress: Progress): Box =>
  boxOf(rotatedVertices(mesh, rotationMatrix(orientation), scale, progress.silent()));

/** The shape of the lattice around parts with the box `box`. */
export const fullShape = (request: CageRequest, box: Box): CageShape => ({
  ...request.shape,
  innerMm: mapVec3(boxSize(box), (mm) => mm + 2 * (request.distanceMm + ROUNDING_MM)),
  outerLimitMm: outerLimitMm(request),
});

/** A size in text for messages, to a tenth of a millimetre. */
export const sizeText = (size: Vec3): string => `${size.map((mm) => Math.round(mm * 10) / 10).join(" × ")} mm`;
