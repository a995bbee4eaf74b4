import type { Watch } from "../../core/watch.ts";
import { drill } from "../../solid/drill/drill.ts";
import type { Hole } from "../../solid/drill/hole.ts";
import { type Hollow, type HollowRequest, hollowMesh } from "../../solid/hollow/hollow-mesh.ts";
import { partOf, type Share } from "../share.ts";

export interface HollowJob extends HollowRequest {
  /** To drill into the hollowed mesh. */
  readonly holes: readonly Hole[];
}

export interface HollowResult extends Hollow {
  /** Those that met the mesh. */
  readonly holes: readonly Hole[];
}

/** Hollows the solid of a model and drills it. */
export async function hollowModel(share: Share<HollowJob>, watch: Watch): Promise<HollowResult> {
  const { holes, ...request } = share.request;
  const part = partOf(share, watch);
  const hollow = await hollowMesh(request, part.part(0, 0.9));
  const { mesh, bores } = await drill(hollow.mesh, holes, part.part(0.9, 1));
  return { ...hollow, mesh, holes: holes.filter((_, i) => bores[i] !== undefined) };
}
