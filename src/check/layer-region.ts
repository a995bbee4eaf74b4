import type { Progress } from "../core/progress.ts";
import { toSharedMemory } from "../core/typed-arrays.ts";
import type { Box } from "../geometry/box.ts";
import type { SpanGrid, SpanLayer, SpanRegions } from "../geometry/spans.ts";
import { spanLayers } from "../slice/span-layers.ts";
import { type BodyGroup, type Window, windowOver } from "./body-group.ts";
import { type FindingPlace, newPlaceFinder } from "./finding-place.ts";

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

/** Regions as numbers, which {@link unpackRegions} reads. */
export function packRegions(regions: readonly LayerRegion[]): Uint32Array {
  const numbers = regions.flatMap(({ layer, spans }) => [
    layer,
    spans.length,
    ...spans.flatMap(({ row, start, end }) => [row, start, end]),
  ]);
  return toSharedMemory(Uint32Array.from(numbers));
}

export function unpackRegions(packed: Uint32Array): LayerRegion[] {
  const regions: LayerRegion[] = [];
  let at = 0;
  const next = (count: number): Uint32Array => packed.subarray(at, (at += count));
  while (at < packed.length) {
    const [layer, count] = next(2);
    const spans = Array.from({ length: count }, () => {
      const [row, start, end] = next(3);
      return { row, start, end };
    });
    regions.push({ layer, spans });
  }
  return regions;
}

/** Maximum number of pixels of a region that are examined. */
const MOST_PIXELS = 16_384;

/** The place of a region in a scene. */
export function placeOfRegion(
  { spans }: LayerRegion,
  { pixelMm, leftMm, backMm }: SpanGrid,
  heightMm: number,
  size: number,
): FindingPlace {
  const pixels = spans.reduce((sum, { start, end }) => sum + end - start, 0);
  const step = Math.ceil(Math.sqrt(pixels / MOST_PIXELS));
  const finder = newPlaceFinder(step * pixelMm);
  for (const { row, start, end } of spans) {
    if ((row - spans[0].row) % step !== 0) continue;
    for (let column = start; column < end; column += step) {
      finder.add(leftMm + (column + 0.5) * pixelMm, backMm - (row + 0.5) * pixelMm, heightMm);
    }
  }
  // A region has pixels, and the first one was added.
  return { ...finder.whole()!, size };
}

/**
 * The number of pixels that each body of a group shares with each region: entry `bodies.length · region + body`. Only the bodies and
 * layers that may meet a region are rasterised.
 */
export function regionOverlaps(
  regions: readonly LayerRegion[],
  { bodies, boundariesMm }: BodyGroup,
  grid: SpanGrid,
  progress: Progress,
): Float64Array {
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
    const isWanted = (layer: number): boolean => byLayer.has(first + layer);
    const request = { placed: [placed], boundariesMm: range, grid: window.grid, minCoverage: 1, isWanted };
    for (const layer of spanLayers(request, part)) {
      for (const i of byLayer.get(first + layer.index) ?? []) {
        overlaps[i * bodies.length + body] = overlapPixels(regions[i], layer, window);
      }
    }
  });
  return overlaps;
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
