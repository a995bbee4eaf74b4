import { add, exactLength, subtract, times, type Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { facetTree } from "../../mesh/bvh/facet-tree.ts";
import { nearestPoint } from "../../mesh/bvh/nearest-point.ts";
import { drawChunk, type Layer } from "../../slice/draw-chunk.ts";
import { prepareStack } from "../../slice/prepare-stack.ts";
import { ballOver } from "./ball-over.ts";
import { climb } from "./climb.ts";
import { type Lattice, middleOf } from "./lattice.ts";
import { COVERED, FURROW_CELLS, IN_THIN_PART, newMarks } from "./marks.ts";
import { type Bounded, placeInCell } from "./place-in-cell.ts";

/** Where a solid is thin in one layer of cells. */
export interface ThinLayer {
  readonly layer: number;
  /** In the order of their rows, and of their columns. */
  readonly cells: readonly ThinCell[];
}

export interface ThinCell {
  readonly row: number;
  readonly column: number;
  /** Share of the cell that is solid, from 0 to 1. */
  readonly share: number;
  /** A place of the solid in the cell or close by: on its surface where that passes through the cell. */
  readonly place: Vec3;
}

/** A layer's runs of equal cells that stay good. */
interface Drawn {
  readonly layer: number;
  readonly rowStarts: Uint32Array;
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
  readonly values: Uint8Array;
}

/** The value of cells that are solid all over. */
const FULL = 255;

/** Cells over which one that lies deep inside tells that they do, too. */
const MOST_DEEP_CELLS = 16;

/** Balls that cover cells are larger than the threshold by so many cells at most: larger ones take longer than they save. */
const MOST_BEYOND_CELLS = 3;

/** What measures the threshold but for this share of it is not below it, be its mesh rounded. */
const PLAY = 1e-3;

/** Pushes of a ball before it is given up: at once, and at the end, where the rim of a thin part depends on it. */
const PUSHES = 12;
const PATIENT_PUSHES = 32;

/** Shares of the progress at which the tree is built, and the layers are ready to be drawn. */
const BUILT = 0.05;
const PREPARED = 0.1;

/**
 * The cells of a solid where the largest ball inside it that covers them is smaller in diameter than the threshold, less those
 * at edges and corners of what is thick. From the lowest layer up; layers without any are left out.
 */
export function* thinLayers(lattice: Lattice, thresholdMm: number, watch: Watch): Generator<ThinLayer> {
  const { cellMm, surface, slicing } = lattice;
  const thickMm = ((1 - PLAY) * thresholdMm) / 2;
  const tree = facetTree(surface, watch.part(0, BUILT));
  const solid: Bounded = { surface, tree };
  const stack = prepareStack(slicing, watch.part(BUILT, PREPARED));
  const looking = watch.part(PREPARED, 1);
  const marks = newMarks(lattice, thickMm);

  /** Marks what a cell tells of itself and of those around it. So many of the next ones in its row lie deep inside like it. */
  function look(column: number, row: number, layer: number, isFull: boolean): number {
    const middle = middleOf(lattice, column, row, layer);
    const nearest = nearestPoint(tree, middle, thickMm + MOST_DEEP_CELLS * cellMm);
    if (!nearest) return MOST_DEEP_CELLS;
    const inside = placeInCell(solid, middle, nearest, isFull, cellMm);
    if (!inside) return 0;
    const { place, foot, inward, depthMm } = inside;
    if (depthMm >= thickMm) {
      marks.cover({ centre: place, radiusMm: Math.min(depthMm, thickMm + MOST_BEYOND_CELLS * cellMm) });
      return Math.floor((depthMm - thickMm) / cellMm);
    }
    const near = marks.thickBallNear(column, row, layer);
    if (near && exactLength(subtract(foot, near)) <= thickMm + FURROW_CELLS * cellMm) return 0;
    const centre = ballOver(tree, place, add(foot, times(inward, thickMm)), thickMm, PUSHES, false);
    if (centre) {
      marks.cover({ centre, radiusMm: thickMm });
      return 0;
    }
    const ball = climb(tree, foot, inward, thickMm);
    if (ball) marks.markThin(column, row, layer, ball);
    return 0;
  }

  function lookOver({ layer, rowStarts, starts, ends, values }: Drawn): void {
    for (let row = 0; row + 1 < rowStarts.length; row++) {
      for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
        looking.report((layer + row / rowStarts.length) / lattice.layers);
        for (let column = starts[run]; column < ends[run]; column++) {
          if (marks.of(column, row, layer) === 0) column += look(column, row, layer, values[run] === FULL);
        }
      }
    }
  }

  /** The place of a cell that counts as thin, unless a ball as large as the threshold covers it after all. */
  function thinPlace(column: number, row: number, layer: number, isFull: boolean): Vec3 | undefined {
    const middle = middleOf(lattice, column, row, layer);
    const near = marks.thickBallNear(column, row, layer);
    if (isFull && !near) return middle;
    const nearest = nearestPoint(tree, middle, thickMm + cellMm);
    const inside = nearest && placeInCell(solid, middle, nearest, isFull, cellMm);
    if (!inside || (near && ballOver(tree, inside.place, near, thickMm, PATIENT_PUSHES, true))) return undefined;
    return isFull ? middle : inside.foot;
  }

  function thinCellsOf({ layer, rowStarts, starts, ends, values }: Drawn): ThinCell[] {
    const cells: ThinCell[] = [];
    for (let row = 0; row + 1 < rowStarts.length; row++) {
      for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
        looking.report(layer / lattice.layers);
        for (let column = starts[run]; column < ends[run]; column++) {
          if ((marks.of(column, row, layer) & (IN_THIN_PART | COVERED)) !== IN_THIN_PART) continue;
          const place = thinPlace(column, row, layer, values[run] === FULL);
          if (place) cells.push({ row, column, share: values[run] / FULL, place });
        }
      }
    }
    return cells;
  }

  // A ball over a cell has its centre within half the threshold of it, and covers others as far again.
  const ahead = Math.ceil(thresholdMm / cellMm) + 1;
  const waiting: Drawn[] = [];
  function* settle(below: number): Generator<ThinLayer> {
    while (waiting.length > 0 && waiting[0].layer < below) {
      const drawn = waiting.shift()!;
      const cells = thinCellsOf(drawn);
      marks.drop(drawn.layer);
      if (cells.length > 0) yield { layer: drawn.layer, cells };
    }
  }
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) {
    const poll = (): void => looking.report(0);
    for (const drawn of Array.from(drawChunk(stack, chunk, poll), copied)) {
      waiting.push(drawn);
      lookOver(drawn);
      yield* settle(drawn.layer - ahead + 1);
    }
  }
  yield* settle(Infinity);
}

function copied({ index, runs: { height, rowStarts, starts, ends, values } }: Layer): Drawn {
  const count = rowStarts[height];
  return {
    layer: index,
    rowStarts: rowStarts.slice(0, height + 1),
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    values: values.slice(0, count),
  };
}
