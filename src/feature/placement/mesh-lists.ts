import type { Progress } from "../../core/progress.ts";
import { type EulerDeg, rotationMatrix } from "../../geometry/pose.ts";
import { rescaleLatticed } from "../../mesh/latticed-mesh.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { type Outline, outlineOf } from "../../mesh/outline.ts";

/** The outline of each mesh in its orientation, in the given order. */
export function outlinesOf(
  inputs: readonly { readonly mesh: Mesh; readonly orientation: EulerDeg }[],
  progress: Progress,
): Outline[] {
  return inputs.map(({ mesh, orientation }, i) => {
    progress.report(i / inputs.length);
    return outlineOf(mesh, rotationMatrix(orientation));
  });
}

/** Each raw mesh scaled by its factor, in the given order. */
export function rescaledMeshes(
  inputs: readonly { readonly mesh: Mesh; readonly factor: number }[],
  progress: Progress,
): Mesh[] {
  return inputs.map(({ mesh, factor }, i) =>
    rescaleLatticed(mesh, factor, progress.part(i / inputs.length, (i + 1) / inputs.length)),
  );
}
