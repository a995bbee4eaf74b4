import type { BuildVolume } from "../core/geometry.ts";
import type { Outline } from "../mesh/outline.ts";
import type { Pose } from "../mesh/pose.ts";
import { BOUNDS_TOLERANCE_MM, footprintOf, outsideMm } from "./volume.ts";

/** Whether every point of the model is inside the volume with its rounded vertical edges, to 1 µm. */
export const inBounds = (outline: Outline, pose: Pose, volume: BuildVolume): boolean =>
  inBoundsZ(outline, pose, volume) && inBoundsXy(outline, pose, volume);

/** {@link inBounds} for the height alone. */
export function inBoundsZ({ box }: Outline, { position, scale }: Pose, { dimensionsMm }: BuildVolume): boolean {
  const bottom = position[2] + scale * box.min[2];
  const top = position[2] + scale * box.max[2];
  return bottom >= -BOUNDS_TOLERANCE_MM && top <= dimensionsMm[2] + BOUNDS_TOLERANCE_MM;
}

/** {@link inBounds} seen from above. The hull's corners suffice: the rounded rectangle is convex. */
export function inBoundsXy({ hullXy }: Outline, { position: [x, y], scale }: Pose, volume: BuildVolume): boolean {
  const footprint = footprintOf(volume);
  for (let i = 0; i < hullXy.length; i += 2) {
    const outside = outsideMm(footprint, x + scale * hullXy[i], y + scale * hullXy[i + 1]);
    if (!(outside <= BOUNDS_TOLERANCE_MM)) return false;
  }
  return true;
}
