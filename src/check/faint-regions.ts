import { type SpanLayer, connectedRegions, forOverlappingSpans } from "../geometry/spans.ts";

/**
 * A layer of pixels that are solid for a large part, with regions of `touched` added. `touched` has all pixels that the same layer
 * touches; the added regions have no pixel of the layer. An edge or a corner on the platform begins thinner than a pixel.
 */
export function addFaintRegions(layer: SpanLayer, touched: SpanLayer): SpanLayer {
  const { count, regionOf } = connectedRegions(touched, "CORNERS");
  const isDrawn = new Uint8Array(count);
  forOverlappingSpans(touched, layer, (span) => (isDrawn[regionOf[span]] = 1));
  if (!isDrawn.includes(0)) return layer;
  const rows = layer.rowStarts.length - 1;
  const rowStarts = new Uint32Array(rows + 1);
  const starts = new Uint16Array(layer.starts.length + touched.starts.length);
  const ends = new Uint16Array(starts.length);
  let spans = 0;
  const push = (of: SpanLayer, span: number): void => {
    starts[spans] = of.starts[span];
    ends[spans++] = of.ends[span];
  };
  for (let row = 0; row < rows; row++) {
    let drawn = layer.rowStarts[row];
    for (let i = touched.rowStarts[row]; i < touched.rowStarts[row + 1]; i++) {
      if (isDrawn[regionOf[i]] === 1) continue;
      while (drawn < layer.rowStarts[row + 1] && layer.starts[drawn] < touched.starts[i]) push(layer, drawn++);
      push(touched, i);
    }
    while (drawn < layer.rowStarts[row + 1]) push(layer, drawn++);
    rowStarts[row + 1] = spans;
  }
  return { index: layer.index, rowStarts, starts: starts.slice(0, spans), ends: ends.slice(0, spans) };
}
