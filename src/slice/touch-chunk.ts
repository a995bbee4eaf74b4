import { cutChunk } from "./cut-chunk.ts";
import { newLayerToucher, type TouchedSpans } from "./raster/touch-layer.ts";
import { Winding } from "./raster/winding.ts";
import { pictureSizeOf } from "./raster-map.ts";
import { reusedForSize } from "./reused-for-size.ts";
import type { Stack } from "./stack.ts";

/** The pixels that a layer touches. */
export interface TouchedLayer extends TouchedSpans {
  /** Counting from the platform. */
  readonly index: number;
}

/** The pixels that the layers of one chunk touch, as `drawChunk` draws them; they stay good. */
export function* touchChunk(stack: Stack, chunk: number, poll: () => void): Generator<TouchedLayer> {
  const touch = toucherFor(pictureSizeOf(stack.grid).pixels);
  const winding = new Winding(stack.solidOf.length, -1);
  for (const { index, segments } of cutChunk(stack, chunk, poll)) yield { index, ...touch(segments, winding, poll) };
}

const toucherFor = reusedForSize(newLayerToucher);
