import type { Watch } from "../core/watch.ts";
import { type SpanGrid, spanGridOver, spanLayers } from "../slice/span-layers.ts";
import type { CheckRequest } from "./body.ts";
import type { Cluster } from "./cluster.ts";
import { countPerModel } from "./count-per-model.ts";
import { coversOf } from "./covers.ts";
import { type Pocket, pocketsOf } from "./cups/pockets.ts";
import type { Patch } from "./patch.ts";

/** Smaller pockets are none (interface supplement, section 7, "cups"). */
const LEAST_CUP_MM3 = 1;

/** Finer than the thinnest wall that prints, so that none leaks; a vent of 1 mm has ten of them across. */
const PIXEL_MM = 0.1;

/** A pixel is solid when half of it is: so walls keep their thickness, and pockets their volume. */
const HALF = 128;

/**
 * Walls mostly lie at even measures from the sides of their body. On a grid that begins a little beside it they cover no pixel
 * by exactly a half, and what lies between them keeps its size. In pixels.
 */
const ASIDE = 0.15;

/** How many cups each model of a scene has. One between several models is that of whose wall is the longest about it. */
export const countCups = (request: CheckRequest, watch: Watch): number[] =>
  countPerModel(request, PIXEL_MM, modelsOfCups, watch);

/** Share of the progress at which the cups of a cluster are found, and whose they are is not. */
const FOUND = 0.6;

function modelsOfCups(cluster: Cluster, watch: Watch): number[] {
  const grid = gridOver(cluster);
  const cups = cupsOf(cluster, grid, watch.part(0, FOUND));
  if (cluster.models.length === 1) return cups.map(() => 0);
  const { bodies, models } = cluster;
  const rims = cups.map(({ widest }) => rimOf(widest));
  const covers = coversOf(rims, cluster, grid, watch.part(FOUND, 1));
  return rims.map((_, i) => {
    const sides = models.map(() => 0);
    bodies.forEach(({ model }, body) => (sides[model] += covers[i * bodies.length + body]));
    return sides.indexOf(Math.max(...sides));
  });
}

function cupsOf({ bodies, boundariesMm }: Cluster, grid: SpanGrid, watch: Watch): Pocket[] {
  const placed = bodies.map((body) => body.placed);
  const layers = spanLayers({ placed, boundariesMm, grid, least: HALF }, watch);
  return pocketsOf(layers, boundariesMm, grid).filter(({ volumeMm3 }) => volumeMm3 >= LEAST_CUP_MM3);
}

function gridOver({ box }: Cluster): SpanGrid {
  const grid = spanGridOver(box, PIXEL_MM);
  return { ...grid, leftMm: grid.leftMm - ASIDE * PIXEL_MM, backMm: grid.backMm + ASIDE * PIXEL_MM };
}

/** What lies beside the pixels of a patch: in rows to their left and right, in columns before and behind them. */
const rimOf = ({ layer, spans }: Patch): Patch => ({
  layer,
  spans: spans.flatMap(({ row, start, end }) => [
    { row, start: start - 1, end: end + 1 },
    { row: row - 1, start, end },
    { row: row + 1, start, end },
  ]),
});
