import type { Progress } from "../core/progress.ts";
import type { SpanLayer } from "../geometry/spans.ts";
import { packSpans, unpackSpans } from "./packed-spans.ts";
import { rasteriseChunkSpans } from "./rasterise-chunk.ts";
import { type Stack, layerCountOf, layersOfChunk } from "./stack.ts";

/** A stack of which several threads may have rasterised the first chunks. */
export interface KnownLayers {
  readonly stack: Stack;
  /** The layers of the first chunks of the stack, as {@link spanChunk} gives them. */
  readonly chunks: readonly Uint32Array[];
}

/** Rasterises a chunk for another thread ({@link packSpans}). `minCoverage` and `poll` as in {@link rasteriseChunkSpans}. */
export const spanChunk = (stack: Stack, chunk: number, minCoverage: number, poll: () => void): Uint32Array =>
  packSpans([...rasteriseChunkSpans(stack, chunk, minCoverage, poll)]);

/** The layers of a stack from the lowest up, as `spanLayers` gives them: those of known chunks, the others are rasterised here. */
export function* layersOfStack(
  { stack, chunks }: KnownLayers,
  minCoverage: number,
  progress: Progress,
): Generator<SpanLayer> {
  let last = 0;
  const rows = stack.grid.pixels[1];
  const poll = (): void => progress.report(last / layerCountOf(stack));
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) {
    // The whole chunk is rasterised before a layer is yielded: chunks share memory, and a caller may interleave generators.
    const layers =
      chunk < chunks.length
        ? unpackSpans(chunks[chunk], layersOfChunk(stack, chunk), rows)
        : [...rasteriseChunkSpans(stack, chunk, minCoverage, poll)];
    for (const layer of layers) {
      last = layer.index;
      poll();
      yield layer;
    }
  }
}
