import type { Progress } from "../../core/progress.ts";
import { canonicalMesh } from "../../mesh/canonical-mesh.ts";
import type { Infill, InfillRule } from "../../mesh/mesh.ts";
import type { LayerNet } from "../../mesh/voxel/surface-nets.ts";
import type { Hole } from "../../solid/drill/bore.ts";
import { drill } from "../../solid/drill/drill.ts";
import { fillSlab } from "../../solid/hollow/fill-slab.ts";
import { type HollowedMesh, hollowMesh, slabSurface } from "../../solid/hollow/hollow-mesh.ts";
import { type HollowPlan, type HollowRequest, planHollow, slabCount } from "../../solid/hollow/hollow-plan.ts";
import { oneSolid } from "../../solid/one-solid.ts";
import { HOLLOW_SHARES } from "./hollow-shares.ts";

/** Plans the hollowing of a mesh as one solid: throws the errors of {@link planHollow} and {@link oneSolid}. */
export async function planOneHollow(request: HollowRequest, progress: Progress): Promise<HollowPlan> {
  const mesh = await oneSolid(request.mesh, progress.part(0, 0.5));
  return planHollow({ ...request, mesh }, progress.part(0.5, 1));
}

interface SlabRequest {
  readonly plan: HollowPlan;
  /** 0-based index of the slab, from the lowest up. */
  readonly slab: number;
}

/** The kernel of one slab of a plan; its progress is the slab's share. Slabs are computed approximately in order. */
const perSlab =
  <Output>(kernel: (plan: HollowPlan, slab: number, progress: Progress) => Output) =>
  ({ plan, slab }: SlabRequest, progress: Progress): Output =>
    kernel(plan, slab, progress.part(slab / slabCount(plan), (slab + 1) / slabCount(plan)));

export const fillCavitySlab = perSlab(fillSlab);
export const extractSlabSurface = perSlab(slabSurface);

interface HollowModelRequest {
  readonly plan: HollowPlan;
  /** The surfaces of the cavity in each slab of the plan, from the lowest up. */
  readonly surfaces: readonly LayerNet[];
  /** Holes to drill into the hollowed mesh. */
  readonly holes: readonly Hole[];
  /** What fills the cavity. */
  readonly infill?: InfillRule | undefined;
}

export interface HollowResult extends Omit<HollowedMesh, "cavity"> {
  readonly infill?: Infill | undefined;
  /** The holes of the request that meet the mesh. */
  readonly holes: readonly Hole[];
}

/** Joins the surface of the cavity with the solid of a model, and drills the result. */
export async function hollowModel(
  { plan, surfaces, holes, infill }: HollowModelRequest,
  progress: Progress,
): Promise<HollowResult> {
  const { surfaced, joined } = HOLLOW_SHARES;
  const { cavity, ...hollowed } = hollowMesh(plan, surfaces, progress.part(surfaced, joined));
  const { mesh, bores } = await drill(hollowed.mesh, holes, progress.part(joined, 1));
  return {
    ...hollowed,
    mesh,
    holes: holes.filter((_, i) => bores[i] !== undefined),
    infill: infill && { ...infill, cavity: canonicalMesh(cavity, 1, progress.silent()) },
  };
}
