import type { Manifold } from "manifold-3d";
import type { Surface } from "../mesh.ts";
import { combined } from "./combined.ts";
import { booleanKernel, type BooleanKernel } from "./kernel.ts";
import { solidOf } from "./solid-of.ts";
import { surfaceOf } from "./surface-of.ts";

/** The surface of what `combine` makes of the solids that surfaces bound. */
export async function combinedSurface(
  surfaces: readonly Surface[],
  combine: (kernel: BooleanKernel, solids: Manifold[]) => Manifold,
): Promise<Surface> {
  const kernel = await booleanKernel();
  const makers = surfaces.map((surface) => () => solidOf(kernel, surface));
  const result = combined(makers, (solids) => combine(kernel, solids));
  try {
    return surfaceOf(result);
  } finally {
    result.delete();
  }
}
