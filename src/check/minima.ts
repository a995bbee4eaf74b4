import type { Progress } from "../core/progress.ts";
import { type SpanGrid, type SpanLayer, connectedRegions, spreadMarks, touchingSpans } from "../geometry/spans.ts";
import { cutLayers } from "../slice/cut-layers.ts";
import { layersOfChunks } from "../slice/span-layers.ts";
import type { PlacedMesh } from "../mesh/placed-mesh.ts";
import { type BodyGroup, groupGrid } from "./body-group.ts";
import { type OutlinedLayer, isCarried, newOutliner } from "./carried-layer.ts";
import { type LayerRegion, layerRegions, regionOverlaps } from "./layer-region.ts";
import { minimumPlaces } from "./minimum-places.ts";
import { MAX_PARTS, type FindingPlace } from "./finding-place.ts";

/** About the pixel size of the printers, so that regions that are separate in print are separate here. */
export const MINIMA_PIXEL_MM = 0.05;

/** Share of the progress at which the minima of a group are found, but not yet their models. */
const MINIMA_SHARE = 0.6;
/** Share of the progress at which their models are found, but not yet their places. */
const PLACES_SHARE = 0.95;

/** The minima of a model. */
export interface ModelMinima {
  readonly minima: number;
  /** From the lowest up: a vertex at which each minimum begins, and its first layer. */
  readonly places: readonly FindingPlace[];
}

/**
 * The minima of each model of a group: regions of a layer that begin in mid-air. A region that another body or a support carries is
 * not a minimum (interface supplement, section 7, "minima").
 */
export function findModelMinima(group: BodyGroup, progress: Progress): ModelMinima[] {
  const { bodies, modelCount, boundariesMm } = group;
  const found = Array.from({ length: modelCount }, (): LayerRegion[] => []);
  const grid = groupGrid(group, MINIMA_PIXEL_MM);
  if (bodies.some(({ isSupport }) => !isSupport)) {
    const placed = bodies.map((body) => body.placed);
    const minima = findMinima(placed, boundariesMm, grid, progress.part(0, MINIMA_SHARE));
    const overlaps =
      bodies.length > 1 ? regionOverlaps(minima, group, grid, progress.part(MINIMA_SHARE, PLACES_SHARE)) : undefined;
    minima.forEach((region, i) => {
      const own = overlaps?.subarray(i * bodies.length, (i + 1) * bodies.length) ?? [1];
      if (bodies.some(({ isSupport }, body) => isSupport && own[body] > 0)) return;
      found[bodies[own.indexOf(Math.max(...own))].model].push(region);
    });
  }
  return found.map((regions, model) => ({
    minima: regions.length,
    places: minimumPlaces(regions.slice(0, MAX_PARTS), { group, model, grid }, progress.part(PLACES_SHARE, 1)),
  }));
}

/**
 * The minima of the union of bodies, from the lowest layer up: regions of a layer that touch nothing of the layer
 * below, not even at a corner of a pixel. Every pixel that a layer touches is solid, so that thin tips count.
 */
export function findMinima(
  placed: readonly PlacedMesh[],
  boundariesMm: Float64Array,
  grid: SpanGrid,
  progress: Progress,
): LayerRegion[] {
  let below: OutlinedLayer | undefined;
  const outlinesOf = newOutliner(grid, placed.length);
  const layers = layersOfChunks({ placed, boundariesMm, grid }, progress, function* (stack, chunk, poll) {
    for (const { index, segments } of cutLayers(stack, chunk, poll)) {
      const layer = outlinesOf(index, segments, poll);
      const minima = below && !isCarried(layer, below) ? unsupportedRegions(layer.whole(), below.whole()) : [];
      below = layer;
      yield { index, minima };
    }
  });
  return [...layers].flatMap(({ minima }) => [...minima]);
}

function unsupportedRegions(layer: SpanLayer, below: SpanLayer): Iterable<LayerRegion> {
  const isTouching = touchingSpans(layer, below);
  if (spreadMarks(layer, isTouching)) return [];
  const regions = connectedRegions(layer, "CORNERS");
  const isSupported = new Uint8Array(regions.count);
  regions.regionOf.forEach((region, span) => (isSupported[region] |= isTouching[span]));
  return layerRegions(layer, regions, (region) => isSupported[region] === 0).values();
}
