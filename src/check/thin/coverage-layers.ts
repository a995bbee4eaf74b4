import type { LayerRange } from "../../slice/cut-layers.ts";
import { type RasterLayer, rasteriseChunk } from "../../slice/rasterise-chunk.ts";
import type { Stack } from "../../slice/stack.ts";

/** Coverage of a completely solid cell. */
export const FULL = 255;

/** Runs of equal coverage of a layer, in separate memory. */
export interface CoverageLayer {
  readonly layer: number;
  readonly rowStarts: Uint32Array;
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
  readonly values: Uint8Array;
}

/** The coverage of layers, from the lowest up. `poll` may throw to cancel. */
export function* coverageLayers(stack: Stack, { from, end }: LayerRange, poll: () => void): Generator<CoverageLayer> {
  for (let chunk = Math.floor(from / stack.chunkSize); chunk * stack.chunkSize < end; chunk++) {
    const first = chunk * stack.chunkSize;
    const range = { from: Math.max(from, first), end: Math.min(end, first + stack.chunkSize) };
    yield* Array.from(rasteriseChunk(stack, chunk, poll, range), copyRuns);
  }
}

function copyRuns({ index, runs: { height, rowStarts, starts, ends, values } }: RasterLayer): CoverageLayer {
  const count = rowStarts[height];
  return {
    layer: index,
    rowStarts: rowStarts.slice(0, height + 1),
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    values: values.slice(0, count),
  };
}
