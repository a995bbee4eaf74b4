import { type SpanLayer, type SpanRegions, regionsOver } from "../../geometry/spans.ts";

/** A place of a layer: a pixel within it, and its size in pixels. */
export interface PixelPlace {
  readonly layer: number;
  readonly column: number;
  readonly row: number;
  readonly pixels: number;
}

/**
 * The regions of a layer that touch no pixel of the layer below, not even at a corner, as `check/minima.ts` defines minima. Each is
 * named by the middle of its longest span.
 */
export function islandsOf(layer: SpanLayer, below: SpanLayer): PixelPlace[] {
  const over = regionsOver(layer, below);
  return over ? placesOfRegions(layer, over.regions).filter((_, region) => over.isCarried[region] === 0) : [];
}

/** The place of each region: the middle of its longest span. */
export function placesOfRegions(
  { index, rowStarts, starts, ends }: SpanLayer,
  { count, regionOf }: SpanRegions,
): PixelPlace[] {
  const pixels = new Float64Array(count);
  const longest = new Uint32Array(count);
  const columns = new Uint32Array(count);
  const rows = new Uint32Array(count);
  for (let row = 0; row + 1 < rowStarts.length; row++) {
    for (let span = rowStarts[row]; span < rowStarts[row + 1]; span++) {
      const region = regionOf[span];
      const length = ends[span] - starts[span];
      pixels[region] += length;
      if (length <= longest[region]) continue;
      longest[region] = length;
      columns[region] = (starts[span] + ends[span]) >> 1;
      rows[region] = row;
    }
  }
  return Array.from(pixels, (sum, region) => ({
    layer: index,
    column: columns[region],
    row: rows[region],
    pixels: sum,
  }));
}
