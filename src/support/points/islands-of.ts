import { regionsOf, touchesOf } from "../../slice/regions.ts";
import type { SpanLayer } from "../../slice/span-layers.ts";

/**
 * The regions of a layer that touch nothing of the layer below, not even at a corner, as the pixels that they touch on a grid of `columns` columns
 * whose pixels are twice as large; in the order of their first rows.
 */
export function islandsOf(layer: SpanLayer, below: SpanLayer, columns: number): Set<number>[] {
  const { rowStarts, starts, ends } = layer;
  const isCarried = new Uint8Array(starts.length);
  touchesOf(layer, below, (span) => (isCarried[span] = 1));
  if (isCarried.every((carried) => carried === 1)) return [];
  const { count, regionOf } = regionsOf(layer, "CORNERS");
  const islands = Array.from({ length: count }, () => new Set<number>());
  const isJoined = new Uint8Array(count);
  isCarried.forEach((carried, span) => {
    if (carried === 1) isJoined[regionOf[span]] = 1;
  });
  for (let row = 0; row + 1 < rowStarts.length; row++) {
    for (let span = rowStarts[row]; span < rowStarts[row + 1]; span++) {
      if (isJoined[regionOf[span]] === 1) continue;
      for (let column = starts[span] >> 1; 2 * column < ends[span]; column++) {
        islands[regionOf[span]].add((row >> 1) * columns + column);
      }
    }
  }
  return islands.filter((_, region) => isJoined[region] === 0);
}
