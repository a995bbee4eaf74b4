import { turnKey } from "../../mesh/pose.ts";
import type { Item, Stage } from "../../render/item.ts";
import type { Model } from "../../scene/model.ts";
import type { Scene } from "../../scene/project.ts";
import { isInBounds } from "../../scene/stand.ts";

/** What a picture of these models of a scene shows: them in the build volume of its printer, copies in one place once. */
export function stageOf({ setting }: Scene, models: readonly Model[]): Stage {
  const items = new Map<string, Item>();
  for (const model of models) {
    const { mesh, pose } = model;
    const place = [turnKey(mesh.hash, pose.orientation), pose.scale, ...pose.position].join(" ");
    if (items.has(place)) continue;
    items.set(place, { mesh, pose, kind: isInBounds(model, setting) ? "model" : "outOfBounds" });
  }
  return { volume: setting.printerType.volume, items: [...items.values()] };
}
