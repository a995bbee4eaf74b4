import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { type Drilled, drill } from "../../solid/drill/drill.ts";
import type { Hole } from "../../solid/drill/hole.ts";
import { type Plug, plugsOf } from "../../solid/drill/plugs.ts";
import { partOf, type Share } from "../share.ts";

export interface DrillRequest {
  readonly mesh: Mesh;
  readonly holes: readonly Hole[];
  /** Numbers of the holes that shall have a plug. */
  readonly plugged: readonly number[];
  /** Between a plug and its hole, in lengths of the raw mesh. */
  readonly playMm: number;
}

export interface DrillResult extends Drilled {
  readonly plugs: readonly Plug[];
}

/** Drills a model and makes the plugs of its holes, all in raw coordinates. */
export async function drillModel(share: Share<DrillRequest>, watch: Watch): Promise<DrillResult> {
  const { mesh, holes, plugged, playMm } = share.request;
  const part = partOf(share, watch);
  const drilled = await drill(mesh, holes, part.part(0, 0.7));
  const plugs = await plugsOf(mesh, drilled.bores, plugged, playMm, part.part(0.7, 1));
  return { ...drilled, plugs };
}
