import type { Manifold } from "manifold-3d";
import { operationFailed } from "../../core/fault.ts";
import type { Surface } from "../mesh.ts";

/** The boundary of a solid of the kernel. Throws OPERATION_FAILED where the operation that made it failed. */
export function surfaceOf(solid: Manifold): Surface {
  const status = solid.status();
  if (status !== "NoError") {
    throw operationFailed(`The bodies could not be combined (${status}). Repair or simplify the models and try again.`);
  }
  const { numProp, vertProperties, triVerts } = solid.getMesh();
  if (numProp !== 3) throw new Error(`${numProp} values for each vertex of a solid that has only places`);
  // Copies: these look into the kernel's memory, which goes with the solid.
  return { vertices: vertProperties.slice(), triangles: triVerts.slice() };
}
