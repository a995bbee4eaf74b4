import type { Setting } from "../catalog/setting.ts";
import { moveInside } from "../place/move-inside.ts";
import type { Model } from "./model.ts";
import { snaps, stand } from "./stand.ts";

/** A new model as it enters a scene: on the platform where the printer asks for it, and moved inside the volume. */
export function enter(model: Model, setting: Setting): Model {
  const standing = stand(model, setting);
  const axes = snaps(setting) ? "xy" : "xyz";
  return { ...standing, pose: moveInside(standing.outline, standing.pose, setting.printerType.volume, axes) };
}
