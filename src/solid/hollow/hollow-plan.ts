import { operationFailed } from "../../core/fault.ts";
import { sizeOf, times } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { faultsOf, survey } from "../../mesh/survey.ts";
import { blocksAlong, type Field } from "../../mesh/voxel/field.ts";
import { voxelCount } from "../../mesh/voxel/grid-size.ts";
import { type Lattice, latticeOver, partOf } from "../../mesh/voxel/lattice.ts";
import { besideOf } from "./depths/depths.ts";
import type { Levels } from "./levels.ts";
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

/** How a mesh is hollowed: in slabs of layers, each on any thread. They depend on the mesh and its walls alone. */
export interface HollowPlan extends VoxelSize {
  readonly request: HollowRequest;
  /** Over the mesh's box. */
  readonly lattice: Lattice;
  readonly levels: Levels;
  /** From the lattice's first voxel to the field's, along each axis. */
  readonly margin: number;
  /**
   * How far voxels lie in the cavity, over the part of the lattice that can be deep enough, in memory that all threads share.
   * Nothing is filled in yet.
   */
  readonly field: Field;
  /** The layers of the field from which slabs begin, even numbers, and those of the field at the end. */
  readonly bounds: readonly number[];
}

export const slabCount = ({ bounds }: HollowPlan): number => bounds.length - 1;

/** Levels are put as much lower, in voxels, so that rounding does not scatter voxels that lie on one to either side. */
const LOWERED = 1e-4;

/** Voxels of a slab, those beside it included; about 10 bytes belong to each. */
const VOXELS_AT_ONCE = 2e7;
const LEAST_LAYERS = 16;
/** Slabs have no more layers, so that there are enough of them to share. */
const MOST_LAYERS = 80;
/** So many voxels are worked on in the time that a thread takes to compile the code for them: no second one is worth it. */
const VOXELS_FOR_ONE = 1.2e7;

/**
 * Looks whether a mesh can be hollowed. Throws OPERATION_FAILED, the reason in words that follow the model's name, for a mesh
 * that is not sound, and where it is too large or too small for such walls.
 */
export function planHollow(request: HollowRequest, watch: Watch): HollowPlan {
  const { mesh, scale, wallMm, featureMm, accuracy } = request;
  const faults = faultsOf(survey(mesh, watch));
  if (faults.length > 0) throw operationFailed(`it is no closed manifold, it has ${faults.join(", ")}.`);
  const size = voxelSize(times(sizeOf(mesh.box), scale), wallMm, accuracy);
  if (!size) {
    throw operationFailed(`it is too large for walls of ${wallMm} mm: make them thicker, or scale it down.`);
  }
  const lattice = latticeOver(mesh.box, size.voxelMm / scale);
  const wall = wallMm / size.voxelMm - LOWERED;
  const levels: Levels = { wall, core: wall + featureMm / 2 / size.voxelMm };
  const margin = Math.max(0, Math.floor(wall) - 1);
  const field = fieldIn(lattice, margin);
  if (!field) throw nowhereThickEnough(request);
  return { ...size, request, lattice, levels, margin, field, bounds: boundsOf(lattice, field, levels) };
}

export const nowhereThickEnough = ({ wallMm, featureMm }: HollowRequest): Error =>
  operationFailed(
    `it is nowhere thick enough for two walls of ${wallMm} mm and ${featureMm} mm between them: make the walls thinner, ` +
      "or the feature size smaller.",
  );

/** Room for the part of a lattice without so many voxels at its sides; undefined where too little is left. */
function fieldIn(lattice: Lattice, margin: number): Field | undefined {
  const [columns, rows, layers] = [lattice.columns, lattice.rows, lattice.layers].map((count) => count - 2 * margin);
  const size = { columns, rows, layers };
  if (Math.min(columns, rows, layers) < 2) return undefined;
  const blocks = blocksAlong(columns) * blocksAlong(rows) * blocksAlong(layers);
  return {
    ...partOf(lattice, [margin, margin, margin], size),
    values: new Int16Array(new SharedArrayBuffer(2 * voxelCount(size))),
    isCrossed: new Uint8Array(new SharedArrayBuffer(blocks)),
  };
}

/**
 * Slabs of an even number of layers each, so that blocks of a slab are blocks of the field; and one of them, or an even number, for
 * pairs of threads.
 */
function boundsOf({ columns, rows }: Lattice, field: Field, levels: Levels): number[] {
  const { layers } = field;
  const slabs = voxelCount(field) <= VOXELS_FOR_ONE ? 1 : 2 * Math.ceil(layers / (2 * MOST_LAYERS));
  const atOnce = VOXELS_AT_ONCE / (columns * rows) - 2 * besideOf(levels);
  const thickness = 2 * Math.ceil(Math.max(LEAST_LAYERS, Math.min(layers / slabs, atOnce)) / 2);
  const starts = Array.from({ length: Math.ceil(layers / thickness) }, (_, i) => i * thickness);
  return [...starts, layers];
}
