import { remembered } from "../../core/remembered.ts";
import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { type Pose, toMatrix, turnKey } from "../../mesh/pose.ts";
import type { Part } from "./part.ts";
import { type Region, type Ring, together } from "./region.ts";
import { silhouetteOf } from "./silhouette-of.ts";

/** A model and its supports as they stand. */
export interface Bodies {
  readonly model: { readonly mesh: Mesh; readonly pose: Pose };
  readonly supports?: { readonly mesh: Mesh; readonly pose: Pose };
}

/**
 * What each model covers with its supports, as seen from its position. Where supports may not overlap those of others, they
 * count as part of the model. Copies of a model are seen once.
 */
export function partsOf(all: readonly Bodies[], overlappingSupports: boolean, watch: Watch): Part[] {
  const seen = new Map<string, Region>();
  const silhouette = ({ mesh, pose }: Bodies["model"], share: number): Region => {
    const key = `${turnKey(mesh.hash, pose.orientation)} ${pose.scale}`;
    const part = watch.part(share, share);
    return remembered(seen, key, () => silhouetteOf(mesh, toMatrix(pose.orientation), pose.scale, part));
  };
  return all.map(({ model, supports }, i) => {
    const share = i / all.length;
    watch.report(share);
    const body = silhouette(model, share);
    if (!supports) return { body };
    const [fromX, fromY] = model.pose.position;
    const [x, y] = supports.pose.position;
    const under = moved(silhouette(supports, share), x - fromX, y - fromY);
    return overlappingSupports ? { body, supports: under } : { body: together([body, under]) };
  });
}

const moved = ({ rings }: Region, dx: number, dy: number): Region => ({
  rings: rings.map((ring): Ring => ring.map((value, i) => value + (i % 2 === 0 ? dx : dy))),
});
