import type { LayerRuns } from "../format/job/layer-runs.ts";
import { addBoundary } from "./boundary.ts";
import { cutChunk } from "./cut-chunk.ts";
import { newLayerDrawer } from "./raster/draw-layer.ts";
import type { Segments } from "./raster/segments.ts";
import { pictureSizeOf } from "./raster-map.ts";
import { Winding } from "./raster/winding.ts";
import { reusedForSize } from "./reused-for-size.ts";
import type { Stack } from "./stack.ts";

/** A layer and its measures. */
export interface Layer {
  /** Counting from the platform. */
  readonly index: number;
  /** Good until the next layer. */
  readonly runs: LayerRuns;
  readonly areaMm2: number;
  /** Length of all outlines: also of those inside another model, and of those beyond what the layer is clipped to. */
  readonly perimeterMm: number;
}

/**
 * Draws the layers of one chunk, from the lowest up. `poll` is called every few milliseconds, and may throw to end it. Only
 * one chunk at a time.
 */
export function* drawChunk(stack: Stack, chunk: number, poll: () => void = () => {}): Generator<Layer> {
  const { solidOf, grid, clipTo } = stack;
  const boundary = clipTo ? solidOf.length : -1;
  const { pixels, pixelMm } = pictureSizeOf(grid);
  const draw = drawerFor(pixels);
  const winding = new Winding(solidOf.length + 1, boundary);
  const pixelMm2 = pixelMm[0] * pixelMm[1];
  for (const { index, segments } of cutChunk(stack, chunk, poll)) {
    const perimeterMm = lengthMm(segments, pixelMm);
    if (clipTo && segments.count > 0) addBoundary(segments, clipTo, grid, boundary);
    const { runs, areaPixels } = draw(segments, winding, poll);
    yield { index, runs, areaMm2: areaPixels * pixelMm2, perimeterMm };
  }
}

const drawerFor = reusedForSize(newLayerDrawer);

function lengthMm({ count, ends }: Segments, [widthMm, depthMm]: readonly [number, number]): number {
  let sum = 0;
  for (let at = 0; at < 4 * count; at += 4) {
    const x = (ends[at + 2] - ends[at]) * widthMm;
    const y = (ends[at + 3] - ends[at + 1]) * depthMm;
    sum += Math.sqrt(x * x + y * y);
  }
  return sum;
}
