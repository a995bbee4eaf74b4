import type { SpanLayer } from "../geometry/spans.ts";
import { AreaMeter } from "./raster/area-meter.ts";
import { newOpenVolumes } from "./closing-faces.ts";
import { type LayerOutlines, type LayerRange, cutLayers } from "./cut-layers.ts";
import { newEdgeShifter } from "./edges/edge-shifter.ts";
import { memoizeLastSize } from "./memoize-last-size.ts";
import { type Segments, copySegments, newSegments } from "./outline-segments.ts";
import { layerImageSize, measuringGrid } from "./pixel-grid.ts";
import type { LayerModels } from "./raster/raster-kernel.ts";
import { LayerRasteriser, type LayerRuns } from "./raster/rasterise-layer.ts";
import { VolumeRasteriser } from "./volume/rasterise-volume.ts";
import { SupportsWithoutGrey } from "./supports-without-grey.ts";
import { SpanRasteriser } from "./raster/rasterise-spans.ts";
import { type Stack, layersOfChunk } from "./stack.ts";
import { newStrutLayers } from "./struts/strut-layers.ts";
import { addVolumeOutline } from "./volume/volume-outline.ts";
import { copyOfRuns, emptyRuns } from "./written-runs.ts";

/** A rasterised layer and its measures. */
export interface RasterLayer {
  /** Index of the layer, counted from the platform. */
  readonly index: number;
  /** Overwritten by the next layer. */
  readonly runs: LayerRuns;
  /** Of the exact coverages, also where supports have no grey, and before edges are moved. */
  readonly areaMm2: number;
  /** Length of all outlines, including those inside another model and outside of the clipping volume. */
  readonly perimeterMm: number;
}

/**
 * Rasterises the layers of one chunk, from the lowest up, or only those in `range`, which stacks by volume ignore. `poll` is called every few
 * milliseconds and may throw to cancel. All chunks of a thread share memory: one must end before the next begins.
 */
export function* rasteriseChunk(
  stack: Stack,
  chunk: number,
  poll: () => void = () => {},
  range?: LayerRange,
): Generator<RasterLayer> {
  if (stack.bodyStarts) return yield* rasteriseByVolume(stack, chunk, poll);
  const { isSupport } = stack;
  const models = modelsOf(stack);
  const { pixels, pixelMm } = layerImageSize(stack.grid);
  const pixelMm2 = pixelMm[0] * pixelMm[1];
  const draw = newAreaDrawer(stack, models, poll);
  const addStruts = newStrutLayers(stack, chunk, poll, range);
  for (const layer of cutLayers(stack, chunk, poll, range)) {
    const { index } = layer;
    const { segments, runs, areaPixels, perimeterMm } = draw(layer);
    const drawn = isSupport ? supportsWithoutGreyFor(pixels).draw(runs, { segments, models, isSupport }, poll) : runs;
    const { runs: all, addedPixels } = addStruts(index, drawn);
    yield { index, runs: all, areaMm2: (areaPixels + addedPixels) * pixelMm2, perimeterMm };
  }
}

/** The models of the layers of a stack. */
export function modelsOf({ solidOf, clipTo, edges }: Stack): LayerModels {
  // Moved edges have models of their own for thin walls.
  const count = (edges ? 2 : 1) * solidOf.length;
  return { count: count + 1, boundary: clipTo ? count : -1 };
}

/**
 * Draws the outlines of layers with their moved edges, to which the build volume is added if it clips them, and measures them without: the
 * outlines as drawn, their runs, and the area and the length of the true ones.
 */
function newAreaDrawer({ grid, clipTo, edges, solidOf }: Stack, models: LayerModels, poll: () => void) {
  const { pixels, pixelMm } = layerImageSize(grid);
  const { pixels: coarse } = layerImageSize(measuringGrid(grid));
  const rasteriser = layerRasteriserFor(pixels);
  const shift = edges && newEdgeShifter(edges, solidOf.length, pixelMm);
  const clip = (outlines: Segments): void => {
    if (clipTo && outlines.count > 0) addVolumeOutline(outlines, clipTo, grid, models.boundary);
  };
  return (layer: LayerOutlines) => {
    const perimeterMm = lengthMm(layer.segments, pixelMm);
    const segments = shift ? shift(layer) : layer.segments;
    clip(segments);
    const drawn = rasteriser.rasterise(segments, models, poll);
    if (segments === layer.segments) return { ...drawn, segments, perimeterMm };
    clip(layer.segments);
    const areaPixels = areaMeterFor(coarse).areaPixels(layer.segments, models, pixels, poll);
    return { runs: drawn.runs, areaPixels, segments, perimeterMm };
  };
}

/** A layer that waits for the one after it. */
interface HeldLayer {
  readonly index: number;
  readonly areaPixels: number;
  readonly perimeterMm: number;
  readonly segments: Segments;
  readonly area: LayerRuns;
  readonly volume: LayerRuns | undefined;
}

/** {@link rasteriseChunk} of a stack by volume. Layers have the areas at their middles, as without volumes, and the struts there. */
function* rasteriseByVolume(stack: Stack, chunk: number, poll: () => void): Generator<RasterLayer> {
  const { grid, isSupport } = stack;
  const { pixels, pixelMm } = layerImageSize(grid);
  const models = modelsOf(stack);
  const draw = newAreaDrawer(stack, models, poll);
  const pixelMm2 = pixelMm[0] * pixelMm[1];
  const addStruts = newStrutLayers(stack, chunk, poll);
  const supports = isSupport && supportsWithoutGreyFor(pixels);
  const nothing = emptyRuns(pixels);
  const finish = (layer: HeldLayer, before: LayerRuns, after: LayerRuns): RasterLayer[] => {
    const { index, volume, area, segments, areaPixels, perimeterMm } = layer;
    if (!volume) return [];
    const { addedPixels } = addStruts(index, area);
    const areaMm2 = (areaPixels + addedPixels) * pixelMm2;
    const open = openVolumesFor(pixels)({ volume, area, before, after });
    const drawn = isSupport && supports ? supports.drawOver(open, { segments, models, isSupport }, poll) : open;
    return [{ index, runs: addStruts(index, drawn).runs, areaMm2, perimeterMm }];
  };
  let before = nothing;
  let held: HeldLayer | undefined;
  for (const layer of volumeRasteriserFor(pixels).layers(stack, chunk, models, poll)) {
    const { index, segments, volume } = layer;
    const { runs, areaPixels, perimeterMm } = draw(layer);
    const area = isSupport && supports ? supports.parts({ segments, models, isSupport }, poll) : runs;
    if (held) {
      yield* finish(held, before, area);
      before = held.area;
    }
    held = {
      index,
      areaPixels,
      perimeterMm,
      segments: isSupport ? copyOfSegments(segments) : segments,
      area: copyOfRuns(area),
      volume: volume && copyOfRuns(volume),
    };
  }
  if (held) yield* finish(held, before, nothing);
}

function copyOfSegments(segments: Segments): Segments {
  const copy = newSegments();
  copySegments(segments, copy);
  return copy;
}

const layerRasteriserFor = memoizeLastSize((width, height) => new LayerRasteriser(width, height));
const areaMeterFor = memoizeLastSize((width, height) => new AreaMeter(width, height));
const openVolumesFor = memoizeLastSize(newOpenVolumes);
const volumeRasteriserFor = memoizeLastSize((width, height) => new VolumeRasteriser(width, height));
const supportsWithoutGreyFor = memoizeLastSize((width, height) => new SupportsWithoutGrey(width, height));

function lengthMm({ count, ends }: Segments, [widthMm, depthMm]: readonly [number, number]): number {
  let sum = 0;
  for (let at = 0; at < 4 * count; at += 4) {
    const x = (ends[at + 2] - ends[at]) * widthMm;
    const y = (ends[at + 3] - ends[at + 1]) * depthMm;
    sum += Math.sqrt(x * x + y * y);
  }
  return sum;
}

/**
 * The spans of the pixels of the layers of a chunk that have at least the coverage `minCoverage`, 1 to 255: 1 for all pixels that a
 * layer touches (see {@link SpanRasteriser}). Each layer has separate arrays. `wanted`: the layers of the
 * chunk that are rasterised, ascending; all of them if absent.
 */
export function* rasteriseChunkSpans(
  stack: Stack,
  chunk: number,
  minCoverage: number,
  poll: () => void,
  wanted: readonly number[] = layersOfChunk(stack, chunk),
): Generator<SpanLayer> {
  const [from = 0] = wanted;
  const end = (wanted.at(-1) ?? -1) + 1;

  const { pixels } = layerImageSize(stack.grid);
  const models = { count: stack.solidOf.length, boundary: -1 };
  const rasteriser = new SpanRasteriser(...pixels);
  for (const { index, segments } of cutLayers(stack, chunk, poll, { from, end })) {
    if (!wanted.includes(index)) continue;
    yield { index, ...rasteriser.rasterise(segments, models, minCoverage, poll) };
  }
}
