import { type SpanLayer, connectedRegions, regionPixels } from "../../geometry/spans.ts";
import type { LayerRuns } from "../../slice/rasterise-layer.ts";

/** Number of pixels in the largest region of a layer: lit pixels that are connected by sides or corners. 0 for a black layer. */
export function largestRegionPixels(layer: LayerRuns): number {
  const spans = litSpans(layer);
  return regionPixels(spans, connectedRegions(spans, "CORNERS")).reduce((most, count) => Math.max(most, count), 0);
}

/** Neighbouring runs of a row, which differ in value, are one span. */
function litSpans({ height, rowStarts, starts, ends }: LayerRuns): SpanLayer {
  const spans = {
    index: 0,
    rowStarts: new Uint32Array(height + 1),
    starts: new Uint16Array(rowStarts[height]),
    ends: new Uint16Array(rowStarts[height]),
  };
  let count = 0;
  for (let row = 0; row < height; row++) {
    const first = count;
    for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
      if (count === first || spans.ends[count - 1] < starts[run]) spans.starts[count++] = starts[run];
      spans.ends[count - 1] = ends[run];
    }
    spans.rowStarts[row + 1] = count;
  }
  return { ...spans, starts: spans.starts.subarray(0, count), ends: spans.ends.subarray(0, count) };
}
