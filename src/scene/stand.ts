import { inputError } from "../core/fault.ts";
import { type Box, placeBox } from "../core/geometry.ts";
import { MAX_COORDINATE_MM } from "../core/units.ts";
import { inBounds } from "../place/in-bounds.ts";
import { snapToPlatform } from "../place/snap.ts";
import type { Setting } from "../catalog/setting.ts";
import type { Model } from "./model.ts";

/** The model's box in scene coordinates. */
export const worldBox = (model: Model): Box => placeBox(model.outline.box, model.pose.scale, model.pose.position);

/** Whether every point of the model lies in the build volume, to 1 µm. */
export const isInBounds = ({ outline, pose }: Model, setting: Setting): boolean =>
  inBounds(outline, pose, setting.printerType.volume);

/** Resin parts hang from the platform; powder carries its parts anywhere. */
export const snaps = (setting: Setting): boolean => setting.printerType.family === "resin";

/** The model where the rules of its printer let it stand: on the platform in resin scenes (supplement, section 4). */
export function stand(model: Model, setting: Setting): Model {
  const standing = snaps(setting) ? { ...model, pose: snapToPlatform(model.outline, model.pose) } : model;
  requireReach(standing);
  return standing;
}

/** Refuses a model that reaches farther than any coordinate may. */
export function requireReach(model: Model): void {
  const { min, max } = worldBox(model);
  if ([...min, ...max].every((coordinate) => Math.abs(coordinate) <= MAX_COORDINATE_MM)) return;
  throw inputError(`The model "${model.name}" would reach beyond ${MAX_COORDINATE_MM} mm: nothing was changed.`);
}
