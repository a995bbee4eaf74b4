import type { Item, Stage } from "../../render/item.ts";
import type { Model } from "../../scene/model.ts";
import type { Scene } from "../../scene/project.ts";
import { isInBounds } from "../../scene/stand.ts";

/** What a picture of some models of a scene shows: those that are visible, in the build volume of its printer. */
export function stageOf({ setting }: Scene, models: readonly Model[]): Stage {
  const items = models
    .filter(({ visible }) => visible)
    .map((model): Item => {
      const { mesh, pose } = model;
      return { mesh, pose, kind: isInBounds(model, setting) ? "model" : "outOfBounds" };
    });
  return { volume: setting.printerType.volume, items };
}
