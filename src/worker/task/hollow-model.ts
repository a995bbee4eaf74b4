import type { Watch } from "../../core/watch.ts";
import type { Net } from "../../mesh/voxel/layer-nets.ts";
import { drill } from "../../solid/drill/drill.ts";
import type { Hole } from "../../solid/drill/hole.ts";
import { type Hollow, hollowMesh } from "../../solid/hollow/hollow-mesh.ts";
import type { HollowPlan } from "../../solid/hollow/hollow-plan.ts";
import { partOf, type Share } from "../share.ts";
import { JOINED, WALLED } from "./plan-hollow.ts";

export interface HollowJob {
  readonly plan: HollowPlan;
  /** The walls of the plan's slabs, from the lowest up. */
  readonly walls: readonly Net[];
  /** To drill into the hollowed mesh. */
  readonly holes: readonly Hole[];
}

export interface HollowResult extends Hollow {
  /** Those that met the mesh. */
  readonly holes: readonly Hole[];
}

/** Puts the walls of a hollow into the solid of a model and drills it. */
export async function hollowModel(share: Share<HollowJob>, watch: Watch): Promise<HollowResult> {
  const { plan, walls, holes } = share.request;
  const part = partOf(share, watch);
  const hollow = hollowMesh(plan, walls, part.part(WALLED, JOINED));
  const { mesh, bores } = await drill(hollow.mesh, holes, part.part(JOINED, 1));
  return { ...hollow, mesh, holes: holes.filter((_, i) => bores[i] !== undefined) };
}
