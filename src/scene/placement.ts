import type { Setting } from "../catalog/setting.ts";
import { partVolume } from "../catalog/shrink-factors.ts";
import { inputError } from "../core/api-error.ts";
import { type Steps, mapSteps } from "../core/steps.ts";
import { MAX_COORDINATE_MM } from "../core/limits.ts";
import { type Box, placeBox, unionBoxes } from "../geometry/box.ts";
import type { Pose } from "../geometry/pose.ts";
import { inBounds, moveInside, snapToPlatform } from "../layout/bounds.ts";
import { type Model, type PlacedBody, printedBodies, quotedName } from "./project.ts";

/** The box of a single body in scene coordinates: a model without its supports, or the supports. */
export const bodyBox = ({ outline, pose }: PlacedBody): Box => placeBox(outline.box, pose.scale, pose.position);

/** The box of a model with its supports in scene coordinates. */
export const sceneBox = (model: Model): Box => printedBodies(model).map(bodyBox).reduce(unionBoxes);

/** Whether every point of the model and its supports is printed within the build volume, to 1 µm. */
export function isInBounds(model: Model, setting: Setting): boolean {
  const volume = partVolume(setting);
  return printedBodies(model).every(({ outline, pose }) => inBounds(outline, pose, volume));
}

/** Whether models must touch the platform: resin parts hang from it, powder carries parts anywhere. */
export const snapsToPlatform = (setting: Setting): boolean => setting.printerType.family === "resin";

/**
 * The model after the placement rules of its printer: in resin scenes its lowest point, supports included, comes to the
 * platform (supplement, section 4).
 */
export function placeModel(model: Model, setting: Setting): Model {
  const placed = snapsToPlatform(setting) ? snapModel(model) : model;
  requireCoordinateRange(placed);
  return placed;
}

/** Models placed per step: models that do not fit at their positions take up to 0.1 ms each. */
const MODELS_PER_STEP = 64;

/** Models after the placement rules, as {@link placeModel}, in steps. */
export const placeModels = (models: readonly Model[], setting: Setting): Steps<Model[]> =>
  mapSteps(models, (model) => placeModel(model, setting), MODELS_PER_STEP);

/** Models after the placement rules for new models, as {@link placeNewModel}, in steps. */
export const placeNewModels = (models: readonly Model[], setting: Setting): Steps<Model[]> =>
  mapSteps(models, (model) => placeNewModel(model, setting), MODELS_PER_STEP);

/** The model after the placement rules for new models: as {@link placeModel}, then moved inside the build volume. */
export function placeNewModel(model: Model, setting: Setting): Model {
  const placed = placeModel(model, setting);
  const axes = snapsToPlatform(setting) ? "xy" : "xyz";
  return { ...placed, pose: moveInside(placed.outline, placed.pose, partVolume(setting), axes) };
}

function snapModel(model: Model): Model {
  const { supports } = model;
  if (!supports) return { ...model, pose: snapToPlatform(model.outline, model.pose) };
  // The model is the lower body if all its supports are on the model itself.
  const lowest = bodyBox(supports).min[2] < bodyBox(model).min[2] ? supports : model;
  const riseMm = snapToPlatform(lowest.outline, lowest.pose).position[2] - lowest.pose.position[2];
  return { ...model, pose: raise(model.pose, riseMm), supports: { ...supports, pose: raise(supports.pose, riseMm) } };
}

function raise(pose: Pose, byMm: number): Pose {
  const [x, y, z] = pose.position;
  return { ...pose, position: [x, y, z + byMm] };
}

/** Throws INPUT_ERROR for a model that would exceed the range of coordinates. */
export function requireCoordinateRange(model: Model): void {
  const { min, max } = sceneBox(model);
  if ([...min, ...max].every((coordinate) => Math.abs(coordinate) <= MAX_COORDINATE_MM)) return;
  throw inputError(`The model ${quotedName(model)} would reach beyond ${MAX_COORDINATE_MM} mm: nothing was changed.`);
}
