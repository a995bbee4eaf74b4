import type { Watch } from "../../core/watch.ts";
import { bodiesOf, bodyVolumes } from "../../mesh/bodies.ts";
import { canonicalMesh } from "../../mesh/canonical.ts";
import { combine } from "../../mesh/combine.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import { flipFacets } from "../../mesh/repair/flip-facets.ts";
import type { Net } from "../../mesh/voxel/layer-nets.ts";
import { type HollowPlan, nowhereThickEnough } from "./hollow-plan.ts";
import { joinedWalls } from "./joined-walls.ts";
import { toleranceOf } from "./slab-walls.ts";
import type { VoxelSize } from "./voxel-size.ts";

/** A mesh with its hollow; voxels as the model in its scene has them. */
export interface Hollow extends VoxelSize {
  readonly mesh: Mesh;
  /** How many parts the hollow is in. */
  readonly cavities: number;
}

/**
 * The mesh of a plan with the walls of its slabs: its facets stay to the bit. Where the mesh is not thick enough for two walls and
 * a feature between them it stays solid. Cavities that it has get walls, too. Throws OPERATION_FAILED, the reason in words
 * that follow the model's name, where nothing is hollow.
 */
export function hollowMesh(plan: HollowPlan, slabs: readonly Net[], watch: Watch): Hollow {
  const { request, voxelMm, wantedMm } = plan;
  const cavity = joinedWalls(slabs, toleranceOf(plan), watch.part(0, 0.3));
  if (cavity.triangles.length === 0) throw nowhereThickEnough(request);
  const inward = flipFacets(cavity, () => true);
  const hollowed = canonicalMesh(combine([request.mesh, inward]), 1, watch.part(0.3, 0.9));
  return { mesh: hollowed, cavities: hollowsOf(cavity), voxelMm, wantedMm };
}

/** Surfaces that face inward are islands in a hollow. */
const hollowsOf = (cavity: Surface): number => bodyVolumes(cavity, bodiesOf(cavity)).filter((mm3) => mm3 > 0).length;
