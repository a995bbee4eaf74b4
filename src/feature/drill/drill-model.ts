import type { Progress } from "../../core/progress.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { Hole } from "../../solid/drill/bore.ts";
import { type DrilledMesh, drill } from "../../solid/drill/drill.ts";
import { type Plug, makePlugs } from "../../solid/drill/plugs.ts";

export interface DrillRequest {
  readonly mesh: Mesh;
  readonly holes: readonly Hole[];
  /** Indices of the holes that get a plug. */
  readonly plugged: readonly number[];
  /** Between a plug and its hole, in lengths of the raw mesh. */
  readonly clearanceMm: number;
}

export interface DrillResult extends DrilledMesh {
  readonly plugs: readonly Plug[];
}

/** Share of the progress at which the holes are drilled. The rest makes their plugs. */
const DRILLED = 0.7;

/** Drills a model and makes the plugs of its holes, all in raw coordinates. */
export async function drillModel(
  { mesh, holes, plugged, clearanceMm }: DrillRequest,
  progress: Progress,
): Promise<DrillResult> {
  const drilled = await drill(mesh, holes, progress.part(0, DRILLED));
  const plugs = await makePlugs(mesh, drilled.bores, plugged, clearanceMm, progress.part(DRILLED, 1));
  return { ...drilled, plugs };
}
