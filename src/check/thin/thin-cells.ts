import type { Progress } from "../../core/progress.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";
import { type Vec3, add, times } from "../../geometry/vector.ts";
import { closestPoint } from "../../mesh/bvh/closest-point.ts";
import type { LayerRange } from "../../slice/cut-layers.ts";
import { type BoundedSolid, samplePoint, solidBetween, surfaceFoot } from "./bounded-solid.ts";
import { type CellGrid, cellCentre } from "./cell-grid.ts";
import { type BallIndex, type CellMarks, FURROW_CELLS, newBallIndex, newCellMarks } from "./cell-marks.ts";
import { climbMedialAxis, coveringBall, isBetweenWalls, medialBall, surfaceInBall } from "./medial-ball.ts";
import { type CoverageLayer, FULL, coverageLayers } from "./coverage-layers.ts";
import type { Slab } from "./slabs.ts";
import type { ThinPlan } from "./thin-plan.ts";

/** The thin cells of one layer. */
export interface ThinLayer {
  readonly layer: number;
  /** Cells by row, then by column. */
  readonly cells: readonly ThinCell[];
}

export interface ThinCell {
  readonly row: number;
  readonly column: number;
  /** Solid share of the cell, of {@link FULL}. */
  readonly coverage: number;
  /** Whether the cell belongs to a part that is clearly thinner than the threshold. */
  readonly isClear: boolean;
  /** A point of the solid in the cell or close by: on the surface of the solid where the surface passes through the cell. */
  readonly point: Vec3;
}

/** The radius of balls that cover cells is at most half the threshold and this many cells. */
const MAX_EXTRA_CELLS = 16;

/**
 * A thick ball does not serve a cell if the distance from the cell to the centre of the ball exceeds the radius of the ball by more than
 * this: another ball is nearer, or none can be moved over the cell.
 */
const NEAR_CELLS = 1.5;

/** Parts that are thinner than the threshold by a smaller share do not count as thinner: their mesh is rounded. */
const TOLERANCE = 1e-3;

/**
 * Parts that are thinner by up to this further share are thin in some cells and thick in others, since balls that almost fit count as
 * fitting ({@link coveringBall}): alone they make no thin region.
 */
const DOUBT = 2.5e-3;
/** Share of the limit of clearly thin parts below which an estimate of the thickness is certain; it is within 0.2 %. */
const SURE = 0.98;

/** Moves of a ball before its search ends: in the first pass, and in the last pass, which decides about the rim of thin parts. */
const MAX_MOVES = 12;
const MAX_FINAL_MOVES = 32;

/** Share of the progress at which the part of the solid is known. */
const SOLID_SHARE = 0.1;

/**
 * The cells of a slab where the largest ball inside the solid that covers them is smaller in diameter than the threshold, without the
 * cells at edges and corners of thick parts. From the lowest layer up; layers without thin cells are omitted.
 */
export function* findThinCells(plan: ThinPlan, slab: Slab, progress: Progress): Generator<ThinLayer> {
  const { grid, stack, modelThresholdMm } = plan;
  const { classified } = slab;
  const solid = solidBetween(plan.surface, slab.lowMm, slab.highMm, progress.part(0, SOLID_SHARE));
  if (!solid) return;
  const { tree } = solid;
  const classifying = progress.part(SOLID_SHARE, 1);
  const search = new ThinCellSearch(grid, solid, classified, modelThresholdMm, classifying);
  // The centre of a ball that covers a cell is within half the threshold of the cell, and the ball covers other cells up to as far
  // again. So a layer is final when the layers up to this distance above it are classified.
  const layersAhead = Math.ceil(modelThresholdMm / grid.cellMm) + 1;
  const waiting: CoverageLayer[] = [];
  function* finishLayers(below: number): Generator<ThinLayer> {
    for (let next = waiting[0]; next && next.layer < below; next = waiting[0]) {
      waiting.shift();
      const cells = search.finishLayer(next);
      if (cells.length > 0) yield { layer: next.layer, cells };
    }
  }
  for (const layer of coverageLayers(stack, classified, () => classifying.report(0))) {
    if (layer.layer >= slab.from && layer.layer < slab.end) waiting.push(layer);
    search.classifyLayer(layer);
    yield* finishLayers(layer.layer - layersAhead + 1);
  }
  yield* finishLayers(Infinity);
  releaseArrays(tree.boxes, tree.links, tree.facets, tree.corners);
}

/** Searches thin cells layer by layer, and keeps the cells that are classified so far. */
class ThinCellSearch {
  readonly #grid: CellGrid;
  readonly #solid: BoundedSolid;
  readonly #range: LayerRange;
  readonly #progress: Progress;
  /** Radius of thick balls, and the radius below which a part is clearly thin. */
  readonly #thickMm: number;
  readonly #clearMm: number;
  /** Distance up to which thick balls are searched. */
  readonly #nearMm: number;
  readonly #marks: CellMarks;
  readonly #thickBalls: BallIndex;

  constructor(grid: CellGrid, solid: BoundedSolid, range: LayerRange, thresholdMm: number, progress: Progress) {
    this.#grid = grid;
    this.#solid = solid;
    this.#range = range;
    this.#progress = progress;
    this.#thickMm = ((1 - TOLERANCE) * thresholdMm) / 2;
    this.#clearMm = (1 - DOUBT) * this.#thickMm;
    this.#nearMm = this.#thickMm + NEAR_CELLS * grid.cellMm;
    this.#marks = newCellMarks(grid, range.from, range.end);
    this.#thickBalls = newBallIndex(this.#nearMm);
  }

  classifyLayer({ layer, rowStarts, starts, ends, values }: CoverageLayer): void {
    const marks = this.#marks;
    for (let row = 0; row + 1 < rowStarts.length; row++) {
      for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
        this.#report(layer + row / rowStarts.length);
        const end = ends[run];
        for (
          let column = marks.nextUnknown(starts[run], end, row, layer);
          column < end;
          column = marks.nextUnknown(column + 1, end, row, layer)
        ) {
          this.#classify(column, row, layer, values[run] === FULL);
        }
      }
    }
  }

  #report(layer: number): void {
    const { from, end } = this.#range;
    this.#progress.report((layer - from) / (end - from));
  }

  /** The thin cells of a layer. Discards that layer and all layers below it. */
  finishLayer(layer: CoverageLayer): ThinCell[] {
    const cells = this.#thinCellsOf(layer);
    this.#marks.drop(layer.layer);
    this.#thickBalls.drop((layer.layer + 1) * this.#grid.cellMm);
    return cells;
  }

  /** Marks a cell, and the cells around it for which the result holds as well, as covered or thin. */
  #classify(column: number, row: number, layer: number, isFull: boolean): void {
    const grid = this.#grid;
    const solid = this.#solid;
    const marks = this.#marks;
    const thickBalls = this.#thickBalls;
    const [{ cellMm }, { tree }, thickMm, clearMm] = [grid, solid, this.#thickMm, this.#clearMm];
    const centre = cellCentre(grid, column, row, layer);
    const { lowMm, highMm } = solid;
    const deepMm = Math.min(thickMm + MAX_EXTRA_CELLS * cellMm, centre[2] - lowMm, highMm - centre[2]);
    const nearest = closestPoint(tree, centre, deepMm);
    if (!nearest) return marks.cover({ centre, radiusMm: deepMm });
    const seen = surfaceFoot(solid, centre, nearest, isFull, cellMm);
    if (!seen) return;
    const { foot, inward, depthMm } = seen;
    const above = add(foot, times(inward, thickMm));
    if (depthMm !== undefined && depthMm >= thickMm) {
      thickBalls.add(above);
      return marks.cover({ centre, radiusMm: depthMm });
    }
    if (thickBalls.nearest(foot, thickMm + FURROW_CELLS * cellMm)) return;
    const inBall = surfaceInBall(tree, above, thickMm);
    if (!inBall) return this.#coverThick(above);
    const ball = medialBall(tree, foot, inward, thickMm, inBall);
    if (isBetweenWalls(ball, inward)) return marks.markThin(column, row, layer, ball, ball.radiusMm < clearMm);
    const found = coveringBall(tree, samplePoint(tree, seen, cellMm), above, thickMm, MAX_MOVES, false);
    if (found) return this.#coverThick(found);
    const thin = climbMedialAxis(tree, ball, thickMm);
    if (!thin) return;
    // Near the limit the estimate does not decide, but whether the search reaches a ball of the limit.
    const isSure = thin.halfMm < SURE * clearMm;
    const isClear = isSure || climbMedialAxis(tree, medialBall(tree, foot, inward, clearMm), clearMm) !== undefined;
    marks.markThin(column, row, layer, thin, isClear);
  }

  #coverThick(centre: Vec3): void {
    this.#thickBalls.add(centre);
    this.#marks.coverAround({ centre, radiusMm: this.#thickMm });
  }

  #thinCellsOf({ layer, rowStarts, starts, ends, values }: CoverageLayer): ThinCell[] {
    const marks = this.#marks;
    const cells: ThinCell[] = [];
    for (let row = 0; row + 1 < rowStarts.length; row++) {
      for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
        this.#report(layer);
        const end = ends[run];
        for (
          let column = marks.nextThin(starts[run], end, row, layer);
          column < end;
          column = marks.nextThin(column + 1, end, row, layer)
        ) {
          const point = this.#thinPoint(column, row, layer, values[run] === FULL);
          if (!point) continue;
          const isClear = marks.isClearlyThin(column, row, layer);
          cells.push({ row, column, coverage: values[run], isClear, point });
        }
      }
    }
    return cells;
  }

  /** The thin point of a cell; undefined if a thick ball covers it after all. */
  #thinPoint(column: number, row: number, layer: number, isFull: boolean): Vec3 | undefined {
    const [{ cellMm }, { tree }, thickMm] = [this.#grid, this.#solid, this.#thickMm];
    const centre = cellCentre(this.#grid, column, row, layer);
    const near = this.#thickBalls.nearest(centre, this.#nearMm);
    if (isFull && !near) return centre;
    const nearest = closestPoint(tree, centre, thickMm + cellMm);
    const seen = nearest && surfaceFoot(this.#solid, centre, nearest, isFull, cellMm);
    if (!seen) return undefined;
    const isCovered = near && coveringBall(tree, samplePoint(tree, seen, cellMm), near, thickMm, MAX_FINAL_MOVES, true);
    return isCovered ? undefined : isFull ? centre : seen.foot;
  }
}
