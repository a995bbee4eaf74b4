import type { Progress } from "../core/progress.ts";
import type { SpanLayer } from "../geometry/spans.ts";
import { rasteriseChunkSpans } from "./rasterise-chunk.ts";
import { type Stack, layerCountOf } from "./stack.ts";

/** The layers of a chunk of a stack as spans, in shared memory: one thread rasterises them, another reads them. */
export interface SpanChunk {
  /** Index of the lowest layer. */
  readonly first: number;
  /** The row starts of all layers, one layer after the other; those of a layer count from its own first span. */
  readonly rowStarts: Uint32Array;
  /** The spans of all layers, one layer after the other. */
  readonly starts: Uint16Array;
  readonly ends: Uint16Array;
  /** The first span of each layer, and the end of the last layer. */
  readonly layerStarts: Uint32Array;
}

/** A stack of which several threads may have rasterised the first chunks. */
export interface KnownLayers {
  readonly stack: Stack;
  /** The first chunks of the stack. */
  readonly chunks: readonly SpanChunk[];
}

/** Rasterises a chunk for another thread. `minCoverage` and `poll` as in {@link rasteriseChunkSpans}. */
export function spanChunk(stack: Stack, chunk: number, minCoverage: number, poll: () => void): SpanChunk {
  const layers = [...rasteriseChunkSpans(stack, chunk, minCoverage, poll)];
  const rows = layers.reduce((sum, { rowStarts }) => sum + rowStarts.length, 0);
  const spans = layers.reduce((sum, { starts }) => sum + starts.length, 0);
  const packed = {
    first: chunk * stack.chunkSize,
    rowStarts: new Uint32Array(new SharedArrayBuffer(4 * rows)),
    starts: new Uint16Array(new SharedArrayBuffer(2 * spans)),
    ends: new Uint16Array(new SharedArrayBuffer(2 * spans)),
    layerStarts: new Uint32Array(layers.length + 1),
  };
  let [row, span] = [0, 0];
  for (const [i, layer] of layers.entries()) {
    packed.rowStarts.set(layer.rowStarts, row);
    packed.starts.set(layer.starts, span);
    packed.ends.set(layer.ends, span);
    row += layer.rowStarts.length;
    span += layer.starts.length;
    packed.layerStarts[i + 1] = span;
  }
  return packed;
}

/** The layers of a stack from the lowest up, as `spanLayers` gives them: those of known chunks, the others are rasterised here. */
export function* layersOfStack(
  { stack, chunks }: KnownLayers,
  minCoverage: number,
  progress: Progress,
): Generator<SpanLayer> {
  let last = 0;
  const poll = (): void => progress.report(last / layerCountOf(stack));
  for (let chunk = 0; chunk < stack.chunkCount; chunk++) {
    // The whole chunk is rasterised before a layer is yielded: chunks share memory, and a caller may interleave generators.
    const layers =
      chunk < chunks.length ? unpack(chunks[chunk]) : [...rasteriseChunkSpans(stack, chunk, minCoverage, poll)];
    for (const layer of layers) {
      last = layer.index;
      poll();
      yield layer;
    }
  }
}

function unpack({ first, rowStarts, starts, ends, layerStarts }: SpanChunk): SpanLayer[] {
  const count = layerStarts.length - 1;
  const rows = rowStarts.length / count;
  return Array.from({ length: count }, (_, i) => ({
    index: first + i,
    rowStarts: rowStarts.subarray(rows * i, rows * (i + 1)),
    starts: starts.subarray(layerStarts[i], layerStarts[i + 1]),
    ends: ends.subarray(layerStarts[i], layerStarts[i + 1]),
  }));
}
