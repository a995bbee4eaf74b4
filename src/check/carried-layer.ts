import { type SpanGrid, type SpanLayer, spreadMarks, touchingSpans } from "../geometry/spans.ts";
import { type Segments, copySegments, newSegments } from "../slice/outline-segments.ts";
import { SpanRasteriser } from "../slice/raster/rasterise-spans.ts";
import { type NextRow, nextRows } from "../slice/raster/raster-kernel.ts";
import { type RowRange, newSmallLoopFinder } from "../slice/small-loops.ts";

// Nearly every layer is carried by the one below, and a few of its rows are enough to show it. A region that passes through a sampled
// row is carried where its spans overlap spans below. A region that passes through none is within a small loop, whose rows are
// rasterised. Here a region is the area that outlines enclose: parts that are joined by less than the least coverage of a pixel
// (1/500) are one region, although they share no pixel.

/**
 * Every STRIDE-th row is sampled: rows 0.4 mm apart on the grid of minima, less than the width of all printed features except tips and
 * edges.
 */
const STRIDE = 8;

/** Numbers of rows within which most spans, and nearly all spans, lead to a carried span. */
const REACHES = [3, 12];

/** A layer whose rows are rasterised on request. Valid until the second next layer is outlined. */
export interface OutlinedLayer {
  readonly sampled: SpanLayer;
  readonly smallLoops: () => readonly RowRange[];
  /** The layer with the wanted rows only. */
  readonly rows: (isWanted: Uint8Array) => SpanLayer;
  readonly whole: () => SpanLayer;
}

/** Makes layers of their outlines, which may be overwritten afterwards. `poll` is called regularly and may throw to cancel. */
export function newOutliner(
  { columns, rows }: Pick<SpanGrid, "columns" | "rows">,
  modelCount: number,
): (index: number, segments: Segments, poll: () => void) => OutlinedLayer {
  const rasteriser = new SpanRasteriser(columns, rows);
  const models = { count: modelCount, boundary: -1 };
  const sampledRows = nextRows(rows, (row) => row % STRIDE === 0);
  const findSmallLoops = newSmallLoopFinder(columns, rows, STRIDE);
  const copies = [newSegments(), newSegments()] as const;
  return (index, segments, poll) => {
    const copy = copies[index % 2];
    copySegments(segments, copy);
    const layerOf = (nextRow?: NextRow): SpanLayer => ({
      index,
      ...rasteriser.rasterise(copy, models, 1, poll, nextRow),
    });
    return {
      sampled: layerOf(sampledRows),
      smallLoops: () => findSmallLoops(copy),
      rows: (isWanted) => layerOf(nextRows(rows, (row) => isWanted[row] === 1)),
      whole: () => layerOf(),
    };
  };
}

/** Whether every region of a layer is known to touch the layer below. */
export function isCarried(layer: OutlinedLayer, below: OutlinedLayer): boolean {
  const { sampled } = layer;
  const rows = sampled.rowStarts.length - 1;
  const isOpen = new Uint8Array(rows);
  const isTouching = touchingSpans(sampled, below.sampled);
  for (let row = 0; row < rows; row += STRIDE) if (!areMarked(sampled, row, isTouching)) isOpen[row] = 1;
  for (const { first, end } of layer.smallLoops()) isOpen.fill(1, first, end);
  return !isOpen.includes(1) || REACHES.some((reach) => areCarried(isOpen, reach, layer, below));
}

/** Whether the spans of the open rows of a layer touch the layer below, or lead to a span that does within `reach` rows. */
function areCarried(isOpen: Uint8Array, reach: number, layer: OutlinedLayer, below: OutlinedLayer): boolean {
  const isWanted = new Uint8Array(isOpen.length);
  isOpen.forEach((open, row) => {
    if (open === 1) isWanted.fill(1, Math.max(0, row - reach), row + reach + 1);
  });
  const around = layer.rows(isWanted);
  const isMarked = touchingSpans(around, below.rows(isWanted));
  return spreadMarks(around, isMarked) || isOpen.every((open, row) => open === 0 || areMarked(around, row, isMarked));
}

function areMarked({ rowStarts }: SpanLayer, row: number, isMarked: Uint8Array): boolean {
  for (let span = rowStarts[row]; span < rowStarts[row + 1]; span++) if (isMarked[span] === 0) return false;
  return true;
}
