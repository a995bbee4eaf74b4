import type { Surface } from "../mesh.ts";
import { booleanKernel } from "./kernel.ts";
import { solidOf } from "./solid-of.ts";
import { surfaceOf } from "./surface-of.ts";

/**
 * The surface of a solid with as few facets as keep within `toleranceMm` of it; it bounds a solid all the same. Throws
 * OPERATION_FAILED where the surface does not bound one.
 */
export async function simplified(surface: Surface, toleranceMm: number): Promise<Surface> {
  const solid = solidOf(await booleanKernel(), surface);
  try {
    const simpler = solid.simplify(toleranceMm);
    try {
      return surfaceOf(simpler);
    } finally {
      simpler.delete();
    }
  } finally {
    solid.delete();
  }
}
