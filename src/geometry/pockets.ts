import { toSharedMemory } from "../core/typed-arrays.ts";
import { newDisjointSets } from "./disjoint-sets.ts";
import {
  type SpanLayer,
  type SpanRegions,
  connectedRegions,
  forOverlappingSpans,
  invertSpans,
  regionPixels,
} from "./spans.ts";

/** The connected regions of the empty space of a layer, by their indices, as far as pockets depend on them. */
export interface EmptyRegions {
  readonly layer: number;
  readonly pixels: ArrayLike<number>;
  /** 1 for a region that reaches the rim of the grid. */
  readonly isOpen: ArrayLike<number>;
  /** Pairs: a region of the layer below, and a region that shares a pixel with it. A pair may be there more than once. */
  readonly links: ArrayLike<number>;
}

/** A sealed part of the empty space of the layers so far. */
export interface Pocket {
  readonly volumeMm3: number;
  /** The layer and the index of its largest region in one layer. */
  readonly widest: { readonly layer: number; readonly region: number };
  readonly widestPixels: number;
  /** A region in its lowest layer. */
  readonly lowest: { readonly layer: number; readonly region: number };
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

/** The space of each region of the last layer. */
interface Front {
  readonly spaceOf: Uint32Array;
  readonly spaces: readonly AirSpace[];
}

/** The empty pixels of a layer, and their connected regions. */
export interface EmptyLayer {
  readonly empty: SpanLayer;
  readonly regions: SpanRegions;
}

export function emptyLayer(layer: SpanLayer, columns: number): EmptyLayer {
  const empty = invertSpans(layer, columns);
  return { empty, regions: connectedRegions(empty) };
}

/** The empty regions of layers from the lowest up, above the layer `below` if there is one; `columns` of their grid. */
export function* emptyRegionsOf(
  layers: Iterable<EmptyLayer>,
  columns: number,
  below?: EmptyLayer,
): Generator<EmptyRegions> {
  let last = below;
  for (const layer of layers) {
    const { empty, regions } = layer;
    yield {
      layer: empty.index,
      pixels: regionPixels(empty, regions),
      isOpen: openRegions(empty, regions, columns),
      links: last ? linksBetween(layer, last) : [],
    };
    last = layer;
  }
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

/** Layers as numbers, which {@link unpackEmptyRegions} reads. */
export function packEmptyRegions(layers: readonly EmptyRegions[]): Uint32Array {
  const numbers = layers.flatMap(({ layer, pixels, isOpen, links }) => [
    layer,
    pixels.length,
    links.length,
    ...[pixels, isOpen, links].flatMap((of) => Array.from(of)),
  ]);
  return toSharedMemory(Uint32Array.from(numbers));
}

export function unpackEmptyRegions(packed: Uint32Array): EmptyRegions[] {
  const layers: EmptyRegions[] = [];
  let at = 0;
  const next = (count: number): Uint32Array => packed.subarray(at, (at += count));
  while (at < packed.length) {
    const [layer, regions, links] = next(3);
    layers.push({ layer, pixels: next(regions), isOpen: next(regions), links: next(links) });
  }
  return layers;
}

function linksBetween({ empty, regions }: EmptyLayer, below: EmptyLayer): number[] {
  const links: number[] = [];
  /** The region below of the last link of each region, plus 1: most spans of a region are above the same one. */
  const lastBelow = new Uint32Array(regions.count);
  forOverlappingSpans(empty, below.empty, (span, other) => {
    const region = regions.regionOf[span];
    const regionBelow = below.regions.regionOf[other];
    if (lastBelow[region] === regionBelow + 1) return;
    lastBelow[region] = regionBelow + 1;
    links.push(regionBelow, region);
  });
  return links;
}

/**
 * The pockets of a stack of layers. A space is sealed until it reaches the rim of the grid; a pocket that a later layer opens keeps
 * the volume that it had until then.
 */
export function findPockets(layers: Iterable<EmptyRegions>, boundariesMm: Float64Array, pixelMm: number): Pocket[] {
  const found: Pocket[] = [];
  let front: Front = { spaceOf: new Uint32Array(), spaces: [] };
  for (const layer of layers) {
    const thicknessMm = boundariesMm[layer.layer + 1] - boundariesMm[layer.layer];
    front = addLayer(front, layer, pixelMm * pixelMm * thicknessMm, found);
  }
  for (const { pocket } of front.spaces) if (pocket) found.push(pocket);
  return found;
}

/** Adds the empty space of a layer. Pockets that end below the layer, or that it opens, are added to `found`. */
function addLayer(front: Front, empty: EmptyRegions, mm3PerPixel: number, found: Pocket[]): Front {
  const { layer, pixels, isOpen } = empty;
  const newPocket = (region: number): Pocket => ({
    volumeMm3: pixels[region] * mm3PerPixel,
    widest: { layer, region },
    widestPixels: pixels[region],
    lowest: { layer, region },
  });
  const spaceOf = new Uint32Array(pixels.length);
  const spaces: AirSpace[] = [];
  for (const component of components(front, empty)) {
    const isSealed = isSealedComponent(component, isOpen);
    const pockets = component.spaces.flatMap(({ pocket }) => pocket ?? []);
    if (component.regions.length === 0 || !isSealed) found.push(...pockets);
    if (component.regions.length === 0) continue;
    for (const region of component.regions) spaceOf[region] = spaces.length;
    const joined = (): Pocket => [...pockets, ...component.regions.map(newPocket)].reduce(union);
    spaces.push({ pocket: isSealed ? joined() : undefined });
  }
  return { spaceOf, spaces };
}

const isSealedComponent = ({ spaces, regions }: Component, isOpen: ArrayLike<number>): boolean =>
  spaces.every(({ pocket }) => pocket) && regions.every((region) => isOpen[region] === 0);

const union = (a: Pocket, b: Pocket): Pocket => ({
  ...(b.widestPixels > a.widestPixels ? b : a),
  volumeMm3: a.volumeMm3 + b.volumeMm3,
  lowest: b.lowest.layer < a.lowest.layer ? b.lowest : a.lowest,
});

/** The connected components of the spaces so far and the regions of the next layer. */
function components({ spaceOf, spaces }: Front, { pixels, links }: EmptyRegions): Component[] {
  const sets = newDisjointSets(spaces.length + pixels.length);
  for (let i = 0; i < links.length; i += 2) sets.join(spaces.length + links[i + 1], spaceOf[links[i]]);
  const found = new Map<number, Component>();
  for (let member = 0; member < spaces.length + pixels.length; member++) {
    const root = sets.find(member);
    const component = found.get(root) ?? { spaces: [], regions: [] };
    found.set(root, component);
    if (member < spaces.length) component.spaces.push(spaces[member]);
    else component.regions.push(member - spaces.length);
  }
  return [...found.values()];
}
