import type { Progress } from "../core/progress.ts";
import type { Box } from "../geometry/box.ts";
import type { SpanGrid, SpanLayer, SpanRegions } from "../geometry/spans.ts";
import { spanLayers } from "../slice/span-layers.ts";
import type { Cluster } from "./cluster.ts";

/** A set of pixels of one layer, as spans in the order of their rows. */
export interface LayerRegion {
  readonly layer: number;
  readonly spans: readonly RegionSpan[];
}

interface RegionSpan {
  readonly row: number;
  readonly start: number;
  /** The column after the last. */
  readonly end: number;
}

/** The regions of a layer that `isWanted` accepts, by their indices. */
export function layerRegions(
  { index, rowStarts, starts, ends }: SpanLayer,
  { regionOf }: SpanRegions,
  isWanted: (region: number) => boolean,
): Map<number, LayerRegion> {
  const found = new Map<number, { layer: number; spans: RegionSpan[] }>();
  for (let row = 0; row + 1 < rowStarts.length; row++) {
    for (let span = rowStarts[row]; span < rowStarts[row + 1]; span++) {
      const number = regionOf[span];
      if (!isWanted(number)) continue;
      const region = found.get(number) ?? { layer: index, spans: [] };
      region.spans.push({ row, start: starts[span], end: ends[span] });
      found.set(number, region);
    }
  }
  return found;
}

/**
 * The number of pixels that each body of a cluster touches of each region: entry `bodies.length · region + body`. Only
 * the bodies and layers that a region may meet are rasterised.
 */
export function regionOverlaps(
  regions: readonly LayerRegion[],
  cluster: Cluster,
  grid: SpanGrid,
  progress: Progress,
): Float64Array {
  const { bodies, boundariesMm } = cluster;
  const overlaps = new Float64Array(regions.length * bodies.length);
  bodies.forEach(({ placed, box }, body) => {
    const part = progress.part(body / bodies.length, (body + 1) / bodies.length);
    part.report(0);
    const window = windowOver(box, grid);
    const near = [...regions.keys()].filter((i) => mayMeet(regions[i], window, box, boundariesMm));
    if (near.length === 0) return;
    const byLayer = Map.groupBy(near, (i) => regions[i].layer);
    const first = Math.min(...byLayer.keys());
    const range = boundariesMm.slice(first, Math.max(...byLayer.keys()) + 2);
    const request = { placed: [placed], boundariesMm: range, grid: window.grid, minCoverage: 1 };
    for (const layer of spanLayers(request, part)) {
      for (const i of byLayer.get(first + layer.index) ?? []) {
        overlaps[i * bodies.length + body] = overlapPixels(regions[i], layer, window);
      }
    }
  });
  return overlaps;
}

/** A rectangle of a grid and its first column and row in it. */
interface Window {
  readonly grid: SpanGrid;
  readonly column: number;
  readonly row: number;
}

/** The part of a grid that a body may touch. */
function windowOver({ min, max }: Box, { columns, rows, pixelMm, leftMm, backMm }: SpanGrid): Window {
  const clamped = (pixels: number, most: number): number => Math.min(most, Math.max(0, Math.floor(pixels)));
  const column = clamped((min[0] - leftMm) / pixelMm - 1, columns - 1);
  const row = clamped((backMm - max[1]) / pixelMm - 1, rows - 1);
  const grid = {
    columns: clamped((max[0] - leftMm) / pixelMm + 2, columns) - column,
    rows: clamped((backMm - min[1]) / pixelMm + 2, rows) - row,
    pixelMm,
    leftMm: leftMm + column * pixelMm,
    backMm: backMm - row * pixelMm,
  };
  return { grid, column, row };
}

function mayMeet(
  { layer, spans }: LayerRegion,
  { row, column, grid }: Window,
  { min, max }: Box,
  boundariesMm: Float64Array,
): boolean {
  if (boundariesMm[layer + 1] < min[2] || boundariesMm[layer] > max[2]) return false;
  const isInRows = (at: number): boolean => at >= row && at < row + grid.rows;
  return spans.some((span) => isInRows(span.row) && span.end > column && span.start < column + grid.columns);
}

/** Pixels of a region that are solid in a layer of a window. */
function overlapPixels({ spans }: LayerRegion, { rowStarts, starts, ends }: SpanLayer, window: Window): number {
  let pixels = 0;
  for (const span of spans) {
    const row = span.row - window.row;
    if (row < 0 || row >= window.grid.rows) continue;
    const [start, end] = [span.start - window.column, span.end - window.column];
    for (let i = rowStarts[row]; i < rowStarts[row + 1] && starts[i] < end; i++) {
      pixels += Math.max(0, Math.min(ends[i], end) - Math.max(starts[i], start));
    }
  }
  return pixels;
}
