import { must } from "../../core/must.ts";
import type { StrutLattice } from "../../mesh/mesh.ts";
import { strutCount, valueOf } from "../../mesh/strut-lattice.ts";
import { type LayerRange, cutLayers } from "../cut-layers.ts";
import { midHeightsMm } from "../layer-heights.ts";
import { memoizeLastSize } from "../memoize-last-size.ts";
import { type Segments, newSegments, pushSegment } from "../outline-segments.ts";
import { type RasterTransform, layerImageSize } from "../pixel-grid.ts";
import { LayerRasteriser, type LayerRuns } from "../rasterise-layer.ts";
import { type Stack, layersOfChunk } from "../stack.ts";
import { addVolumeOutline } from "../volume-outline.ts";
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
  const own = lattices.map((lattice) => itemsOfChunk(lattice, chunk));
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

/** The struts and balls of a chunk, as the kernel takes them. */
interface ChunkItems {
  readonly numbers: Float64Array;
  readonly caps: Uint8Array;
  readonly low: Float64Array;
  readonly high: Float64Array;
  /** Balls follow the struts. */
  readonly struts: number;
}

function itemsOfChunk({ lattice, toRaster, index }: LatticeStack<Stack>, chunk: number): ChunkItems {
  const items = index.items.subarray(index.starts[chunk], index.starts[chunk + 1]);
  const numbers = new Float64Array(NUMBERS_PER_STRUT * items.length);
  const caps = new Uint8Array(items.length);
  const low = new Float64Array(items.length);
  const high = new Float64Array(items.length);
  const heightsOf = itemHeights(lattice, toRaster);
  const { vertices, balls, ballRadii, radii } = lattice;
  const all = strutCount(lattice);
  let struts = 0;
  items.forEach((item, i) => {
    const at = NUMBERS_PER_STRUT * i;
    const heights = heightsOf(item);
    [low[i], high[i]] = [heights.low, heights.high];
    const isStrut = item < all;
    const [first, second] = isStrut ? endsOf(lattice, item) : [balls[item - all], balls[item - all]];
    for (let axis = 0; axis < 3; axis++) {
      numbers[at + axis] = vertices[3 * first + axis];
      numbers[at + 3 + axis] = vertices[3 * second + axis];
    }
    numbers[at + 6] = isStrut ? valueOf(radii, 2 * item) : valueOf(ballRadii, item - all);
    if (!isStrut) return;
    numbers[at + 7] = valueOf(radii, 2 * item + 1);
    caps[i] = valueOf(lattice.caps, item);
    struts++;
  });
  return { numbers, caps, low, high, struts };
}

const endsOf = ({ struts }: StrutLattice, strut: number): readonly [number, number] => [
  struts[2 * strut],
  struts[2 * strut + 1],
];

/** Adds the items of a chunk that the plane of a layer may cut, and returns their number. */
function addItems(kernel: StrutKernel, { toRaster }: LatticeStack<Stack>, items: ChunkItems, zMm: number): number {
  const { numbers, caps, low, high, struts } = items;
  let added = 0;
  const add = (first: number, end: number, send: (count: number) => void): void => {
    let batch = kernel.batch();
    let count = 0;
    for (let i = first; i < end; i++) {
      if (low[i] > zMm || high[i] < zMm) continue;
      if (added === 0 && count === 0) kernel.setFrame(frameOf(toRaster, zMm));
      const at = NUMBERS_PER_STRUT * i;
      batch.numbers.set(numbers.subarray(at, at + NUMBERS_PER_STRUT), NUMBERS_PER_STRUT * count);
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
  add(0, struts, (count) => kernel.addStruts(count));
  add(struts, low.length, (count) => kernel.addBalls(count));
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
