import { cutChunk } from "./cut-chunk.ts";
import { type LayerToucher, newLayerToucher, type TouchedSpans } from "./raster/touch-layer.ts";
import { Winding } from "./raster/winding.ts";
import { pictureSizeOf } from "./raster-map.ts";
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

let toucher: { readonly pixels: readonly number[]; readonly touch: LayerToucher } | undefined;

/** That of the chunk before, if it was as large: its memory is used again. */
function toucherFor(pixels: readonly [number, number]): LayerToucher {
  const isKnown = toucher?.pixels[0] === pixels[0] && toucher.pixels[1] === pixels[1];
  if (!toucher || !isKnown) toucher = { pixels, touch: newLayerToucher(...pixels) };
  return toucher.touch;
}
