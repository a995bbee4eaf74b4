import type { Watch } from "../../core/watch.ts";
import { simplified } from "../../mesh/boolean/simplified.ts";
import type { Surface } from "../../mesh/mesh.ts";
import type { Lattice } from "../../mesh/voxel/lattice.ts";
import { surfaceNets } from "../../mesh/voxel/surface-nets.ts";
import { makeWellComposed } from "../../mesh/voxel/well-composed.ts";
import { cavityField } from "./cavity-field.ts";

/** Facets are merged as long as the surface stays within this share of a voxel. */
const MERGED_WITHIN = 0.02;

/**
 * The surface of the hollow of a closed solid, facing outward as that of a body would: all that is `wallMm` from the solid's
 * surface and that a ball of the diameter `featureMm` fits into. Undefined where there is nothing of the kind.
 */
export async function cavityOf(
  solid: Surface,
  lattice: Lattice,
  wallMm: number,
  featureMm: number,
  watch: Watch,
): Promise<Surface | undefined> {
  const field = cavityField(solid, lattice, wallMm, featureMm, watch.part(0, 0.8));
  if (!field) return undefined;
  makeWellComposed(field, watch.part(0.8, 0.85));
  const surface = surfaceNets(field, watch.part(0.85, 0.9));
  if (surface.triangles.length === 0) return undefined;
  return simplified(surface, MERGED_WITHIN * lattice.voxelMm);
}
