import { operationFailed } from "../../core/fault.ts";
import { sizeOf, times } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { bodiesOf, bodyVolumes } from "../../mesh/bodies.ts";
import { canonicalMesh } from "../../mesh/canonical.ts";
import { combine } from "../../mesh/combine.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import { flipFacets } from "../../mesh/repair/flip-facets.ts";
import { faultsOf, survey } from "../../mesh/survey.ts";
import { latticeOver } from "../../mesh/voxel/lattice.ts";
import { cavityOf } from "./cavity-of.ts";
import { type VoxelSize, voxelSize } from "./voxel-size.ts";

export interface HollowRequest {
  readonly mesh: Mesh;
  /** Of the model in its scene: what is told of it in mm is there. */
  readonly scale: number;
  readonly wallMm: number;
  readonly featureMm: number;
  /** 0 to 1. */
  readonly accuracy: number;
}

/** A mesh with its hollow; voxels as the model in its scene has them. */
export interface Hollow extends VoxelSize {
  readonly mesh: Mesh;
  /** How many parts the hollow is in. */
  readonly cavities: number;
}

/**
 * Hollows a closed mesh: its facets stay to the bit, the walls of the hollow come to them. Where the mesh is not thick enough
 * for two walls and a feature between them it stays solid. Cavities that it has get walls, too. Throws OPERATION_FAILED,
 * the reason in words that follow the model's name, for a mesh that is not sound, and where nothing can be hollowed.
 */
export async function hollowMesh(
  { mesh, scale, wallMm, featureMm, accuracy }: HollowRequest,
  watch: Watch,
): Promise<Hollow> {
  const faults = faultsOf(survey(mesh, watch.part(0, 0.1)));
  if (faults.length > 0) throw operationFailed(`it is no closed manifold, it has ${faults.join(", ")}.`);
  const size = voxelSize(times(sizeOf(mesh.box), scale), wallMm, accuracy);
  if (!size) {
    throw operationFailed(`it is too large for walls of ${wallMm} mm: make them thicker, or scale it down.`);
  }
  const lattice = latticeOver(mesh.box, size.voxelMm / scale);
  const cavity = await cavityOf(mesh, lattice, wallMm / scale, featureMm / scale, watch.part(0.1, 0.9));
  if (!cavity) {
    throw operationFailed(
      `it is nowhere thick enough for two walls of ${wallMm} mm and ${featureMm} mm between them: make the walls thinner, ` +
        "or the feature size smaller.",
    );
  }
  const hollowed = canonicalMesh(combine([mesh, flipFacets(cavity, () => true)]), 1, watch.part(0.9, 1));
  return { mesh: hollowed, cavities: hollowsOf(cavity), ...size };
}

/** Surfaces that face inward are islands in a hollow. */
const hollowsOf = (cavity: Surface): number => bodyVolumes(cavity, bodiesOf(cavity)).filter((mm3) => mm3 > 0).length;
