import { regionsOf } from "../../slice/regions.ts";
import type { SpanLayer } from "../../slice/span-layers.ts";

/**
 * The regions of a layer that touch nothing of the layer below, not even at a corner, as the pixels that they touch on a grid of `columns` columns
 * whose pixels are twice as large; in the order of their first rows.
 */
export function islandsOf(layer: SpanLayer, below: SpanLayer, columns: number): Set<number>[] {
  const isCarried = carriedSpans(layer, below);
  if (!isCarried.includes(0)) return [];
  const { rowStarts, starts, ends } = layer;
  const { count, regionOf } = regionsOf(layer, "CORNERS");
  const isJoined = new Uint8Array(count);
  isCarried.forEach((carried, span) => {
    if (carried === 1) isJoined[regionOf[span]] = 1;
  });
  if (!isJoined.includes(0)) return [];
  const islands = Array.from({ length: count }, () => new Set<number>());
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

/** Which spans touch something of the layer below, be it at a corner. */
function carriedSpans({ rowStarts, starts, ends }: SpanLayer, below: SpanLayer): Uint8Array {
  const isCarried = new Uint8Array(starts.length);
  const rows = rowStarts.length - 1;
  for (let row = 0; row < rows; row++) {
    const [first, end] = [rowStarts[row], rowStarts[row + 1]];
    let open = end - first;
    for (let beside = 0; beside < 3 && open > 0; beside++) {
      // The row itself first: it carries nearly all.
      const other = beside === 0 ? row : beside === 1 ? row - 1 : row + 1;
      if (other < 0 || other === rows) continue;
      let at = below.rowStarts[other];
      const last = below.rowStarts[other + 1];
      for (let span = first; span < end && at < last; span++) {
        while (at < last && below.ends[at] < starts[span]) at++;
        if (at === last || below.starts[at] > ends[span] || isCarried[span] === 1) continue;
        isCarried[span] = 1;
        open--;
      }
    }
  }
  return isCarried;
}
