import { placeKey } from "../../mesh/pose.ts";
import type { Item, ItemKind, Stage } from "../../render/item.ts";
import type { Body, Model } from "../../scene/model.ts";
import type { Scene } from "../../scene/project.ts";
import { isInBounds } from "../../scene/stand.ts";

/** What a picture of these models of a scene shows: them in the build volume of its printer, copies in one place once. */
export function stageOf({ setting }: Scene, models: readonly Model[]): Stage {
  const items = new Map<string, Item>();
  const show = ({ mesh, pose }: Body, kind: ItemKind): void => {
    const place = placeKey(mesh.hash, pose);
    if (!items.has(place)) items.set(place, { mesh, pose, kind });
  };
  for (const model of models) {
    show(model, isInBounds(model, setting) ? "model" : "outOfBounds");
    if (model.supports) show(model.supports, "support");
  }
  return { volume: setting.printerType.volume, items: [...items.values()] };
}
