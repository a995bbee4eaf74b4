import type { BuildVolume, Vec3 } from "../core/geometry.ts";
import { centreOf, sizeOf } from "../core/geometry.ts";
import type { Outline } from "../mesh/outline.ts";
import type { Pose } from "../mesh/pose.ts";
import { inBoundsXy, inBoundsZ } from "./in-bounds.ts";
import { nearestFit } from "./nearest-fit.ts";
import { BOUNDS_TOLERANCE_MM, footprintOf } from "./volume.ts";

/**
 * The pose moved inside the volume by the smallest move: in x and y together, and along z where `axes` has it. A model
 * that is inside along these axes keeps its pose to the bit; one that does not fit the volume at all, its height
 * included, is centred along them (interface supplement, section 4).
 */
export function moveInside(outline: Outline, pose: Pose, volume: BuildVolume, axes: "xy" | "xyz"): Pose {
  const [x, y, z] = pose.position;
  const xy = inBoundsXy(outline, pose, volume) ? [x, y] : movedXy(outline, pose, volume);
  const inside = inBoundsZ(outline, pose, volume) ? z : movedZ(outline, pose, volume);
  const height = axes === "xy" && inside !== undefined ? z : inside;
  const position: Vec3 = xy && height !== undefined ? [xy[0], xy[1], height] : centred(outline, pose, volume, axes);
  return position.every((coordinate, axis) => coordinate === pose.position[axis]) ? pose : { ...pose, position };
}

function movedXy({ hullXy }: Outline, { position, scale }: Pose, volume: BuildVolume): readonly number[] | undefined {
  const [x, y] = position;
  const corners = hullXy.map((coordinate) => scale * coordinate);
  const footprint = footprintOf(volume);
  const forgiving = { ...footprint, r: footprint.r + BOUNDS_TOLERANCE_MM / 2 };
  return nearestFit(corners, footprint, [x, y]) ?? nearestFit(corners, forgiving, [x, y]);
}

function movedZ({ box }: Outline, { position, scale }: Pose, { dimensionsMm }: BuildVolume): number | undefined {
  const height = dimensionsMm[2];
  if (scale * sizeOf(box)[2] > height + BOUNDS_TOLERANCE_MM) return undefined;
  const standing = 0 - scale * box.min[2];
  const hanging = height - scale * box.max[2];
  return position[2] < standing ? standing : hanging;
}

function centred({ box }: Outline, { position, scale }: Pose, { dimensionsMm }: BuildVolume, axes: "xy" | "xyz"): Vec3 {
  const [x, y, z] = centreOf(box);
  return [0 - scale * x, 0 - scale * y, axes === "xy" ? position[2] : dimensionsMm[2] / 2 - scale * z];
}
