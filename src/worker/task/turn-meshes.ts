import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import type { Outline } from "../../mesh/outline.ts";
import { outlineOf } from "../../mesh/outline-of.ts";
import { type EulerDeg, toMatrix } from "../../mesh/pose.ts";

export interface TurnRequest {
  readonly mesh: Mesh;
  readonly orientation: EulerDeg;
}

/** The outline of each mesh in its orientation, in the order given. */
export function turnMeshes(requests: readonly TurnRequest[], watch: Watch): Outline[] {
  return requests.map(({ mesh, orientation }, i) => {
    watch.report(i / requests.length);
    return outlineOf(mesh, toMatrix(orientation));
  });
}
