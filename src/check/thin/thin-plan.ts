import type { Progress } from "../../core/progress.ts";
import { toSharedMemory } from "../../core/typed-arrays.ts";
import { boxCentre, boxSize } from "../../geometry/box.ts";
import type { EulerDeg } from "../../geometry/pose.ts";
import { type Vec3, exactLength } from "../../geometry/vector.ts";
import { closedManifoldFact, selfIntersectionFact } from "../../mesh/mesh-facts.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import { removeInternalBodies } from "../../repair/remove-facets.ts";
import { repair } from "../../repair/repair.ts";
import { repairedSolid } from "../../slice/repaired-solid.ts";
import { type Stack, prepareStack } from "../../slice/stack.ts";
import { type CellGrid, cellGridOver, gridSlicing } from "./cell-grid.ts";
import { splitLongEdges } from "./split-long-edges.ts";
import { type Slab, slabsOf } from "./slabs.ts";

export interface ThinRequest {
  readonly mesh: Mesh;
  readonly orientation: EulerDeg;
  readonly scale: number;
  /** Sides of the box of the model at its scale, before it is oriented: the result must not depend on the orientation. */
  readonly sizeMm: Vec3;
  readonly thresholdMm: number;
}

/** Why there is no result (interface, "thin-features"). */
export type UnanalyzedStatus = "TOO_SMALL" | "TOO_LARGE" | "MESH_ERROR";

/**
 * What the slabs of a model have in common. Its large arrays are in shared memory. Depends on the request alone, not on the number of
 * threads.
 */
export interface ThinPlan {
  readonly request: Omit<ThinRequest, "mesh" | "sizeMm">;
  readonly grid: CellGrid;
  /** The threshold in model space. */
  readonly modelThresholdMm: number;
  /** The layers of cells. */
  readonly stack: Stack;
  /** The outer surface in grid coordinates, with long edges split. */
  readonly surface: Surface;
  /** The slabs of layers, from the lowest up. */
  readonly slabs: readonly Slab[];
}

/** Least number of cells across the threshold. */
export const MIN_CELLS_ACROSS = 4;
/** Larger models would take hours: TOO_LARGE (supplement, section 7). */
const MAX_CELLS = 2e8;
/** Spans have 16-bit columns. */
const MAX_COLUMNS = 65_000;
/** Small models get finer cells: up to this number of cells over the model, and up to the next constant across the threshold. */
const FEW_CELLS = 5e5;
const MAX_CELLS_ACROSS = 8;

/** Longer edges are split, in cells: the bounding boxes of long facets overlap many balls that the facets do not reach. */
const MAX_EDGE_CELLS = 32;

/** A side of the box that is shorter than the threshold by a smaller share counts as equally long: rounding. */
const ROUNDING = 1e-5;

/** Shares of the progress at which each stage ends: the shape of the model is known, its outer surface, and the cells over it. */
const SHARES = { report: 0.1, surface: 0.6, splitting: 0.7 };

/** Plans the search for thin regions, or says why there is none. */
export async function planThinFeatures(request: ThinRequest, progress: Progress): Promise<ThinPlan | UnanalyzedStatus> {
  const { mesh, orientation, scale, sizeMm, thresholdMm } = request;
  if (Math.min(...sizeMm) < (1 - ROUNDING) * thresholdMm) return "TOO_SMALL";
  const { isOpen } = closedManifoldFact(mesh, progress.part(0, SHARES.report));
  if (isOpen || mesh.volumeMm3 === 0) return "MESH_ERROR";
  const modelThresholdMm = thresholdMm / scale;
  const across = cellsAcross(mesh, modelThresholdMm);
  if (across === undefined) return "TOO_LARGE";
  const solid = await outerSurface(mesh, progress.part(SHARES.report, SHARES.surface));
  const { grid, surface } = cellGridOver(solid, boxCentre(mesh.box), modelThresholdMm / across);
  const stack = prepareStack(gridSlicing(grid, mesh, surface), progress.part(SHARES.splitting, 1));
  const splitting = progress.part(SHARES.surface, SHARES.splitting);
  const { vertices, triangles } = splitLongEdges(surface, MAX_EDGE_CELLS * grid.cellMm, splitting);
  const split = { vertices: toSharedMemory(vertices), triangles: toSharedMemory(triangles) };
  return {
    request: { orientation, scale, thresholdMm },
    grid,
    modelThresholdMm,
    stack,
    surface: split,
    slabs: slabsOf(split, grid, modelThresholdMm),
  };
}

/** Number of cells across the threshold; undefined if even the least number gives too many cells. */
function cellsAcross({ box }: Mesh, thresholdMm: number): number | undefined {
  const cells = (across: number): number =>
    boxSize(box).reduce((product, mm) => product * Math.ceil((mm * across) / thresholdMm), 1);
  const longest = (exactLength(boxSize(box)) * MIN_CELLS_ACROSS) / thresholdMm;
  if (cells(MIN_CELLS_ACROSS) > MAX_CELLS || longest > MAX_COLUMNS) return undefined;
  const isFine = (across: number): boolean =>
    cells(across) <= FEW_CELLS && longest * across <= MAX_COLUMNS * MIN_CELLS_ACROSS;
  let across = MIN_CELLS_ACROSS;
  while (across < MAX_CELLS_ACROSS && isFine(across + 1)) across++;
  return across;
}

/** Shares of the progress at which facets face outward, and intersections are known. */
const SURFACE_SHARES = { solid: 0.1, intersections: 0.6 };

/** The outer surface of a closed mesh: facing outward, and without the inner surfaces of overlapping bodies. */
async function outerSurface(mesh: Mesh, progress: Progress): Promise<Surface> {
  const { solid: solidShare, intersections: intersectionsShare } = SURFACE_SHARES;
  const solid = repairedSolid(mesh, progress.part(0, solidShare));
  if (selfIntersectionFact(mesh, progress.part(solidShare, intersectionsShare))) {
    const repaired = await repair(mesh, progress.part(intersectionsShare, 1));
    if (repaired.isClosedManifold) return repaired.mesh;
  }
  return removeInternalBodies(solid, progress.part(intersectionsShare, 1));
}
