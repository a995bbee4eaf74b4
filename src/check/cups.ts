import { must } from "../core/must.ts";
import type { Progress } from "../core/progress.ts";
import type { SpanGrid } from "../geometry/spans.ts";
import { rasteriseChunkSpans } from "../slice/rasterise-chunk.ts";
import { stackOnGrid } from "../slice/span-layers.ts";
import { midHeightsMm } from "../slice/layer-heights.ts";
import { type Stack, layersOfChunk } from "../slice/stack.ts";
import { type BodyGroup, groupGrid } from "./body-group.ts";
import { type ChunkedCheck, checkWhole } from "./chunked-check.ts";
import { type LayerRegion, layerRegions, placeOfRegion, regionOverlaps } from "./layer-region.ts";
import { MAX_PARTS, type FindingPlace } from "./finding-place.ts";
import {
  type EmptyLayer,
  type EmptyRegions,
  type Pocket,
  emptyLayer,
  emptyRegionsOf,
  findPockets,
  packEmptyRegions,
  unpackEmptyRegions,
} from "../geometry/pockets.ts";

// A cup is a maximal connected part of the empty space that is sealed between platform, part and film while some layer is printed: the
// platform closes the empty space from below, the film closes it above each layer in turn, and only space connected to the air around
// the part is open. A space that a later layer opens is a cup until then. Closed cavities are cups too.
//
// This file finds the cups of the true layers of a group of bodies. orient/sealed-air.ts compares the cups of one part over many
// directions, on coarse voxels and without closed cavities, which no direction opens; test/check/cups-agree.test.ts compares the two.

/** Smaller pockets are not cups (interface supplement, section 7, "cups"). */
export const MIN_CUP_MM3 = 1;

/** Finer than the thinnest wall that prints, so that no wall leaks; ten pixels across a vent of 1 mm. */
export const PIXEL_MM = 0.1;

/** Coverage, of 255, from which a pixel is solid: half of it, so that walls keep their thickness and pockets their volume. */
const HALF_COVERED = 128;

/**
 * Shift of the grid, in pixels. Walls mostly are at round distances from the sides of their body. On a shifted grid they do not cover
 * pixels by exactly a half, so the space between them keeps its size.
 */
const GRID_SHIFT = 0.15;

/** Share of the progress at which the pockets of a group are found, but not yet their models. */
const POCKETS_SHARE = 0.6;
/** Share of the progress at which the widest layers of the pockets are known. */
const WIDEST_SHARE = 0.7;

/** The cups of a model. */
export interface ModelCups {
  readonly cups: number;
  /** The widest layer of each cup, with the volume of the cup in mm³ as the size. */
  readonly places: readonly FindingPlace[];
}

interface CupRequest {
  readonly group: BodyGroup;
}

/** A pocket that is large enough to be a cup. */
interface Cup {
  readonly volumeMm3: number;
  readonly widest: LayerRegion;
}

/** The cups of each model of a group. A cup between several models counts for the model with the longest wall of it. */
export const cupsCheck: ChunkedCheck<CupRequest, readonly EmptyRegions[], ModelCups[]> = {
  prepare({ group }, progress) {
    const placed = group.bodies.map((body) => body.placed);
    return [stackOnGrid({ placed, boundariesMm: group.boundariesMm, grid: cupGrid(group) }, progress)];
  },
  examine: ({ stacks: [stack] }, chunk, poll) => emptyRegionsOfChunk(stack, chunk, poll),
  pack: packEmptyRegions,
  unpack: unpackEmptyRegions,
  conclude({ request: { group }, stacks: [stack] }, parts, progress) {
    const { boundariesMm } = group;
    const grid = cupGrid(group);
    function* layers(): Generator<EmptyRegions> {
      for (const part of parts(progress.part(0, POCKETS_SHARE))) yield* part;
    }
    const pockets = findPockets(layers(), boundariesMm, PIXEL_MM).filter(({ volumeMm3 }) => volumeMm3 >= MIN_CUP_MM3);
    const cups = cupsOf(pockets, stack, progress.part(POCKETS_SHARE, WIDEST_SHARE));
    const heightsMm = midHeightsMm(boundariesMm);
    return cupsOfModels(cups, group, grid, progress.part(WIDEST_SHARE, 1)).map((own) => ({
      cups: own.length,
      places: own
        .toSorted((a, b) => b.volumeMm3 - a.volumeMm3)
        .slice(0, MAX_PARTS)
        .map(({ widest, volumeMm3 }) => placeOfRegion(widest, grid, heightsMm[widest.layer], volumeMm3)),
    }));
  },
};

export const findCups = (group: BodyGroup, progress: Progress): ModelCups[] =>
  checkWhole(cupsCheck, { group }, progress);

/** The grid in which the cups of a group are found. */
export const cupGrid = (group: BodyGroup): SpanGrid => groupGrid(group, PIXEL_MM, GRID_SHIFT * PIXEL_MM);

function emptyRegionsOfChunk(stack: Stack, chunk: number, poll: () => void): EmptyRegions[] {
  const before = chunk * stack.chunkSize - 1;
  const last = lastLayers.get(stack);
  const [below] =
    last?.empty.index === before ? [last] : chunk > 0 ? emptyLayers(stack, chunk - 1, poll, [before]) : [];
  const layers = [...emptyLayers(stack, chunk, poll)];
  const top = layers.at(-1);
  if (top) lastLayers.set(stack, top);
  return [...emptyRegionsOf(layers, stack.grid.pixels[0], below)];
}

/** The last layer of each stack that was examined: the next chunk begins with it if the same thread examines it. */
const lastLayers = new WeakMap<Stack, EmptyLayer>();

/** The empty space of `layers` of a chunk; of all of them if absent. */
export function* emptyLayers(
  stack: Stack,
  chunk: number,
  poll: () => void,
  layers?: readonly number[],
): Generator<EmptyLayer> {
  for (const layer of rasteriseChunkSpans(stack, chunk, HALF_COVERED, poll, layers)) {
    yield emptyLayer(layer, stack.grid.pixels[0]);
  }
}

/** The pockets with the spans of their widest regions. These layers are rasterised again: to keep the spans of all takes much memory. */
function cupsOf(pockets: readonly Pocket[], stack: Stack, progress: Progress): Cup[] {
  const byLayer = Map.groupBy(pockets, ({ widest }) => widest.layer);
  const widestOf = new Map<Pocket, LayerRegion>();
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) {
    const layers = layersOfChunk(stack, chunk).filter((layer) => byLayer.has(layer));
    if (layers.length === 0) continue;
    const poll = (): void => progress.report(chunk / stack.chunkCount);
    for (const { empty, regions } of emptyLayers(stack, chunk, poll, layers)) {
      const own = new Map((byLayer.get(empty.index) ?? []).map((pocket) => [pocket.widest.region, pocket]));
      for (const [region, widest] of layerRegions(empty, regions, (one) => own.has(one))) {
        // Every region is one that `own` has, and belongs to one pocket.
        widestOf.set(own.get(region)!, widest);
      }
    }
  }
  return pockets.map((pocket) => ({
    volumeMm3: pocket.volumeMm3,
    widest: must(widestOf.get(pocket), "A widest region"),
  }));
}

function cupsOfModels(cups: readonly Cup[], group: BodyGroup, grid: SpanGrid, progress: Progress): Cup[][] {
  const { bodies, modelCount } = group;
  if (modelCount === 1) return [[...cups]];
  const found = Array.from({ length: modelCount }, (): Cup[] => []);
  const rims = cups.map(({ widest }) => rimOf(widest));
  const overlaps = regionOverlaps(rims, group, grid, progress);
  cups.forEach((cup, i) => {
    const wallPixels = found.map(() => 0);
    bodies.forEach(({ model }, body) => (wallPixels[model] += overlaps[i * bodies.length + body]));
    found[wallPixels.indexOf(Math.max(...wallPixels))].push(cup);
  });
  return found;
}

/**
 * The pixels around a region, and some pixels of the region: each span one pixel longer at both ends, with copies one row before and
 * after.
 */
const rimOf = ({ layer, spans }: LayerRegion): LayerRegion => ({
  layer,
  spans: spans.flatMap(({ row, start, end }) => [
    { row, start: start - 1, end: end + 1 },
    { row: row - 1, start, end },
    { row: row + 1, start, end },
  ]),
});
