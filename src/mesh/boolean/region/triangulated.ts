import { booleanKernel } from "../kernel.ts";
import { evened } from "./evened.ts";
import { polygonsOf } from "./plane.ts";
import type { Region } from "./region.ts";

/**
 * Triangles that fill the region, counter-clockwise: three corners each, counted through its rings in turn. Evened, for
 * what is united with slender ones that reach across all of a plate meets each of them.
 */
export async function triangulated(region: Region): Promise<Uint32Array> {
  const { triangulate } = await booleanKernel();
  const triangles = Uint32Array.from(triangulate(polygonsOf(region)).flat());
  return evened(Float64Array.from(region.flatMap((ring) => [...ring])), triangles);
}
