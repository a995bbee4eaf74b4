import type { Progress } from "../../core/progress.ts";
import { grownSpans } from "../../slice/over-cure/grown-spans.ts";
import { type CuredLayer, curedLayer } from "../../slice/over-cure/cured-layer.ts";
import { layerImageSize } from "../../slice/pixel-grid.ts";
import { rasteriseChunk, rasteriseChunkSpans } from "../../slice/rasterise-chunk.ts";
import type { Stack } from "../../slice/stack.ts";
import type { RasterisedLayers } from "./rasterise-layers.ts";

export interface DrawRequest {
  readonly stack: Stack;
  /** The supports alone, if there are any, in the same layers. */
  readonly supports: Stack | undefined;
  readonly chunk: number;
}

/** The layers of one chunk before they are encoded, from the lowest up, in shared memory. */
export interface DrawnLayers extends Omit<RasterisedLayers, "encoded"> {
  readonly layers: readonly CuredLayer[];
}

/** Pixels beside supports that keep their light: some of it is spread over the pixels around. */
const MARGIN_PX = 2;

/** Rasterises one chunk of a stack. Its progress does not count: the layers are still to be encoded. */
export function drawCoverages({ stack, supports, chunk }: DrawRequest, progress: Progress): DrawnLayers {
  const silent = progress.silent();
  const poll = (): void => silent.report(0);
  const [columns] = layerImageSize(stack.grid).pixels;
  const supported = supports
    ? Array.from(rasteriseChunkSpans(supports, chunk, 1, poll), (spans) => grownSpans(spans, columns, MARGIN_PX))
    : [];
  const areasMm2: number[] = [];
  const perimetersMm: number[] = [];
  const layers: CuredLayer[] = [];
  for (const { index, areaMm2, perimeterMm, runs } of rasteriseChunk(stack, chunk, poll)) {
    poll();
    areasMm2.push(areaMm2);
    perimetersMm.push(perimeterMm);
    layers.push(curedLayer(runs, index, supported[layers.length]));
  }
  return { first: chunk * stack.chunkSize, areasMm2, perimetersMm, layers };
}
