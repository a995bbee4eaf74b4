import type { LayerRuns } from "../format/job/layer-runs.ts";
import { addBoundary } from "./boundary.ts";
import { closeGaps } from "./close-gaps.ts";
import { newCutter } from "./cut.ts";
import { middlesOf } from "./prepare-stack.ts";
import { newLayerDrawer } from "./raster/draw-layer.ts";
import { newSegments, type Segments } from "./raster/segments.ts";
import { Winding } from "./raster/winding.ts";
import { layerCountOf, type Stack, transformOf } from "./stack.ts";

/** A layer and its measures. */
export interface Layer {
  /** Counting from the platform. */
  readonly index: number;
  /** Good until the next layer. */
  readonly runs: LayerRuns;
  readonly areaMm2: number;
  /** Length of all outlines; where models overlap, those inside another count, too. */
  readonly perimeterMm: number;
}

/** Draws the layers of one chunk, from the lowest up. */
export function* drawChunk(stack: Stack, chunk: number): Generator<Layer> {
  const { grid, clipTo, chunkSize, partOf } = stack;
  const first = chunk * chunkSize;
  const end = Math.min(first + chunkSize, layerCountOf(stack));
  const planesMm = middlesOf(stack.boundariesMm).slice(first, end);
  const cutters = Array.from(partOf.keys()).flatMap((model) => cutterOf(stack, chunk, model, planesMm));
  const boundary = clipTo ? partOf.length : -1;
  const draw = newLayerDrawer(grid.pixels[0], grid.pixels[1], new Winding(partOf.length + 1, boundary));
  const segments = newSegments();
  const pixelMm2 = grid.pixelMm[0] * grid.pixelMm[1];
  for (let index = first; index < end; index++) {
    segments.count = 0;
    for (const { cutNext, model, isOpen } of cutters) {
      const from = segments.count;
      cutNext(segments);
      if (isOpen) closeGaps(segments, from, model);
    }
    const perimeterMm = lengthMm(segments, grid.pixelMm);
    if (clipTo && segments.count > 0) addBoundary(segments, clipTo, grid, boundary);
    const { runs, areaPixels } = draw(segments);
    yield { index, runs, areaMm2: areaPixels * pixelMm2, perimeterMm };
  }
}

/** Cuts what the planes of the chunk meet of a model; none where they meet nothing. */
function cutterOf(stack: Stack, chunk: number, model: number, planesMm: Float64Array) {
  const { solid, index } = stack.parts[stack.partOf[model]];
  const facets = index.facets.subarray(index.starts[chunk], index.starts[chunk + 1]);
  if (facets.length === 0) return [];
  const transform = transformOf(stack, model);
  const cutNext = newCutter({ solid, transform, facets, isMirrored: stack.grid.mirrorX, model }, planesMm);
  return [{ cutNext, model, isOpen: solid.isOpen }];
}

function lengthMm({ count, ends }: Segments, [widthMm, depthMm]: readonly [number, number]): number {
  let sum = 0;
  for (let at = 0; at < 4 * count; at += 4) {
    const x = (ends[at + 2] - ends[at]) * widthMm;
    const y = (ends[at + 3] - ends[at + 1]) * depthMm;
    sum += Math.sqrt(x * x + y * y);
  }
  return sum;
}
