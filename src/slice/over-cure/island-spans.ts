import { type SpanLayer, regionsOver } from "../../geometry/spans.ts";

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
