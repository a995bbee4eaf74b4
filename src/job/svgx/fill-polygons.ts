import type { ErrorFactory } from "../../core/api-error.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import type { RunsBuilder } from "../runs-builder.ts";
import type { Polygons } from "./read-path.ts";

/**
 * The pixels whose centres are inside polygons by the even-odd rule, with the value 255. Coordinates are pixels across and down; the
 * centre of the first pixel is 0, 0. Throws the error of `refuse` for polygons that cross rows more often than the sides of all pixels do.
 */
export function fillPolygons(
  polygons: Polygons,
  [width, height]: readonly [number, number],
  into: RunsBuilder,
  refuse: ErrorFactory,
): LayerRuns {
  const { starts, crossings } = sortedCrossings(polygons, width, height, refuse);
  const columnAt = (x: number): number => Math.min(width, Math.max(0, Math.ceil(x)));
  into.begin();
  for (let row = 0; row < height; row++) {
    let column = 0;
    for (let i = starts[row]; i + 1 < starts[row + 1]; i += 2) {
      const from = columnAt(crossings[i]);
      const to = columnAt(crossings[i + 1]);
      if (from === to) continue;
      into.add(0, from - column);
      into.add(255, to - from);
      column = to;
    }
    into.add(0, width - column);
  }
  return into.finish();
}

/** Where edges cross the lines through the centres of rows, from left to right; those of row y begin at `starts[y]`. */
function sortedCrossings(polygons: Polygons, width: number, height: number, refuse: ErrorFactory) {
  const starts = new Uint32Array(height + 2);
  const rowOf = (y: number): number => Math.min(height, Math.max(0, Math.ceil(y)));
  let total = 0;
  forEdges(polygons, (_, y0, __, y1) => {
    const [first, end] = [rowOf(Math.min(y0, y1)), rowOf(Math.max(y0, y1))];
    total += end - first;
    // The number of edges that begin less those that end, then of the edges in each row.
    starts[first + 1]++;
    starts[end + 1]--;
  });
  if (total > (width + 1) * height)
    throw refuse("its outlines have more edges than pixels have: it is damaged; take another copy of it");
  for (let row = 1; row <= height; row++) starts[row + 1] += starts[row];
  for (let row = 1; row <= height + 1; row++) starts[row] += starts[row - 1];
  const crossings = new Float64Array(total);
  const places = starts.slice();
  forEdges(polygons, (x0, y0, x1, y1) => {
    const end = rowOf(Math.max(y0, y1));
    for (let row = rowOf(Math.min(y0, y1)); row < end; row++) {
      crossings[places[row]++] = x0 + ((row - y0) * (x1 - x0)) / (y1 - y0);
    }
  });
  for (let row = 0; row < height; row++) crossings.subarray(starts[row], starts[row + 1]).sort();
  return { starts, crossings };
}

function forEdges({ xs, ys, ends }: Polygons, visit: (x0: number, y0: number, x1: number, y1: number) => void): void {
  let start = 0;
  for (const end of ends) {
    for (let i = start, before = end - 1; i < end; before = i++) visit(xs[before], ys[before], xs[i], ys[i]);
    start = end;
  }
}
