import { type SpanLayer, regionsOver } from "../../geometry/spans.ts";
import type { LayerRuns } from "../rasterise-layer.ts";

/** The pixels of a layer with any coverage. */
export function litSpans({ height, rowStarts, starts, ends }: LayerRuns, index: number): SpanLayer {
  const spanRowStarts = new Uint32Array(height + 1);
  const [firsts, lasts] = [new Uint16Array(rowStarts[height]), new Uint16Array(rowStarts[height])];
  let count = 0;
  for (let row = 0; row < height; row++) {
    let last = -1;
    for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
      if (starts[run] !== last) firsts[count++] = starts[run];
      last = lasts[count - 1] = ends[run];
    }
    spanRowStarts[row + 1] = count;
  }
  return { index, rowStarts: spanRowStarts, starts: firsts.subarray(0, count), ends: lasts.subarray(0, count) };
}

/** The spans of the regions of a layer that touch nothing in the layer below; undefined if there are none. */
export function islandSpans(layer: SpanLayer, below: SpanLayer): SpanLayer | undefined {
  const over = regionsOver(layer, below);
  if (over === undefined) return undefined;
  const { regions, isCarried } = over;
  const isKept = (span: number): boolean => isCarried[regions.regionOf[span]] === 0;
  const rowStarts = new Uint32Array(layer.rowStarts.length);
  const kept: number[] = [];
  for (let row = 0; row + 1 < rowStarts.length; row++) {
    for (let span = layer.rowStarts[row]; span < layer.rowStarts[row + 1]; span++) if (isKept(span)) kept.push(span);
    rowStarts[row + 1] = kept.length;
  }
  return {
    index: layer.index,
    rowStarts,
    starts: Uint16Array.from(kept, (span) => layer.starts[span]),
    ends: Uint16Array.from(kept, (span) => layer.ends[span]),
  };
}
