import { shared } from "../../core/shared.ts";
import type { Watch } from "../../core/watch.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { FIXED, mergeFlat } from "../../mesh/voxel/merge-flat.ts";
import { layerNets, type Net } from "../../mesh/voxel/layer-nets.ts";
import type { HollowPlan } from "./hollow-plan.ts";

/** Facets are merged as long as the surface stays within this share of a voxel. */
const MERGED_WITHIN = 0.015;

export const toleranceOf = ({ lattice }: HollowPlan): number => MERGED_WITHIN * lattice.voxelMm;

/** The surface of the cavity in a slab of a plan whose field is filled in and well composed, with the seams of the net. */
export function slabWalls(plan: HollowPlan, slab: number, watch: Watch): Net {
  const { field, bounds } = plan;
  const net = layerNets(field, bounds[slab]!, bounds[slab + 1]!, watch.part(0, 0.3));
  const { low, high } = net;
  const states = new Uint8Array(net.surface.vertices.length / 3);
  states.fill(FIXED, 0, low);
  states.fill(FIXED, states.length - high);
  const surface: Surface = mergeFlat(net.surface, toleranceOf(plan), states, watch.part(0.3, 1));
  return { surface: { vertices: shared(surface.vertices), triangles: shared(surface.triangles) }, low, high };
}
