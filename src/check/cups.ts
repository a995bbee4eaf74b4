import type { Progress } from "../core/progress.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import {
  type SpanGrid,
  type SpanLayer,
  type SpanRegions,
  connectedRegions,
  forOverlappingSpans,
  invertSpans,
  regionPixels,
} from "../geometry/spans.ts";
import { spanLayers } from "../slice/span-layers.ts";
import { midHeightsMm } from "../slice/layer-heights.ts";
import { type BodyGroup, groupGrid } from "./body-group.ts";
import { type LayerRegion, layerRegions, placeOfRegion, regionOverlaps } from "./layer-region.ts";
import { MAX_PARTS, type FindingPlace } from "./finding-place.ts";

// A cup is a maximal connected part of the empty space that is sealed between platform, part and film while some layer is printed: the
// platform closes the empty space from below, the film closes it above each layer in turn, and only space connected to the air around
// the part is open. A space that a later layer opens is a cup until then. Closed cavities are cups too.
//
// This file finds the cups of the true layers of a group of bodies. orient/sealed-air.ts compares the cups of one part over many
// directions, on coarse voxels and without closed cavities, which no direction opens; test/check/cups-agree.test.ts compares the two.

/** Smaller pockets are not cups (interface supplement, section 7, "cups"). */
const MIN_CUP_MM3 = 1;

/** Finer than the thinnest wall that prints, so that no wall leaks; ten pixels across a vent of 1 mm. */
const PIXEL_MM = 0.1;

/** Coverage, of 255, from which a pixel is solid: half of it, so that walls keep their thickness and pockets their volume. */
const HALF_COVERED = 128;

/**
 * Shift of the grid, in pixels. Walls mostly are at round distances from the sides of their body. On a shifted grid they do not cover
 * pixels by exactly a half, so the space between them keeps its size.
 */
const GRID_SHIFT = 0.15;

/** Share of the progress at which the pockets of a group are found, but not yet their models. */
const POCKETS_SHARE = 0.6;

/** The cups of a model. */
export interface ModelCups {
  readonly cups: number;
  /** The widest layer of each cup, with the volume of the cup in mm³ as the size. */
  readonly places: readonly FindingPlace[];
}

/** The cups of each model of a group. A cup between several models counts for the model with the longest wall of it. */
export function findCups(group: BodyGroup, progress: Progress): ModelCups[] {
  const { bodies, boundariesMm } = group;
  const grid = groupGrid(group, PIXEL_MM, GRID_SHIFT * PIXEL_MM);
  const placed = bodies.map((body) => body.placed);
  const layers = spanLayers({ placed, boundariesMm, grid, minCoverage: HALF_COVERED }, progress.part(0, POCKETS_SHARE));
  const cups = findPockets(layers, boundariesMm, grid).filter(({ volumeMm3 }) => volumeMm3 >= MIN_CUP_MM3);
  const heightsMm = midHeightsMm(boundariesMm);
  return cupsOfModels(cups, group, grid, progress.part(POCKETS_SHARE, 1)).map((own) => ({
    cups: own.length,
    places: own
      .toSorted((a, b) => b.volumeMm3 - a.volumeMm3)
      .slice(0, MAX_PARTS)
      .map(({ widest, volumeMm3 }) => placeOfRegion(widest, grid, heightsMm[widest.layer], volumeMm3)),
  }));
}

function cupsOfModels(cups: readonly Pocket[], group: BodyGroup, grid: SpanGrid, progress: Progress): Pocket[][] {
  const { bodies, modelCount } = group;
  if (modelCount === 1) return [[...cups]];
  const found = Array.from({ length: modelCount }, (): Pocket[] => []);
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

/** A cup of any volume. */
export interface Pocket {
  readonly volumeMm3: number;
  /** Its largest region in one layer. */
  readonly widest: LayerRegion;
  readonly widestPixels: number;
}

/** A connected part of the empty space of the layers so far; open if it has no pocket. */
interface AirSpace {
  readonly pocket: Pocket | undefined;
}

/** Connected spaces of the layers so far and regions of the next layer. */
interface Component {
  readonly spaces: AirSpace[];
  readonly regions: number[];
}

/** The empty space of the last layer: its regions, and the space of each region. */
interface Front {
  readonly empty: SpanLayer;
  readonly regions: SpanRegions;
  readonly spaceOf: Uint32Array;
  readonly spaces: readonly AirSpace[];
}

const NO_FRONT: Front = {
  empty: { index: -1, rowStarts: Uint32Array.of(0), starts: Uint16Array.of(), ends: Uint16Array.of() },
  regions: { count: 0, regionOf: Uint32Array.of() },
  spaceOf: Uint32Array.of(),
  spaces: [],
};

/**
 * The pockets of a stack of layers. A space is sealed until it reaches the rim of the grid; a pocket that a later layer opens keeps
 * the volume that it had until then.
 */
export function findPockets(layers: Iterable<SpanLayer>, boundariesMm: Float64Array, grid: SpanGrid): Pocket[] {
  const found: Pocket[] = [];
  let front = NO_FRONT;
  for (const layer of layers) {
    const thicknessMm = boundariesMm[layer.index + 1] - boundariesMm[layer.index];
    front = addLayer(front, invertSpans(layer, grid.columns), thicknessMm, grid, found);
  }
  for (const { pocket } of front.spaces) if (pocket) found.push(pocket);
  return found;
}

/** Adds the empty space of a layer. Pockets that end below the layer, or that it opens, are added to `found`. */
function addLayer(front: Front, empty: SpanLayer, thicknessMm: number, grid: SpanGrid, found: Pocket[]): Front {
  const regions = connectedRegions(empty);
  const isOpen = openRegions(empty, regions, grid.columns);
  const all = components(front, empty, regions);
  const sealed = new Set(all.filter((component) => isSealed(component, isOpen)));
  const sealedRegions = new Set([...sealed].flatMap((component) => component.regions));
  const regionSpans = layerRegions(empty, regions, (region) => sealedRegions.has(region));
  const pixels = regionPixels(empty, regions);
  const layerMm3 = grid.pixelMm * grid.pixelMm * thicknessMm;
  const newPocket = (region: number): Pocket => ({
    volumeMm3: pixels[region] * layerMm3,
    // Sealed regions have an entry each.
    widest: regionSpans.get(region)!,
    widestPixels: pixels[region],
  });
  const spaceOf = new Uint32Array(regions.count);
  const spaces: AirSpace[] = [];
  for (const component of all) {
    const pockets = component.spaces.flatMap(({ pocket }) => pocket ?? []);
    if (component.regions.length === 0 || !sealed.has(component)) found.push(...pockets);
    if (component.regions.length === 0) continue;
    for (const region of component.regions) spaceOf[region] = spaces.length;
    const joined = (): Pocket => [...pockets, ...component.regions.map(newPocket)].reduce(union);
    spaces.push({ pocket: sealed.has(component) ? joined() : undefined });
  }
  return { empty, regions, spaceOf, spaces };
}

const isSealed = ({ spaces, regions }: Component, isOpen: Uint8Array): boolean =>
  spaces.every(({ pocket }) => pocket) && regions.every((region) => isOpen[region] === 0);

const union = (a: Pocket, b: Pocket): Pocket => ({
  ...(b.widestPixels > a.widestPixels ? b : a),
  volumeMm3: a.volumeMm3 + b.volumeMm3,
});

/** The connected components of the spaces so far and the regions of the next layer. */
function components(front: Front, empty: SpanLayer, regions: SpanRegions): Component[] {
  const { empty: below, regions: regionsBelow, spaceOf, spaces } = front;
  const sets = newDisjointSets(spaces.length + regions.count);
  if (below.starts.length > 0) {
    forOverlappingSpans(empty, below, (span, other) =>
      sets.join(spaces.length + regions.regionOf[span], spaceOf[regionsBelow.regionOf[other]]),
    );
  }
  const found = new Map<number, Component>();
  for (let member = 0; member < spaces.length + regions.count; member++) {
    const root = sets.find(member);
    const component = found.get(root) ?? { spaces: [], regions: [] };
    found.set(root, component);
    if (member < spaces.length) component.spaces.push(spaces[member]);
    else component.regions.push(member - spaces.length);
  }
  return [...found.values()];
}

/** For each region, 1 if it reaches the rim of the grid. */
function openRegions(
  { rowStarts, starts, ends }: SpanLayer,
  { count, regionOf }: SpanRegions,
  columns: number,
): Uint8Array {
  const isOpen = new Uint8Array(count);
  const lastRow = rowStarts.length - 2;
  for (let row = 0; row <= lastRow; row++) {
    for (let span = rowStarts[row]; span < rowStarts[row + 1]; span++) {
      const isAtRim = row === 0 || row === lastRow || starts[span] === 0 || ends[span] === columns;
      if (isAtRim) isOpen[regionOf[span]] = 1;
    }
  }
  return isOpen;
}
