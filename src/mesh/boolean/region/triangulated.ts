import { booleanKernel } from "../kernel.ts";
import { polygonsOf } from "./plane.ts";
import type { Region } from "./region.ts";

/** Triangles that fill the region, counter-clockwise: three corners each, counted through its rings in turn. */
export async function triangulated(region: Region): Promise<Uint32Array> {
  const { triangulate } = await booleanKernel();
  return Uint32Array.from(triangulate(polygonsOf(region)).flat());
}
