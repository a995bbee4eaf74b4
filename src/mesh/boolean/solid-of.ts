import type { Manifold } from "manifold-3d";
import { operationFailed } from "../../core/fault.ts";
import { type Surface, triangleCount } from "../mesh.ts";
import type { BooleanKernel } from "./kernel.ts";

/**
 * The surface as a solid of the kernel, its corners in single precision; whoever asks deletes it. Throws
 * OPERATION_FAILED where the surface does not bound a solid.
 */
export function solidOf({ Manifold, Mesh }: BooleanKernel, surface: Surface): Manifold {
  const { vertices, triangles } = surface;
  const vertProperties = vertices instanceof Float32Array ? vertices : Float32Array.from(vertices);
  try {
    return Manifold.ofMesh(new Mesh({ numProp: 3, vertProperties, triVerts: triangles }));
  } catch (thrown) {
    // The kernel's errors are its status words.
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    throw operationFailed(
      `A body of ${triangleCount(surface)} facets does not bound a solid (${why}). Repair the model and try again.`,
    );
  }
}
