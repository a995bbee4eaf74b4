import { inputError } from "../core/fault.ts";
import { type Box, placeBox, unionOf } from "../core/geometry.ts";
import { MAX_COORDINATE_MM } from "../core/units.ts";
import { inBounds } from "../place/in-bounds.ts";
import type { Pose } from "../mesh/pose.ts";
import { snapToPlatform } from "../place/snap.ts";
import type { Setting } from "../catalog/setting.ts";
import { bodiesOf, type Body, type Model } from "./model.ts";

/** A body's box in scene coordinates. */
export const bodyBox = ({ outline, pose }: Body): Box => placeBox(outline.box, pose.scale, pose.position);

/** The box of a model with its supports in scene coordinates. */
export const worldBox = (model: Model): Box => bodiesOf(model).map(bodyBox).reduce(unionOf);

/** Whether every point of the model and its supports lies in the build volume, to 1 µm. */
export const isInBounds = (model: Model, setting: Setting): boolean =>
  bodiesOf(model).every(({ outline, pose }) => inBounds(outline, pose, setting.printerType.volume));

/** Resin parts hang from the platform; powder carries its parts anywhere. */
export const snaps = (setting: Setting): boolean => setting.printerType.family === "resin";

/**
 * The model where the rules of its printer let it stand: in resin scenes its lowest point on the platform, or the supports'
 * where it has some (supplement, section 4).
 */
export function stand(model: Model, setting: Setting): Model {
  const standing = snaps(setting) ? snapped(model) : model;
  requireReach(standing);
  return standing;
}

function snapped(model: Model): Model {
  const { supports } = model;
  if (!supports) return { ...model, pose: snapToPlatform(model.outline, model.pose) };
  // Supports may stand within the model alone, where that itself stands on the platform.
  const lowest = bodyBox(supports).min[2] < bodyBox(model).min[2] ? supports : model;
  const riseMm = snapToPlatform(lowest.outline, lowest.pose).position[2] - lowest.pose.position[2];
  return { ...model, pose: raised(model.pose, riseMm), supports: { ...supports, pose: raised(supports.pose, riseMm) } };
}

function raised(pose: Pose, byMm: number): Pose {
  const [x, y, z] = pose.position;
  return { ...pose, position: [x, y, z + byMm] };
}

/** Refuses a model that reaches farther than any coordinate may. */
export function requireReach(model: Model): void {
  const { min, max } = worldBox(model);
  if ([...min, ...max].every((coordinate) => Math.abs(coordinate) <= MAX_COORDINATE_MM)) return;
  throw inputError(`The model "${model.name}" would reach beyond ${MAX_COORDINATE_MM} mm: nothing was changed.`);
}
