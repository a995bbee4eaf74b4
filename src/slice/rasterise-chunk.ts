import { type BuildVolume, volumeRim } from "../geometry/build-volume.ts";
import type { SpanLayer } from "../geometry/spans.ts";
import { type LayerRange, cutLayers } from "./cut-layers.ts";
import { type Segments, pushSegment } from "./outline-segments.ts";
import { type PixelGrid, layerImageSize, isMirrored, measuringGrid, worldToRaster } from "./pixel-grid.ts";
import { LayerRasteriser, type LayerRuns } from "./rasterise-layer.ts";
import { AreaMeter } from "./area-meter.ts";
import { newEdgeShifter } from "./edge-shifts.ts";
import { SupportsWithoutGrey } from "./supports-without-grey.ts";
import { SpanRasteriser } from "./rasterise-spans.ts";
import { type Stack, layersOfChunk } from "./stack.ts";

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
 * Rasterises the layers of one chunk, from the lowest up, or only those in `range`. `poll` is called every few milliseconds and may throw
 * to cancel. All chunks of a thread share memory: one must end before the next begins.
 */
export function* rasteriseChunk(
  stack: Stack,
  chunk: number,
  poll: () => void = () => {},
  range?: LayerRange,
): Generator<RasterLayer> {
  const { solidOf, grid, clipTo } = stack;
  const { pixels, pixelMm } = layerImageSize(grid);
  const shift = stack.edges && newEdgeShifter(stack.edges, solidOf.length, pixelMm);
  const modelCount = (shift ? 2 : 1) * solidOf.length;
  const models = { count: modelCount + 1, boundary: clipTo ? modelCount : -1 };
  const isSupport =
    stack.isSupport && Uint32Array.from({ length: modelCount }, (_, model) => stack.isSupport![model % solidOf.length]);
  const { pixels: coarse } = layerImageSize(measuringGrid(grid));
  const rasteriser = layerRasteriserFor(pixels);
  const pixelMm2 = pixelMm[0] * pixelMm[1];
  for (const { index, segments } of cutLayers(stack, chunk, poll, range)) {
    const perimeterMm = lengthMm(segments, pixelMm);
    const moved = shift ? shift(index, segments) : segments;
    if (clipTo && segments.count > 0) addVolumeOutline(segments, clipTo, grid, models.boundary);
    if (clipTo && moved !== segments) addVolumeOutline(moved, clipTo, grid, models.boundary);
    const { runs, areaPixels } = rasteriser.rasterise(moved, models, poll);
    const ownPixels = moved === segments ? areaPixels : areaMeterFor(coarse).areaPixels(segments, models, pixels, poll);
    const drawn = isSupport
      ? supportsWithoutGreyFor(pixels).draw(runs, { segments: moved, models, isSupport }, poll)
      : runs;
    yield { index, runs: drawn, areaMm2: ownPixels * pixelMm2, perimeterMm };
  }
}

const layerRasteriserFor = memoizeLastSize((width, height) => new LayerRasteriser(width, height));
const areaMeterFor = memoizeLastSize((width, height) => new AreaMeter(width, height));
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

/** Largest distance of a rounded corner's polygon from its arc. */
const MAX_SAGITTA_MM = 1e-4;

/** Adds the outline of the build volume with its rounded corners, directed like that of a solid. */
function addVolumeOutline(segments: Segments, volume: BuildVolume, grid: PixelGrid, model: number): void {
  const { axes, scale, offset } = worldToRaster({ ...grid, enlarged: undefined });
  const corners = volumeRim(volume, arcPieces(volume.filletRadiusMm)).map((corner) => [
    scale[0] * corner[axes[0]] + offset[0],
    scale[1] * corner[axes[1]] + offset[1],
  ]);
  corners.forEach(([x, y], i) => {
    const [nextX, nextY] = corners[(i + 1) % corners.length];
    if (isMirrored(grid)) pushSegment(segments, nextX, nextY, x, y, model);
    else pushSegment(segments, x, y, nextX, nextY, model);
  });
}

/** Number of chords of a quarter circle whose sagitta is at most {@link MAX_SAGITTA_MM}. */
const arcPieces = (radiusMm: number): number =>
  radiusMm <= MAX_SAGITTA_MM ? 1 : Math.ceil(Math.PI / 4 / Math.acos(1 - MAX_SAGITTA_MM / radiusMm));

/** Memoizes `make` for the last size, so that its memory is reused from chunk to chunk. */
function memoizeLastSize<T>(make: (width: number, height: number) => T): (size: readonly [number, number]) => T {
  let last: { readonly width: number; readonly height: number; readonly made: T } | undefined;
  return ([width, height]) => {
    if (last?.width !== width || last.height !== height) last = { width, height, made: make(width, height) };
    return last.made;
  };
}
