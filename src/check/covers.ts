import type { Box } from "../core/geometry.ts";
import type { Watch } from "../core/watch.ts";
import { type SpanGrid, type SpanLayer, spanLayers } from "../slice/span-layers.ts";
import type { Cluster } from "./cluster.ts";
import type { Patch } from "./patch.ts";

/** How many pixels of each patch each body of a cluster touches: entry `bodies.length · patch + body`. */
export function coversOf(patches: readonly Patch[], cluster: Cluster, grid: SpanGrid, watch: Watch): Float64Array {
  const { bodies, boundariesMm } = cluster;
  const covers = new Float64Array(patches.length * bodies.length);
  bodies.forEach(({ placed, box }, body) => {
    const part = watch.part(body / bodies.length, (body + 1) / bodies.length);
    part.report(0);
    const window = windowOver(box, grid);
    const near = [...patches.keys()].filter((i) => mayMeet(patches[i], window, box, boundariesMm));
    if (near.length === 0) return;
    const byLayer = Map.groupBy(near, (i) => patches[i].layer);
    const first = Math.min(...byLayer.keys());
    const between = boundariesMm.slice(first, Math.max(...byLayer.keys()) + 2);
    const request = { placed: [placed], boundariesMm: between, grid: window.grid, least: 1 };
    for (const layer of spanLayers(request, part)) {
      for (const i of byLayer.get(first + layer.index) ?? []) {
        covers[i * bodies.length + body] = coverOf(patches[i], layer, window);
      }
    }
  });
  return covers;
}

function mayMeet(
  { layer, spans }: Patch,
  { row, column, grid }: Window,
  { min, max }: Box,
  boundariesMm: Float64Array,
) {
  if (boundariesMm[layer + 1] < min[2] || boundariesMm[layer] > max[2]) return false;
  const isInRows = (at: number): boolean => at >= row && at < row + grid.rows;
  return spans.some((span) => isInRows(span.row) && span.end > column && span.start < column + grid.columns);
}

/** Some columns and rows of a grid, which begin at those of these numbers. */
interface Window {
  readonly grid: SpanGrid;
  readonly column: number;
  readonly row: number;
}

/** The pixels of a grid that a body may touch. */
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

function coverOf({ spans }: Patch, { rowStarts, starts, ends }: SpanLayer, window: Window): number {
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
