import { boxSize } from "../../geometry/box.ts";
import { claimMemory } from "../../core/memory-budget.ts";
import { operationFailed } from "../../core/api-error.ts";
import type { Progress } from "../../core/progress.ts";
import { voxelCount } from "../../geometry/distance-transform.ts";
import { type Vec3, times } from "../../geometry/vector.ts";
import { describeDefects, meshReport } from "../../mesh/mesh-report.ts";
import { type Mesh, triangleCount } from "../../mesh/mesh.ts";
import { type VoxelField, type VoxelGrid, blocksAlong, subgrid, voxelGridOver } from "../../mesh/voxel/voxel-grid.ts";
import { type DepthLevels, slabOverlap } from "./depth-field.ts";

export interface HollowRequest {
  readonly mesh: Mesh;
  /** Scale of the model in its scene; all lengths in mm are those of the scene. */
  readonly scale: number;
  readonly wallMm: number;
  /** Diameter of the smallest ball that fits into every part of the cavity. */
  readonly featureMm: number;
  /** 0 to 1. */
  readonly accuracy: number;
}

export interface VoxelSize {
  readonly voxelMm: number;
  /** The voxel size of the requested accuracy; less than `voxelMm` if the model is too large for it. */
  readonly wantedMm: number;
}

/** How a mesh is hollowed: in slabs of layers, each on any thread. The slabs depend only on the mesh and its walls. */
export interface HollowPlan extends VoxelSize {
  readonly request: HollowRequest;
  /** The voxels over the box of the mesh. */
  readonly grid: VoxelGrid;
  readonly levels: DepthLevels;
  /** Voxels from the first of the grid to the first of the field, along each axis. */
  readonly margin: number;
  /**
   * The depth of each voxel in the cavity, over the part of the grid that can be deep enough. In memory that all threads share, and
   * still empty.
   */
  readonly field: VoxelField;
  /** Time of all slabs, as the number of voxels that take as long. */
  readonly workVoxels: number;
  /** The first layer of each slab in the field, even numbers, then the number of its layers. */
  readonly bounds: readonly number[];
}

export const slabCount = ({ bounds }: HollowPlan): number => bounds.length - 1;

/**
 * Voxels per wall at accuracy 0 and 1. Distances are exact at any size; smaller voxels follow curvature more closely.
 */
const VOXELS_PER_WALL = [3.5, 10] as const;
/** Largest voxels at accuracy 0 and 1, however thick the wall: the largest feature size is 1 mm. */
const MAX_VOXEL_MM = [1, 0.4] as const;
/** No printer resolves less. */
const MIN_VOXEL_MM = 0.05;
/** About 400 MB for the cavity, and as much again while it is computed. */
const MAX_VOXELS = 2e8;
/** Memory of the cavity's field; its surface takes as much again while it is found. */
const BYTES_PER_VOXEL = 4;
/** With fewer voxels per wall the grid may not separate its two sides. */
const MIN_VOXELS_PER_WALL = 2;

/**
 * The levels are lowered by this, in voxels, so that rounding does not scatter voxels exactly on a level to both sides.
 */
const LEVEL_OFFSET = 1e-4;

/** Voxels of a slab with its overlap, of about 10 bytes each. */
const MAX_SLAB_VOXELS = 2e7;
const MIN_SLAB_LAYERS = 16;
/** Bounds the size of slabs, so that there are enough for all threads. */
const MAX_SLAB_LAYERS = 80;
/** A second thread needs about as long to compile its code as the first one needs for this number of voxels. */
const MAX_VOXELS_OF_ONE_SLAB = 1.2e7;
/** The depths near a facet take as long as this number of voxels (measured on spheres of one million facets). */
const VOXELS_PER_FACET = 8;

/**
 * Plans the hollowing of a mesh. Throws OPERATION_FAILED, with a reason that follows the model's name, for a mesh that
 * is not a closed manifold, and for one that is too large or too small for such walls.
 */
export function planHollow(request: HollowRequest, progress: Progress): HollowPlan {
  const { mesh, scale, wallMm, featureMm, accuracy } = request;
  const defects = describeDefects(meshReport(mesh, progress));
  if (defects.length > 0) throw operationFailed(`it is no closed manifold, it has ${defects.join(", ")}.`);
  const size = chooseVoxelSize(times(boxSize(mesh.box), scale), wallMm, accuracy);
  if (!size) {
    throw operationFailed(`it is too large for walls of ${wallMm} mm: make them thicker, or scale it down.`);
  }
  const grid = voxelGridOver(mesh.box, size.voxelMm / scale);
  claimMemory({
    bytes: BYTES_PER_VOXEL * voxelCount(grid),
    what: "it",
    wayOut: "make its walls thicker, or its accuracy lower",
  });
  const wall = wallMm / size.voxelMm - LEVEL_OFFSET;
  const levels: DepthLevels = { wall, core: wall + featureMm / 2 / size.voxelMm };
  const margin = Math.max(0, Math.floor(wall) - 1);
  const field = cavityField(grid, margin);
  if (!field) throw tooThinError(request);
  const workVoxels = voxelCount(field) + VOXELS_PER_FACET * triangleCount(mesh);
  return {
    ...size,
    request,
    grid,
    levels,
    margin,
    field,
    workVoxels,
    bounds: slabBounds(workVoxels, grid, field, levels),
  };
}

/** The voxel size for a model; undefined if the wall needs too many voxels. */
function chooseVoxelSize(sizeMm: Vec3, wallMm: number, accuracy: number): VoxelSize | undefined {
  const atAccuracy = ([low, high]: readonly [number, number]): number => low + (high - low) * accuracy;
  const wantedMm = Math.max(MIN_VOXEL_MM, Math.min(wallMm / atAccuracy(VOXELS_PER_WALL), atAccuracy(MAX_VOXEL_MM)));
  const voxelsOf = (mm: number): number => sizeMm.reduce((count, size) => count * (Math.ceil(size / mm) + 1), 1);
  let voxelMm = wantedMm;
  while (voxelsOf(voxelMm) > MAX_VOXELS) voxelMm *= 1.01;
  return voxelMm > wallMm / MIN_VOXELS_PER_WALL ? undefined : { voxelMm, wantedMm };
}

export const tooThinError = ({ wallMm, featureMm }: HollowRequest): Error =>
  operationFailed(
    `it is nowhere thick enough for two walls of ${wallMm} mm and ${featureMm} mm between them: make the walls thinner, ` +
      "or the feature size smaller.",
  );

/** An empty field over the grid without `margin` voxels at its sides; undefined if too little is left. */
function cavityField(grid: VoxelGrid, margin: number): VoxelField | undefined {
  const [columns, rows, layers] = [grid.columns, grid.rows, grid.layers].map((count) => count - 2 * margin);
  const size = { columns, rows, layers };
  if (Math.min(columns, rows, layers) < 2) return undefined;
  const blocks = blocksAlong(columns) * blocksAlong(rows) * blocksAlong(layers);
  return {
    ...subgrid(grid, [margin, margin, margin], size),
    values: new Int16Array(new SharedArrayBuffer(2 * voxelCount(size))),
    isCrossed: new Uint8Array(new SharedArrayBuffer(blocks)),
  };
}

/** The number of slabs. Each additional one computes the overlap of two again: if facets alone make the work long, there are two. */
function slabsFor(voxels: number, workVoxels: number, layers: number): number {
  if (voxels > MAX_VOXELS_OF_ONE_SLAB) return 2 * Math.ceil(layers / (2 * MAX_SLAB_LAYERS));
  return workVoxels <= MAX_VOXELS_OF_ONE_SLAB ? 1 : 2;
}

/**
 * Slabs of an even number of layers, so that the blocks of a slab are blocks of the field. Either one slab or an even
 * number of them, for pairs of threads.
 */
function slabBounds(
  workVoxels: number,
  { columns, rows }: VoxelGrid,
  field: VoxelField,
  levels: DepthLevels,
): number[] {
  const { layers } = field;
  const slabs = slabsFor(voxelCount(field), workVoxels, layers);
  const runAtOnce = MAX_SLAB_VOXELS / (columns * rows) - 2 * slabOverlap(levels);
  const thickness = 2 * Math.ceil(Math.max(MIN_SLAB_LAYERS, Math.min(layers / slabs, runAtOnce)) / 2);
  const starts = Array.from({ length: Math.ceil(layers / thickness) }, (_, i) => i * thickness);
  return [...starts, layers];
}
