import type { Progress } from "../../core/progress.ts";
import { type Box, boxCentre, boxSize } from "../../geometry/box.ts";
import { newDisjointSets } from "../../geometry/disjoint-sets.ts";
import { type EulerDeg, rotateVector, rotationMatrix } from "../../geometry/pose.ts";
import { type SpanLayer, connectedRegions, forTouchingSpans } from "../../geometry/spans.ts";
import { type Vec3, exactLength, subtract, times } from "../../geometry/vector.ts";
import { closedManifoldFact, selfIntersectionFact } from "../../mesh/mesh-facts.ts";
import type { Mesh, Surface } from "../../mesh/mesh.ts";
import { removeInternalBodies } from "../../repair/remove-facets.ts";
import { repair } from "../../repair/repair.ts";
import { repairedSolid } from "../../slice/repaired-solid.ts";
import { cellGridOver } from "./cell-grid.ts";
import { type ThinCell, type ThinLayer, findThinCells } from "./thin-cells.ts";

export interface ThinRequest {
  readonly mesh: Mesh;
  readonly orientation: EulerDeg;
  readonly scale: number;
  /** Sides of the box of the model at its scale, before it is oriented: the result must not depend on the orientation. */
  readonly sizeMm: Vec3;
  readonly thresholdMm: number;
}

/** A connected thin part of a solid. */
export interface ThinRegion {
  readonly volumeMm3: number;
  readonly box: Box;
}

/** The thin regions of a model, or the reason why there is no result (interface, "thin-features"). */
export interface ThinFeatures {
  readonly status: "ANALYZED" | "TOO_SMALL" | "TOO_LARGE" | "MESH_ERROR";
  /** The regions, the largest first. Boxes are in scene coordinates relative to the position of the model. */
  readonly regions: readonly ThinRegion[];
}

/** Least number of cells across the threshold. */
const MIN_CELLS_ACROSS = 4;
/** Larger models would take hours: TOO_LARGE (supplement, section 7). */
const MAX_CELLS = 2e8;
/** Spans have 16-bit columns. */
const MAX_COLUMNS = 65_000;
/** Small models get finer cells: up to this number of cells over the model, and up to the next constant across the threshold. */
const FEW_CELLS = 5e5;
const MAX_CELLS_ACROSS = 8;

/** A side of the box that is shorter than the threshold by a smaller share counts as equally long: rounding. */
const ROUNDING = 1e-5;

/** Shares of the progress at which each stage ends. */
const SHARES = { report: 0.02, surface: 0.1 };

/**
 * The regions where a model is thin: where the largest ball inside it that covers a point is smaller in diameter than the threshold,
 * except at edges and corners of thick parts (interface supplement, section 7, "thin regions"). Works on cells that are fixed to the
 * mesh, not to the scene, so the volumes do not depend on the orientation of the model.
 */
export async function thinFeatures(request: ThinRequest, progress: Progress): Promise<ThinFeatures> {
  const { mesh, orientation, scale, sizeMm, thresholdMm } = request;
  const { report: reportShare, surface: surfaceShare } = SHARES;
  const without = (status: ThinFeatures["status"]): ThinFeatures => ({ status, regions: [] });
  if (Math.min(...sizeMm) < (1 - ROUNDING) * thresholdMm) return without("TOO_SMALL");
  const { isOpen } = closedManifoldFact(mesh, progress.part(0, reportShare));
  if (isOpen || mesh.volumeMm3 === 0) return without("MESH_ERROR");
  const modelThresholdMm = thresholdMm / scale;
  const across = cellsAcross(mesh, modelThresholdMm);
  if (across === undefined) return without("TOO_LARGE");
  const surface = await outerSurface(mesh, progress.part(reportShare, surfaceShare));
  const grid = cellGridOver(mesh, surface, modelThresholdMm / across);
  const rotation = rotationMatrix(orientation);
  const centre = boxCentre(mesh.box);
  const toScene = (point: Vec3): Vec3 => times(rotateVector(rotation, subtract(grid.toModel(point), centre)), scale);
  const layers = findThinCells(grid, modelThresholdMm, progress.part(surfaceShare, 1));
  const all = connectThinCells(layers, grid.rows, (grid.cellMm * scale) ** 3, toScene);
  const minMm3 = (thresholdMm / MIN_CELLS_ACROSS) ** 3;
  const regions = all.filter(({ volumeMm3 }) => volumeMm3 >= minMm3).sort((a, b) => b.volumeMm3 - a.volumeMm3);
  return { status: "ANALYZED", regions };
}

/** Number of cells across the threshold; undefined where even the least number gives too many cells. */
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
const SURFACE_SHARES = { solid: 0.1, intersections: 0.4 };

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

/** The part of a region in one layer: its volume in cells, and the least and greatest coordinates of its points. */
interface RegionPart {
  cells: number;
  /** Whether any cell of it is clearly thinner than the threshold. */
  isClear: boolean;
  readonly min: [number, number, number];
  readonly max: [number, number, number];
}

/**
 * The regions of thin cells that touch each other, corners included, in the order of their first cells. Regions without a cell of a clearly
 * thin part are omitted: a part about as thick as the threshold would otherwise fall into specks.
 */
function connectThinCells(
  layers: Iterable<ThinLayer>,
  rows: number,
  cellMm3: number,
  toScene: (point: Vec3) => Vec3,
): ThinRegion[] {
  const parts: RegionPart[] = [];
  const links: number[] = [];
  let below: { readonly spans: SpanLayer; readonly partOf: Uint32Array } | undefined;
  for (const { layer, cells } of layers) {
    const spans = spansOf(layer, cells, rows);
    const { count, regionOf } = connectedRegions(spans, "CORNERS");
    const first = parts.length;
    const partOf = regionOf.map((region) => first + region);
    for (let i = 0; i < count; i++) parts.push(emptyPart());
    addCells(parts, partOf, spans, cells, toScene);
    if (below?.spans.index === layer - 1) {
      const { spans: spansBelow, partOf: partBelow } = below;
      forTouchingSpans(spans, spansBelow, (span, other) => links.push(partOf[span], partBelow[other]));
    }
    below = { spans, partOf };
  }
  const sets = newDisjointSets(parts.length);
  for (let i = 0; i < links.length; i += 2) sets.join(links[i], links[i + 1]);
  parts.forEach((part, i) => {
    if (sets.find(i) !== i) addPart(parts[sets.find(i)], part);
  });
  return parts
    .filter(({ isClear }, i) => isClear && sets.find(i) === i)
    .map(({ cells, min, max }) => ({ volumeMm3: cells * cellMm3, box: { min, max } }));
}

function spansOf(layer: number, cells: readonly ThinCell[], rows: number): SpanLayer {
  const rowStarts = new Uint32Array(rows + 1);
  const starts: number[] = [];
  const ends: number[] = [];
  cells.forEach(({ row, column }, i) => {
    if (i > 0 && cells[i - 1].row === row && cells[i - 1].column === column - 1) ends[ends.length - 1]++;
    else {
      starts.push(column);
      ends.push(column + 1);
      rowStarts[row + 1]++;
    }
  });
  for (let row = 0; row < rows; row++) rowStarts[row + 1] += rowStarts[row];
  return { index: layer, rowStarts, starts: Uint16Array.from(starts), ends: Uint16Array.from(ends) };
}

/** Adds each cell of the spans, which are in the order of `cells`, to the part of its span. */
function addCells(
  parts: readonly RegionPart[],
  partOf: Uint32Array,
  { ends, starts }: SpanLayer,
  cells: readonly ThinCell[],
  toScene: (point: Vec3) => Vec3,
): void {
  let cell = 0;
  for (let span = 0; span < partOf.length; span++) {
    for (let i = starts[span]; i < ends[span]; i++) {
      const { share, isClear, point } = cells[cell++];
      const at = toScene(point);
      addPart(parts[partOf[span]], { cells: share, isClear, min: [...at], max: [...at] });
    }
  }
}

const emptyPart = (): RegionPart => ({
  cells: 0,
  isClear: false,
  min: [Infinity, Infinity, Infinity],
  max: [-Infinity, -Infinity, -Infinity],
});

function addPart(part: RegionPart, other: RegionPart): void {
  part.cells += other.cells;
  part.isClear ||= other.isClear;
  for (let axis = 0; axis < 3; axis++) {
    part.min[axis] = Math.min(part.min[axis], other.min[axis]);
    part.max[axis] = Math.max(part.max[axis], other.max[axis]);
  }
}
