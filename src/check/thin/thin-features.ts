import { centreOf, exactLength, sizeOf, subtract, times, type Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { Mesh } from "../../mesh/mesh.ts";
import { type EulerDeg, toMatrix, turn } from "../../mesh/pose.ts";
import { soundnessOf } from "../../mesh/soundness.ts";
import { joinRegions, type ThinRegion } from "./join-regions.ts";
import { latticeOver } from "./lattice.ts";
import { outerSurface } from "./outer-surface.ts";
import { thinLayers } from "./thin-layers.ts";

export type { ThinRegion };

export interface ThinRequest {
  readonly mesh: Mesh;
  readonly orientation: EulerDeg;
  readonly scale: number;
  /** Sides of the model's box as it stands. */
  readonly sizeMm: Vec3;
  readonly thresholdMm: number;
}

/** Where a model is thin, or why that cannot be told (interface, "thin-features"). */
export interface ThinFeatures {
  readonly status: "ANALYZED" | "TOO_SMALL" | "TOO_LARGE" | "MESH_ERROR";
  /** The largest first. Their boxes are those in the scene, the model's origin being the coordinate origin. */
  readonly regions: readonly ThinRegion[];
}

/** Cells over the threshold at least. */
const CELLS_ACROSS = 4;
/** More cells over a model would take hours; supplement, section 7: "TOO_LARGE". */
const MOST_CELLS = 2e8;
/** Spans of cells have numbers of 16 bits. */
const MOST_COLUMNS = 65_000;
/** A small model gets finer cells, as long as there are no more of them over it, and of so many over the threshold. */
const FEW_CELLS = 5e5;
const MOST_CELLS_ACROSS = 8;

/** A side that is shorter than the threshold by a smaller share is as long but for rounding. */
const ROUNDING = 1e-5;

/** Shares of the progress at which the mesh is known to be closed, and the surface of its solid is made. */
const LOOKED = 0.02;
const MADE = 0.1;

/**
 * Where a model is thin: where the largest ball inside it that covers a place is smaller in diameter than the threshold,
 * edges and corners of thick bodies left out (interface supplement, section 7, "thin regions"). It takes its mesh in cells
 * that hang together with the mesh, not with the scene: however a model stands, the same volumes are found.
 */
export function thinFeatures(request: ThinRequest, watch: Watch): ThinFeatures {
  const { mesh, orientation, scale, sizeMm, thresholdMm } = request;
  if (Math.min(...sizeMm) < (1 - ROUNDING) * thresholdMm) return without("TOO_SMALL");
  if (soundnessOf(mesh, watch.part(0, LOOKED)).isOpen || mesh.volumeMm3 === 0) return without("MESH_ERROR");
  const rawThresholdMm = thresholdMm / scale;
  const across = cellsAcross(mesh, rawThresholdMm);
  if (across === undefined) return without("TOO_LARGE");
  const lattice = latticeOver(mesh, outerSurface(mesh, watch.part(LOOKED, MADE)), rawThresholdMm / across);
  const rotation = toMatrix(orientation);
  const middle = centreOf(mesh.box);
  const toScene = (place: Vec3): Vec3 => times(turn(rotation, subtract(lattice.toRaw(place), middle)), scale);
  const layers = thinLayers(lattice, rawThresholdMm, watch.part(MADE, 1));
  const regions = joinRegions(layers, lattice.rows, (lattice.cellMm * scale) ** 3, toScene);
  const leastMm3 = (thresholdMm / CELLS_ACROSS) ** 3;
  const told = regions.filter(({ volumeMm3 }) => volumeMm3 >= leastMm3).sort((a, b) => b.volumeMm3 - a.volumeMm3);
  return { status: "ANALYZED", regions: told };
}

const without = (status: ThinFeatures["status"]): ThinFeatures => ({ status, regions: [] });

/** Into how many cells the threshold is divided; undefined where even the fewest would be too many. */
function cellsAcross({ box }: Mesh, thresholdMm: number): number | undefined {
  const cells = (across: number): number =>
    sizeOf(box).reduce((product, mm) => product * Math.ceil((mm * across) / thresholdMm), 1);
  const longest = (exactLength(sizeOf(box)) * CELLS_ACROSS) / thresholdMm;
  if (cells(CELLS_ACROSS) > MOST_CELLS || longest > MOST_COLUMNS) return undefined;
  const isFine = (across: number): boolean =>
    cells(across) <= FEW_CELLS && longest * across <= MOST_COLUMNS * CELLS_ACROSS;
  let across = CELLS_ACROSS;
  while (across < MOST_CELLS_ACROSS && isFine(across + 1)) across++;
  return across;
}
