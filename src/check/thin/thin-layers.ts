import { add, times, type Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import { facetTree } from "../../mesh/bvh/facet-tree.ts";
import { nearestPoint } from "../../mesh/bvh/nearest-point.ts";
import { drawChunk, type Layer } from "../../slice/draw-chunk.ts";
import { prepareStack } from "../../slice/prepare-stack.ts";
import { ballOver, fits } from "./ball-over.ts";
import { betweenWalls, climb } from "./climb.ts";
import { type Bounded, footOf } from "./foot-of.ts";
import { type Lattice, middleOf } from "./lattice.ts";
import { FURROW_CELLS, newMarks } from "./marks.ts";
import { placeOver } from "./place-over.ts";
import { newThickBalls } from "./thick-balls.ts";
import { withShortSides } from "./with-short-sides.ts";

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

/** Balls that cover cells are larger than the threshold by so many cells at most. */
const MOST_DEEP_CELLS = 16;

/** Farther from a thick ball there is another one, or none that could be pushed over the cell. */
const NEAR_CELLS = 1.5;

/** What measures the threshold but for this share of it is not below it, be its mesh rounded. */
const PLAY = 1e-3;

/** Longer sides than so many cells, and the boxes of facets hold many balls that they do not reach. */
const LONGEST_SIDE_CELLS = 32;

/** Pushes of a ball before it is given up: at once, and at the end, where the rim of a thin part depends on it. */
const PUSHES = 12;
const PATIENT_PUSHES = 32;

/** Shares of the progress at which no facet is long, the tree is built, and the layers are ready to be drawn. */
const SHORTENED = 0.01;
const BUILT = 0.05;
const PREPARED = 0.1;

/**
 * The cells of a solid where the largest ball inside it that covers them is smaller in diameter than the threshold, less those
 * at edges and corners of what is thick. From the lowest layer up; layers without any are left out.
 */
export function* thinLayers(lattice: Lattice, thresholdMm: number, watch: Watch): Generator<ThinLayer> {
  const { cellMm, slicing } = lattice;
  const thickMm = ((1 - PLAY) * thresholdMm) / 2;
  const surface = withShortSides(lattice.surface, LONGEST_SIDE_CELLS * cellMm, watch.part(0, SHORTENED));
  const tree = facetTree(surface, watch.part(SHORTENED, BUILT));
  const solid: Bounded = { surface, tree };
  const stack = prepareStack(slicing, watch.part(BUILT, PREPARED));
  const looking = watch.part(PREPARED, 1);
  const marks = newMarks(lattice);
  const nearMm = thickMm + NEAR_CELLS * cellMm;
  const balls = newThickBalls(nearMm);
  const deepMm = thickMm + MOST_DEEP_CELLS * cellMm;

  /** Marks what a cell tells of itself and of those around it. */
  function look(column: number, row: number, layer: number, isFull: boolean): void {
    const middle = middleOf(lattice, column, row, layer);
    const nearest = nearestPoint(tree, middle, deepMm);
    if (!nearest) return marks.cover({ centre: middle, radiusMm: deepMm });
    const seen = footOf(solid, middle, nearest, isFull, cellMm);
    if (!seen) return;
    const { foot, inward, depthMm } = seen;
    const above = add(foot, times(inward, thickMm));
    if (depthMm !== undefined && depthMm >= thickMm) {
      balls.add(above);
      return marks.cover({ centre: middle, radiusMm: depthMm });
    }
    if (balls.nearest(foot, thickMm + FURROW_CELLS * cellMm)) return;
    if (fits(tree, above, thickMm)) return coverThick(above);
    const between = betweenWalls(tree, foot, inward, thickMm);
    if (between) return marks.markThin(column, row, layer, between);
    const found = ballOver(tree, placeOver(tree, seen, cellMm), above, thickMm, PUSHES, false);
    if (found) return coverThick(found);
    const ball = climb(tree, foot, inward, thickMm);
    if (ball) marks.markThin(column, row, layer, ball);
  }

  function coverThick(centre: Vec3): void {
    balls.add(centre);
    marks.coverAround({ centre, radiusMm: thickMm });
  }

  function lookOver({ layer, rowStarts, starts, ends, values }: Drawn): void {
    for (let row = 0; row + 1 < rowStarts.length; row++) {
      for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
        looking.report((layer + row / rowStarts.length) / lattice.layers);
        const end = ends[run];
        for (
          let column = marks.nextUnknown(starts[run], end, row, layer);
          column < end;
          column = marks.nextUnknown(column + 1, end, row, layer)
        ) {
          look(column, row, layer, values[run] === FULL);
        }
      }
    }
  }

  /** The place of a cell that counts as thin, unless a ball as large as the threshold covers it after all. */
  function thinPlace(column: number, row: number, layer: number, isFull: boolean): Vec3 | undefined {
    const middle = middleOf(lattice, column, row, layer);
    const near = balls.nearest(middle, nearMm);
    if (isFull && !near) return middle;
    const nearest = nearestPoint(tree, middle, thickMm + cellMm);
    const seen = nearest && footOf(solid, middle, nearest, isFull, cellMm);
    if (!seen) return undefined;
    const isCovered = near && ballOver(tree, placeOver(tree, seen, cellMm), near, thickMm, PATIENT_PUSHES, true);
    return isCovered ? undefined : isFull ? middle : seen.foot;
  }

  function thinCellsOf({ layer, rowStarts, starts, ends, values }: Drawn): ThinCell[] {
    const cells: ThinCell[] = [];
    for (let row = 0; row + 1 < rowStarts.length; row++) {
      for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
        looking.report(layer / lattice.layers);
        const end = ends[run];
        for (
          let column = marks.nextThin(starts[run], end, row, layer);
          column < end;
          column = marks.nextThin(column + 1, end, row, layer)
        ) {
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
      balls.drop((drawn.layer + 1) * cellMm);
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
