import type { Progress } from "../../core/progress.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { Hole } from "../../solid/drill/bore.ts";
import { type DrilledMesh, drill } from "../../solid/drill/drill.ts";
import { type Plug, makePlugs } from "../../solid/drill/plugs.ts";
import { oneSolid } from "../../solid/one-solid.ts";

export interface DrillRequest {
  readonly mesh: Mesh;
  readonly holes: readonly Hole[];
  /** Indices of the holes that get a plug. */
  readonly plugged: readonly number[];
  /** Gap between a plug and its hole, in units of the raw mesh. */
  readonly clearanceMm: number;
}

export interface DrillResult extends DrilledMesh {
  readonly plugs: readonly Plug[];
}

/** Shares of the progress at which the bodies are one solid, and at which the holes are drilled. The rest makes their plugs. */
const UNITED = 0.1;
const DRILLED = 0.7;

/** Drills a model and makes the plugs of its holes, all in raw coordinates. */
export async function drillModel(
  { mesh, holes, plugged, clearanceMm }: DrillRequest,
  progress: Progress,
): Promise<DrillResult> {
  const solid = await oneSolid(mesh, progress.part(0, UNITED));
  const drilled = await drill(solid, holes, progress.part(UNITED, DRILLED));
  const plugs = await makePlugs(solid, drilled.bores, plugged, clearanceMm, progress.part(DRILLED, 1));
  return { ...drilled, mesh: drilled.mesh === solid ? mesh : drilled.mesh, plugs };
}
