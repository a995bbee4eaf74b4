import type { Box } from "../core/geometry.ts";
import type { Watch } from "../core/watch.ts";
import type { Placed } from "../slice/placed.ts";
import { regionsOf, touchesOf } from "../slice/regions.ts";
import { type SpanGrid, spanGridOver, type SpanLayer, spanLayers } from "../slice/span-layers.ts";
import type { CheckRequest } from "./body.ts";
import type { Cluster } from "./cluster.ts";
import { countPerModel } from "./count-per-model.ts";
import { coversOf } from "./covers.ts";
import { type Patch, patchesOf } from "./patch.ts";

/**
 * Where a body begins in the air: a region of a layer that touches nothing of the layer below. What lies less than a pixel
 * apart touches, be it at a corner.
 */
export interface Minimum {
  /** Counting from the platform. */
  readonly layer: number;
  /** Scene coordinates of the place within the region that lies nearest to its middle. */
  readonly xMm: number;
  readonly yMm: number;
  /** Of all pixels that the region touches. */
  readonly areaMm2: number;
}

/** About that of the printers: what is apart for them is apart here. */
const PIXEL_MM = 0.05;

/** The minima of bodies that stand within `box`, from the lowest up, as if they stood alone. */
export function minimaOf(placed: readonly Placed[], boundariesMm: Float64Array, box: Box, watch: Watch): Minimum[] {
  const grid = spanGridOver(box, PIXEL_MM);
  return beginningsOf(placed, boundariesMm, grid, watch).map((patch) => minimumOf(patch, grid));
}

/** How many minima each model of a scene has. What another body carries, or supports touch, is none. */
export const countMinima = (request: CheckRequest, watch: Watch): number[] =>
  countPerModel(request, PIXEL_MM, modelsOfMinima, watch);

/** Share of the progress at which the minima of a cluster are found, and whose they are is not. */
const FOUND = 0.6;

function modelsOfMinima(cluster: Cluster, watch: Watch): number[] {
  const { bodies, boundariesMm, box } = cluster;
  const grid = spanGridOver(box, PIXEL_MM);
  const placed = bodies.map((body) => body.placed);
  const patches = beginningsOf(placed, boundariesMm, grid, watch.part(0, FOUND));
  if (bodies.length === 1) return bodies[0].isSupport ? [] : patches.map(() => bodies[0].model);
  const covers = coversOf(patches, cluster, grid, watch.part(FOUND, 1));
  return patches.flatMap((_, i) => {
    const own = covers.subarray(i * bodies.length, (i + 1) * bodies.length);
    if (bodies.some(({ isSupport }, body) => isSupport && own[body] > 0)) return [];
    return [bodies[own.indexOf(Math.max(...own))].model];
  });
}

function beginningsOf(placed: readonly Placed[], boundariesMm: Float64Array, grid: SpanGrid, watch: Watch): Patch[] {
  const found: Patch[] = [];
  let below: SpanLayer | undefined;
  // Thin tips must count: all that a layer touches is solid.
  for (const layer of spanLayers({ placed, boundariesMm, grid, least: 1 }, watch)) {
    if (below) {
      const regions = regionsOf(layer, "CORNERS");
      const isCarried = new Uint8Array(regions.count);
      touchesOf(layer, below, (span) => (isCarried[regions.regionOf[span]] = 1));
      found.push(...patchesOf(layer, regions, (region) => isCarried[region] === 0).values());
    }
    below = layer;
  }
  return found;
}

function minimumOf({ layer, spans }: Patch, { pixelMm, leftMm, backMm }: SpanGrid): Minimum {
  let [pixels, sumX, sumY] = [0, 0, 0];
  for (const { row, start, end } of spans) {
    pixels += end - start;
    sumX += ((end - start) * (start + end)) / 2;
    sumY += (end - start) * (row + 0.5);
  }
  const [middleX, middleY] = [sumX / pixels, sumY / pixels];
  let [x, y, least] = [0, 0, Infinity];
  for (const { row, start, end } of spans) {
    const nearest = Math.min(end - 0.5, Math.max(start + 0.5, middleX));
    const away = (nearest - middleX) ** 2 + (row + 0.5 - middleY) ** 2;
    if (away < least) [x, y, least] = [nearest, row + 0.5, away];
  }
  return { layer, xMm: leftMm + x * pixelMm, yMm: backMm - y * pixelMm, areaMm2: pixels * pixelMm * pixelMm };
}
