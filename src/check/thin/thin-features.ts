import type { Progress } from "../../core/progress.ts";
import { rotateVector, rotationMatrix } from "../../geometry/pose.ts";
import { type Vec3, subtract, times } from "../../geometry/vector.ts";
import { fromGrid } from "./cell-grid.ts";
import { findThinCells } from "./thin-cells.ts";
import {
  MIN_CELLS_ACROSS,
  type ThinPlan,
  type ThinRequest,
  type UnanalyzedStatus,
  planThinFeatures,
} from "./thin-plan.ts";
import { type SlabRegions, type ThinRegion, joinSlabs, slabRegions } from "./thin-regions.ts";

/** The thin regions of a model, or the reason why there is no result (interface, "thin-features"). */
export interface ThinFeatures {
  readonly status: "ANALYZED" | UnanalyzedStatus;
  /** The regions, the largest first. Boxes are in scene coordinates relative to the position of the model. */
  readonly regions: readonly ThinRegion[];
}

/** Share of the progress of a small model at which the plan is made. */
const PLANNED_SHARE = 0.15;

/**
 * The regions where a model is thin: where the largest ball inside it that covers a point is smaller in diameter than the threshold,
 * except at edges and corners of thick parts (interface supplement, section 7, "thin regions"). Works on cells that are fixed to the
 * mesh, not to the scene, so the volumes do not depend on the orientation of the model.
 *
 * The cells are searched in slabs of layers, in any order and on any threads ({@link searchSlab}, {@link finishThinFeatures}). Returns the
 * plan for these, or, for a small model of one slab, the result.
 */
export async function beginThinFeatures(request: ThinRequest, progress: Progress): Promise<ThinFeatures | ThinPlan> {
  const plan = await planThinFeatures(request, progress.part(0, PLANNED_SHARE));
  if (typeof plan === "string") return { status: plan, regions: [] };
  if (plan.slabs.length > 1) return plan;
  return finishThinFeatures(plan, [searchSlab(plan, 0, progress.part(PLANNED_SHARE, 1))]);
}

/** The thin regions of a slab. */
export function searchSlab(plan: ThinPlan, slab: number, progress: Progress): SlabRegions {
  const { grid, request } = plan;
  const rotation = rotationMatrix(request.orientation);
  const toScene = (point: Vec3): Vec3 =>
    times(rotateVector(rotation, subtract(fromGrid(grid, point), grid.centre)), request.scale);
  return slabRegions(findThinCells(plan, plan.slabs[slab], progress), grid.rows, toScene);
}

/** The result of all slabs, given from the lowest up. */
export function finishThinFeatures(
  { request: { thresholdMm, scale }, grid }: ThinPlan,
  slabs: readonly SlabRegions[],
): ThinFeatures {
  const minMm3 = (thresholdMm / MIN_CELLS_ACROSS) ** 3;
  const regions = joinSlabs(slabs, (grid.cellMm * scale) ** 3)
    .filter(({ volumeMm3 }) => volumeMm3 >= minMm3)
    .sort((a, b) => b.volumeMm3 - a.volumeMm3);
  return { status: "ANALYZED", regions };
}
