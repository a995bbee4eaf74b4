import { must } from "../../core/must.ts";
import { growArray } from "../../core/typed-arrays.ts";
import { strutCount, valueOf } from "../../mesh/strut-lattice.ts";
import { type LayerRange, cutLayers } from "../cut-layers.ts";
import { midHeightsMm } from "../layer-heights.ts";
import { memoizeLastSize } from "../memoize-last-size.ts";
import { type Segments, newSegments, pushSegment } from "../outline-segments.ts";
import { type RasterTransform, layerImageSize } from "../pixel-grid.ts";
import { LayerRasteriser, type LayerRuns } from "../raster/rasterise-layer.ts";
import { type Stack, layersOfChunk } from "../stack.ts";
import { addVolumeOutline } from "../volume/volume-outline.ts";
import { type LatticeStack, itemHeights } from "./lattice-stack.ts";
import { BATCH_STRUTS, type LayerFrame, NUMBERS_PER_STRUT, StrutKernel, type StrutLayer } from "./strut-kernel.ts";

/** Unites a layer of the chunk, by its index, with the struts in it. */
type AddStruts = (index: number, runs: LayerRuns) => StrutLayer;

/**
 * The struts of the layers of a chunk, or of those in `range`, which are drawn one after the other. Call it before the chunk is cut: it cuts the
 * clipping solids in the same memory. `poll` may throw to cancel.
 */
export function newStrutLayers(stack: Stack, chunk: number, poll: () => void, range?: LayerRange): AddStruts {
  const { lattices = [], grid, boundariesMm } = stack;
  if (lattices.length === 0) return (_index, runs) => ({ runs, addedPixels: 0 });
  const layers = layersOfChunk(stack, chunk);
  const [from = 0] = layers;
  const planesMm = midHeightsMm(boundariesMm.subarray(from, from + layers.length + 1));
  const kernel = kernelFor(layerImageSize(grid).pixels);
  const own = lattices.map((lattice, i) => itemsOfChunk(lattice, chunk, i));
  const freeClip = volumeRuns(stack);
  const clips = lattices.map(({ clip }) => clip && clipRuns(stack, chunk, clip, poll, range));

  return (index, runs) => {
    const zMm = planesMm[index - from];
    let layer: StrutLayer = { runs, addedPixels: 0 };
    const draw = (some: readonly number[], clip: LayerRuns | undefined): void => {
      kernel.beginLayer();
      const added = some.reduce((sum, i) => sum + addItems(kernel, lattices[i], own[i], zMm), 0);
      if (added === 0) return;
      const { runs: united, addedPixels } = kernel.draw(layer.runs, clip, poll);
      layer = { runs: united, addedPixels: layer.addedPixels + addedPixels };
    };
    const free = [...lattices.keys()].filter((i) => lattices[i].clip === undefined);
    draw(free, freeClip);
    clips.forEach((clip, i) => {
      if (clip) draw([i], must(clip.get(index), "The layer of a clipping solid"));
    });
    return layer;
  };
}

/** The struts and balls of a chunk, as the kernel takes them. The arrays may be longer than their content. */
interface ChunkItems {
  numbers: Float64Array<ArrayBuffer>;
  caps: Uint8Array<ArrayBuffer>;
  low: Float64Array<ArrayBuffer>;
  high: Float64Array<ArrayBuffer>;
  count: number;
  /** Balls follow the struts. */
  struts: number;
}

/** For each lattice the items of the chunk that this thread draws: the arrays are used from chunk to chunk, so that they leave no garbage. */
const scratch: ChunkItems[] = [];

const newItems = (): ChunkItems => ({
  numbers: new Float64Array(0),
  caps: new Uint8Array(0),
  low: new Float64Array(0),
  high: new Float64Array(0),
  count: 0,
  struts: 0,
});

function itemsOfChunk({ lattice, toRaster, index }: LatticeStack<Stack>, chunk: number, own: number): ChunkItems {
  const items = index.items.subarray(index.starts[chunk], index.starts[chunk + 1]);
  const to = (scratch[own] ??= newItems());
  to.numbers = growArray(to.numbers, NUMBERS_PER_STRUT * items.length);
  to.caps = growArray(to.caps, items.length);
  to.low = growArray(to.low, items.length);
  to.high = growArray(to.high, items.length);
  const { numbers, caps, low, high } = to;
  const heightsOf = itemHeights(lattice, toRaster);
  const { vertices, struts, balls, ballRadii, radii } = lattice;
  const all = strutCount(lattice);
  to.count = items.length;
  to.struts = 0;
  for (let i = 0; i < items.length; i++) {
    const item = items[i];
    const heights = heightsOf(item);
    low[i] = heights.low;
    high[i] = heights.high;
    const isStrut = item < all;
    const first = 3 * (isStrut ? struts[2 * item] : balls[item - all]);
    const second = isStrut ? 3 * struts[2 * item + 1] : first;
    const at = NUMBERS_PER_STRUT * i;
    for (let axis = 0; axis < 3; axis++) {
      numbers[at + axis] = vertices[first + axis];
      numbers[at + 3 + axis] = vertices[second + axis];
    }
    numbers[at + 6] = isStrut ? valueOf(radii, 2 * item) : valueOf(ballRadii, item - all);
    if (!isStrut) continue;
    numbers[at + 7] = valueOf(radii, 2 * item + 1);
    caps[i] = valueOf(lattice.caps, item);
    to.struts++;
  }
  return to;
}

/** Adds the items of a chunk that the plane of a layer may cut, and returns their number. */
function addItems(kernel: StrutKernel, { toRaster }: LatticeStack<Stack>, items: ChunkItems, zMm: number): number {
  const { numbers, caps, low, high } = items;
  let added = 0;
  const add = (first: number, end: number, send: (count: number) => void): void => {
    let batch = kernel.batch();
    let count = 0;
    for (let i = first; i < end; i++) {
      if (low[i] > zMm || high[i] < zMm) continue;
      if (added === 0 && count === 0) kernel.setFrame(frameOf(toRaster, zMm));
      const at = NUMBERS_PER_STRUT * i;
      const to = NUMBERS_PER_STRUT * count;
      for (let k = 0; k < NUMBERS_PER_STRUT; k++) batch.numbers[to + k] = numbers[at + k];
      batch.caps[count++] = caps[i];
      if (count < BATCH_STRUTS) continue;
      send(count);
      added += count;
      count = 0;
      batch = kernel.batch();
    }
    if (count > 0) send(count);
    added += count;
  };
  add(0, items.struts, (count) => kernel.addStruts(count));
  add(items.struts, items.count, (count) => kernel.addBalls(count));
  return added;
}

/** The inverse of a transform to raster coordinates, in the plane of a layer. */
function frameOf([a, b, c, x, d, e, f, y, g, h, i, z]: RasterTransform, zMm: number): LayerFrame {
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  const across = [e * i - f * h, f * g - d * i, d * h - e * g].map((value) => value / determinant);
  const down = [c * h - b * i, a * i - c * g, b * g - a * h].map((value) => value / determinant);
  const up = [b * f - c * e, c * d - a * f, a * e - b * d].map((value) => value / determinant);
  const origin = across.map((value, axis) => -x * value - y * down[axis] + (zMm - z) * up[axis]);
  return { origin, across, down };
}

type Clip = NonNullable<LatticeStack<Stack>["clip"]>;

/** The runs of the inside, or the outside, of a clipping solid in each layer, within the build volume if layers are clipped to it. */
function clipRuns(stack: Stack, chunk: number, { stack: solid, keeps }: Clip, poll: () => void, range?: LayerRange) {
  const runs = new Map<number, LayerRuns>();
  const isInside = keeps === "inside";
  const models = { count: 2, boundary: isInside && stack.clipTo ? 1 : -1 };
  for (const { index, segments } of cutLayers(solid, chunk, poll, range)) {
    if (isInside && stack.clipTo) addVolumeOutline(segments, stack.clipTo, stack.grid, models.boundary);
    if (!isInside) {
      // The winding number of the outer outline and the reversed solid is 1 where the solid is not.
      reverse(segments);
      addOutline(stack, segments);
    }
    runs.set(index, copyOf(clipRasteriserFor(stack).rasterise(segments, models, poll).runs));
  }
  return runs;
}

/** The runs of the build volume, if layers are clipped to it. */
function volumeRuns(stack: Stack): LayerRuns | undefined {
  if (!stack.clipTo) return undefined;
  const segments = newSegments();
  addOutline(stack, segments);
  return copyOf(clipRasteriserFor(stack).rasterise(segments, { count: 1, boundary: -1 }, () => {}).runs);
}

/** Adds the outline of the build volume as model 0 if layers are clipped to it, or else that of the layer. */
function addOutline({ clipTo, grid }: Stack, segments: Segments): void {
  if (clipTo) {
    addVolumeOutline(segments, clipTo, grid, 0);
    return;
  }
  const [width, height] = layerImageSize(grid).pixels;
  pushSegment(segments, 0, 0, 0, height, 0);
  pushSegment(segments, width, height, width, 0, 0);
}

/** All segments run the other way, in one model. */
function reverse({ ends, models, count }: Segments): void {
  models.fill(0, 0, count);
  for (let at = 0; at < 4 * count; at += 4) {
    [ends[at], ends[at + 1], ends[at + 2], ends[at + 3]] = [ends[at + 2], ends[at + 3], ends[at], ends[at + 1]];
  }
}

function copyOf({ rowStarts, starts, ends, values, ...size }: LayerRuns): LayerRuns {
  const count = rowStarts[size.height];
  const copied = { starts: starts.slice(0, count), ends: ends.slice(0, count), values: values.slice(0, count) };
  return { ...size, rowStarts: rowStarts.slice(), ...copied };
}

const kernelFor = memoizeLastSize((width, height) => new StrutKernel(width, height));
const clipKernelFor = memoizeLastSize((width, height) => new LayerRasteriser(width, height));
const clipRasteriserFor = ({ grid }: Stack): LayerRasteriser => clipKernelFor(layerImageSize(grid).pixels);
