import { memoize } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { type SpanGrid, type SpanLayer, connectedRegions, spreadMarks, touchingSpans } from "../geometry/spans.ts";
import { cutLayers } from "../slice/cut-layers.ts";
import { stackOnGrid } from "../slice/span-layers.ts";
import type { Stack } from "../slice/stack.ts";
import { type BodyGroup, bareBody, groupGrid } from "./body-group.ts";
import { type OutlinedLayer, isCarried, newOutliner } from "./carried-layer.ts";
import { type ChunkedCheck, checkWhole } from "./chunked-check.ts";
import { type LayerRegion, layerRegions, packRegions, regionOverlaps, unpackRegions } from "./layer-region.ts";
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

interface MinimumRequest {
  readonly group: BodyGroup;
}

/**
 * The minima of each model of a group: regions of a layer that begin in mid-air. A region that another body or a support carries is
 * not a minimum (interface supplement, section 7, "minima").
 */
export const minimaCheck: ChunkedCheck<MinimumRequest, readonly LayerRegion[], ModelMinima[]> = {
  prepare({ group }, progress) {
    const { bodies, boundariesMm } = group;
    if (bodies.every(({ isSupport }) => isSupport)) return [];
    const placed = bodies.map(bareBody);
    return [stackOnGrid({ placed, boundariesMm, grid: gridOf(group) }, progress)];
  },
  examine: ({ stacks: [stack] }, chunk, poll) => minimaOfChunk(stack, chunk, poll),
  pack: packRegions,
  unpack: unpackRegions,
  conclude({ request: { group } }, parts, progress) {
    const { bodies, modelCount } = group;
    const found = Array.from({ length: modelCount }, (): LayerRegion[] => []);
    const grid = gridOf(group);
    const minima = [...parts(progress.part(0, MINIMA_SHARE))].flat();
    const overlaps =
      bodies.length > 1 ? regionOverlaps(minima, group, grid, progress.part(MINIMA_SHARE, PLACES_SHARE)) : undefined;
    minima.forEach((region, i) => {
      const own = overlaps?.subarray(i * bodies.length, (i + 1) * bodies.length) ?? [1];
      if (bodies.some(({ isSupport }, body) => isSupport && own[body] > 0)) return;
      found[bodies[own.indexOf(Math.max(...own))].model].push(region);
    });
    return found.map((regions, model) => ({
      minima: regions.length,
      places: minimumPlaces(regions.slice(0, MAX_PARTS), { group, model, grid }, progress.part(PLACES_SHARE, 1)),
    }));
  },
};

export const findModelMinima = (group: BodyGroup, progress: Progress): ModelMinima[] =>
  checkWhole(minimaCheck, { group }, progress);

const gridOf = (group: BodyGroup): SpanGrid => groupGrid(group, MINIMA_PIXEL_MM);

/**
 * The minima of the union of the bodies of a stack that begin in a chunk, from the lowest layer up: regions of a layer that touch
 * nothing of the layer below, not even at a corner of a pixel. Every pixel that a layer touches is solid, so that thin tips count.
 */
export function minimaOfChunk(stack: Stack, chunk: number, poll: () => void): LayerRegion[] {
  const outlining = outliningOf(stack);
  const { outlinesOf, last } = outlining;
  const before = chunk * stack.chunkSize - 1;
  let below = last?.sampled.index === before ? last : undefined;
  // Until the end: an outliner keeps two layers.
  outlining.last = undefined;
  if (!below && chunk > 0) {
    for (const { index, segments } of cutLayers(stack, chunk - 1, poll, { from: before, end: before + 1 })) {
      below = outlinesOf(index, segments, poll);
    }
  }
  const found: LayerRegion[] = [];
  for (const { index, segments } of cutLayers(stack, chunk, poll)) {
    const layer = outlinesOf(index, segments, poll);
    if (below && !isCarried(layer, below)) found.push(...unsupportedRegions(layer.whole(), below.whole()));
    below = layer;
  }
  outlining.last = below;
  return found;
}

/** The outliner of a stack, and its last layer, with which the next chunk begins if the same thread examines it. */
interface Outlining {
  readonly outlinesOf: ReturnType<typeof newOutliner>;
  last?: OutlinedLayer | undefined;
}

const outliningOf = memoize(({ grid, solidOf }: Stack): Outlining => {
  const [columns, rows] = grid.pixels;
  return { outlinesOf: newOutliner({ columns, rows }, solidOf.length) };
});

function unsupportedRegions(layer: SpanLayer, below: SpanLayer): Iterable<LayerRegion> {
  const isTouching = touchingSpans(layer, below);
  if (spreadMarks(layer, isTouching)) return [];
  const regions = connectedRegions(layer, "CORNERS");
  const isSupported = new Uint8Array(regions.count);
  regions.regionOf.forEach((region, span) => (isSupported[region] |= isTouching[span]));
  return layerRegions(layer, regions, (region) => isSupported[region] === 0).values();
}
