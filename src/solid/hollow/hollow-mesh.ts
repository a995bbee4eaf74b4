import type { Progress } from "../../core/progress.ts";
import { toSharedMemory } from "../../core/typed-arrays.ts";
import { bodiesOf, bodyVolumes } from "../../mesh/bodies.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import { ACTIVE, DORMANT, FIXED, decimateCoplanar } from "../../mesh/decimate-coplanar.ts";
import { type Infill, type Mesh, type Surface, concatenateSurfaces, flipFacets } from "../../mesh/mesh.ts";
import { type LayerNet, surfaceNetsOfLayers } from "../../mesh/voxel/surface-nets.ts";
import type { Hole } from "../drill/bore.ts";
import { type HollowPlan, type VoxelSize, tooThinError } from "./hollow-plan.ts";

/** The source of a hollowed model, kept so that it can be hollowed again. */
export interface HollowSource {
  /** The raw mesh without its hollow and without the holes drilled afterwards. */
  readonly solid: Mesh;
  /** The holes drilled afterwards, in order. */
  readonly holes: readonly Hole[];
  /** What fills the cavity; the mesh of the model has it as well. */
  readonly infill?: Infill | undefined;
}

/** A mesh with its hollow. Voxel sizes are those of the model in its scene. */
export interface HollowedMesh extends VoxelSize {
  readonly mesh: Mesh;
  /** The space that was hollowed out, as a surface that faces outward. */
  readonly cavity: Surface;
  /** Number of connected parts of the hollow. */
  readonly cavities: number;
}

/** Coplanar facets are merged as long as the surface stays within this share of a voxel. */
const MERGE_TOLERANCE_VOXELS = 0.015;

const mergeTolerance = ({ grid }: HollowPlan): number => MERGE_TOLERANCE_VOXELS * grid.voxelMm;

/**
 * The surface of the cavity in one slab of a plan whose field is filled and well composed, with the seams of the net.
 */
export function slabSurface(plan: HollowPlan, slab: number, progress: Progress): LayerNet {
  const { field, bounds } = plan;
  const net = surfaceNetsOfLayers(field, bounds[slab], bounds[slab + 1], progress.part(0, 0.3));
  const { low, high } = net;
  const states = new Uint8Array(net.surface.vertices.length / 3);
  states.fill(FIXED, 0, low);
  states.fill(FIXED, states.length - high);
  const { vertices, triangles } = decimateCoplanar(net.surface, mergeTolerance(plan), states, progress.part(0.3, 1));
  return { surface: { vertices: toSharedMemory(vertices), triangles: toSharedMemory(triangles) }, low, high };
}

/**
 * The mesh of a plan together with the walls of the surfaces of its slabs. Facets of the mesh keep their bits. If it is
 * too thin for two walls and a feature between them, it stays solid there; cavities that it has already get walls, too.
 * Throws OPERATION_FAILED, with a reason that follows the model's name, if nothing is hollow.
 */
export function hollowMesh(plan: HollowPlan, slabs: readonly LayerNet[], progress: Progress): HollowedMesh {
  const { request, voxelMm, wantedMm } = plan;
  const cavity = joinSlabs(slabs, mergeTolerance(plan), progress.part(0, 0.3));
  if (cavity.triangles.length === 0) throw tooThinError(request);
  const inward = flipFacets(cavity, () => true);
  const hollowed = canonicalMesh(concatenateSurfaces([request.mesh, inward]), 1, progress.part(0.3, 0.9));
  return { mesh: hollowed, cavity, cavities: cavityCount(cavity), voxelMm, wantedMm };
}

/** Joins the surfaces of the slabs, from the lowest up, and merges coplanar facets along their seams. */
function joinSlabs(slabs: readonly LayerNet[], toleranceMm: number, progress: Progress): Surface {
  const total = (count: (slab: LayerNet) => number): number => slabs.reduce((sum, slab) => sum + count(slab), 0);
  const vertices = new Float64Array(total(({ surface, low }) => surface.vertices.length - 3 * low));
  const triangles = new Uint32Array(total(({ surface }) => surface.triangles.length));
  const states = new Uint8Array(vertices.length / 3).fill(DORMANT);
  let vertexAt = 0;
  let cornerAt = 0;
  for (const { surface, low } of slabs) {
    // The lowest vertices of a slab are the highest of the one below.
    const first = vertexAt - low;
    vertices.set(surface.vertices.subarray(3 * low), 3 * vertexAt);
    vertexAt += surface.vertices.length / 3 - low;
    for (let i = 0; i < surface.triangles.length; i++) triangles[cornerAt++] = surface.triangles[i] + first;
    states.fill(ACTIVE, first, first + low);
  }
  return decimateCoplanar({ vertices, triangles }, toleranceMm, states, progress);
}

/** Bodies of the cavity that face inward are islands in a hollow, not cavities. */
const cavityCount = (cavity: Surface): number => bodyVolumes(cavity, bodiesOf(cavity)).filter((mm3) => mm3 > 0).length;
