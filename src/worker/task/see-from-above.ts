import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { type Pose, toMatrix } from "../../mesh/pose.ts";
import type { Region } from "../../place/layout/region.ts";
import { silhouetteOf } from "../../place/layout/silhouette-of.ts";
import { partOf, type Share } from "../share.ts";

export interface SeeRequest {
  readonly mesh: Mesh;
  readonly pose: Pick<Pose, "orientation" | "scale">;
}

/** Share of a layout's progress at which all silhouettes are known. */
export const SEEN = 0.2;

/** What a body covers, relative to where it stands. */
export function seeFromAbove(share: Share<SeeRequest>, watch: Watch): Region {
  const { mesh, pose } = share.request;
  return silhouetteOf(mesh, toMatrix(pose.orientation), pose.scale, partOf(share, watch.part(0, SEEN)));
}
