import type { LayerRuns } from "../format/job/layer-runs.ts";
import { addBoundary } from "./boundary.ts";
import { closeGaps } from "./close-gaps.ts";
import { type Cut, newCutter } from "./cut.ts";
import { middlesOf } from "./prepare-stack.ts";
import { type LayerDrawer, newLayerDrawer } from "./raster/draw-layer.ts";
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

/** Draws the layers of one chunk, from the lowest up. Only one chunk at a time. */
export function* drawChunk(stack: Stack, chunk: number): Generator<Layer> {
  const { parts, partOf, grid, clipTo, chunkSize } = stack;
  const first = chunk * chunkSize;
  const end = Math.min(first + chunkSize, layerCountOf(stack));
  const planesMm = middlesOf(stack.boundariesMm).slice(first, end);
  const cutNext = newCutter(cutsOf(stack, chunk), planesMm, grid.mirrorX);
  const boundary = clipTo ? partOf.length : -1;
  const draw = drawerFor(grid.pixels);
  const winding = new Winding(partOf.length + 1, boundary);
  const hasGaps = parts.some(({ solid }) => solid.isOpen);
  const pixelMm2 = grid.pixelMm[0] * grid.pixelMm[1];
  for (let index = first; index < end; index++) {
    segments.count = 0;
    cutNext(segments);
    if (hasGaps) closeGaps(segments, (model) => parts[partOf[model]].solid.isOpen);
    const perimeterMm = lengthMm(segments, grid.pixelMm);
    if (clipTo && segments.count > 0) addBoundary(segments, clipTo, grid, boundary);
    const { runs, areaPixels } = draw(segments, winding);
    yield { index, runs, areaMm2: areaPixels * pixelMm2, perimeterMm };
  }
}

const segments = newSegments();
let drawer: { readonly pixels: readonly number[]; readonly draw: LayerDrawer } | undefined;

/** The drawer of the chunk before, if it was as large: its memory is used again. */
function drawerFor(pixels: readonly [number, number]): LayerDrawer {
  const isKnown = drawer?.pixels[0] === pixels[0] && drawer.pixels[1] === pixels[1];
  if (!drawer || !isKnown) drawer = { pixels, draw: newLayerDrawer(...pixels) };
  return drawer.draw;
}

/** What the planes of a chunk meet of each model. */
function cutsOf(stack: Stack, chunk: number): Cut[] {
  return Array.from(stack.partOf, (part, model): Cut => {
    const { solid, index } = stack.parts[part];
    const facets = index.facets.subarray(index.starts[chunk], index.starts[chunk + 1]);
    return { solid, transform: transformOf(stack, model), facets, model };
  });
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
