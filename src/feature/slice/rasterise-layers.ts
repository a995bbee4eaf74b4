import type { Progress } from "../../core/progress.ts";
import { must } from "../../core/must.ts";
import { encodePngLayer } from "../../job/encode-png-layer.ts";
import type { JobFormat } from "../../job/job-writers.ts";
import { LAYER_ENCODERS } from "../../job/layer-encoders.ts";
import { type LayerGreys, greysOfLayer, newLayerGrader } from "../../job/layer-greys.ts";
import { coarserGrid, layerImageSize } from "../../slice/pixel-grid.ts";
import { regridStack } from "../../slice/regrid-stack.ts";
import { rasteriseChunk } from "../../slice/rasterise-chunk.ts";
import { type Stack, layerCountOf } from "../../slice/stack.ts";

export interface RasteriseRequest {
  readonly stack: Stack;
  readonly chunk: number;
  /** Format of the job for which the layers are encoded. Without it only their measures are returned. */
  readonly format?: JobFormat | undefined;
  /** The greys of coverages in the job; the coverages themselves if absent. */
  readonly greys?: LayerGreys | undefined;
}

/** The layers of one chunk, from the lowest up. */
export interface RasterisedLayers {
  /** Index of the lowest layer, counted from the platform. */
  readonly first: number;
  readonly areasMm2: readonly number[];
  readonly perimetersMm: readonly number[];
  /** Layers in the form for the job's writer. Empty if the request names no format. */
  readonly encoded: readonly unknown[];
}

const toGreys = newLayerGrader();

/** Rasterises one chunk of a stack. Reports the progress of the whole stack, since chunks are drawn approximately in order. */
export function rasteriseLayers(
  { stack, chunk, format, greys }: RasteriseRequest,
  progress: Progress,
): RasterisedLayers {
  const encode = format && LAYER_ENCODERS[format];
  const { pixelMm } = layerImageSize(stack.grid);
  const areasMm2: number[] = [];
  const perimetersMm: number[] = [];
  const encoded: unknown[] = [];
  let done = chunk * stack.chunkSize;
  const poll = (): void => progress.report(done / layerCountOf(stack));
  for (const { index, areaMm2, perimeterMm, runs } of rasteriseChunk(stack, chunk, poll)) {
    done = index;
    poll();
    areasMm2.push(areaMm2);
    perimetersMm.push(perimeterMm);
    if (encode) encoded.push(encode(greys ? toGreys(runs, greysOfLayer(greys, index)) : runs, pixelMm, runs));
  }
  return { first: chunk * stack.chunkSize, areasMm2, perimetersMm, encoded };
}

interface LayerPictureRequest {
  readonly stack: Stack;
  /** Index of the layer, counted from the platform. */
  readonly layer: number;
  /** Pixels along the larger side, at most the pixels of the stack's grid. */
  readonly maxPixels: number;
}

/** One layer as a PNG file, 8-bit greyscale, in the orientation of the stack's grid. */
export function drawLayer(
  { stack, layer, maxPixels }: LayerPictureRequest,
  progress: Progress,
): Uint8Array<ArrayBuffer> {
  const { pixels, pixelMm } = stack.grid;
  const coarser = coarserGrid(stack.grid, Math.max(pixels[0] * pixelMm[0], pixels[1] * pixelMm[1]) / maxPixels);
  const chunk = Math.floor(layer / stack.chunkSize);
  const poll = (): void => progress.report(0);
  const [rastered] = rasteriseChunk(regridStack(stack, coarser), chunk, poll, { from: layer, end: layer + 1 });
  const { runs } = must(rastered, `Layer ${layer}`);
  return encodePngLayer(runs).slice() as Uint8Array<ArrayBuffer>;
}
