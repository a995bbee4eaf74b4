import { boxCentre, boxSize } from "../geometry/box.ts";
import {
  BOUNDS_TOLERANCE_MM,
  type BuildVolume,
  distanceOutside,
  nearestFit,
  volumeFootprint,
} from "../geometry/build-volume.ts";
import type { Pose } from "../geometry/pose.ts";
import type { Vec3 } from "../geometry/vector.ts";
import type { Outline } from "../mesh/outline.ts";

/** The measures that decide whether a body is inside a volume. */
export type Extent = Pick<Outline, "box" | "hullXy">;

/** Whether every point of the model is inside the volume with its rounded vertical edges, to 1 µm. */
export const inBounds = (outline: Extent, pose: Pose, volume: BuildVolume): boolean =>
  inBoundsZ(outline, pose, volume) && inBoundsXy(outline, pose, volume);

/** {@link inBounds} along z only. */
function inBoundsZ({ box }: Extent, { position, scale }: Pose, { dimensionsMm }: BuildVolume): boolean {
  const bottom = position[2] + scale * box.min[2];
  const top = position[2] + scale * box.max[2];
  return bottom >= -BOUNDS_TOLERANCE_MM && top <= dimensionsMm[2] + BOUNDS_TOLERANCE_MM;
}

/** {@link inBounds} in x and y only. The corners of the hull suffice: the rounded rectangle is convex. */
function inBoundsXy({ hullXy }: Extent, { position: [x, y], scale }: Pose, volume: BuildVolume): boolean {
  const footprint = volumeFootprint(volume);
  for (let i = 0; i < hullXy.length; i += 2) {
    const outside = distanceOutside(footprint, x + scale * hullXy[i], y + scale * hullXy[i + 1]);
    if (!(outside <= BOUNDS_TOLERANCE_MM)) return false;
  }
  return true;
}

/**
 * The pose moved inside the volume by the smallest translation: in x and y together, and along z if `axes` includes it. A model that
 * is inside along these axes keeps its exact pose; one that does not fit the volume at all, its height included, is centred along them
 * (interface supplement, section 4).
 */
export function moveInside(outline: Extent, pose: Pose, volume: BuildVolume, axes: "xy" | "xyz"): Pose {
  const [x, y, z] = pose.position;
  const xy = inBoundsXy(outline, pose, volume) ? [x, y] : nearestInsideXy(outline, pose, volume);
  const inside = inBoundsZ(outline, pose, volume) ? z : nearestInsideZ(outline, pose, volume);
  const height = axes === "xy" && inside !== undefined ? z : inside;
  const position: Vec3 =
    xy && height !== undefined ? [xy[0], xy[1], height] : centredPosition(outline, pose, volume, axes);
  return position.every((coordinate, axis) => coordinate === pose.position[axis]) ? pose : { ...pose, position };
}

function nearestInsideXy(
  { hullXy }: Extent,
  { position, scale }: Pose,
  volume: BuildVolume,
): readonly number[] | undefined {
  const [x, y] = position;
  const corners = hullXy.map((coordinate) => scale * coordinate);
  const footprint = volumeFootprint(volume);
  const widened = { ...footprint, r: footprint.r + BOUNDS_TOLERANCE_MM / 2 };
  return nearestFit(corners, footprint, [x, y]) ?? nearestFit(corners, widened, [x, y]);
}

function nearestInsideZ({ box }: Extent, { position, scale }: Pose, { dimensionsMm }: BuildVolume): number | undefined {
  const height = dimensionsMm[2];
  if (scale * boxSize(box)[2] > height + BOUNDS_TOLERANCE_MM) return undefined;
  const onFloor = 0 - scale * box.min[2];
  const atCeiling = height - scale * box.max[2];
  return position[2] < onFloor ? onFloor : atCeiling;
}

function centredPosition(
  { box }: Extent,
  { position, scale }: Pose,
  { dimensionsMm }: BuildVolume,
  axes: "xy" | "xyz",
): Vec3 {
  const [x, y, z] = boxCentre(box);
  return [0 - scale * x, 0 - scale * y, axes === "xy" ? position[2] : dimensionsMm[2] / 2 - scale * z];
}

/** The pose moved along z so that the lowest point of the model is at exactly z = 0. */
export function snapToPlatform({ box }: Extent, pose: Pose): Pose {
  const [x, y] = pose.position;
  return { ...pose, position: [x, y, 0 - pose.scale * box.min[2]] };
}
