import type { LayerRuns } from "../slice/rasterise-layer.ts";

/**
 * Calls `visit` for the pieces of a row, from the left to the right end, in which the pixels of the row have one value, and those of the row
 * above it, too. Rows outside the layer are black.
 */
export function forRowPieces(
  { width, height, rowStarts, starts, ends, values }: LayerRuns,
  row: number,
  visit: (from: number, to: number, above: number, here: number) => void,
): void {
  let a = row > 0 ? rowStarts[row - 1] : 0;
  let b = row < height ? rowStarts[row] : 0;
  const aEnd = row > 0 ? rowStarts[row] : 0;
  const bEnd = row < height ? rowStarts[row + 1] : 0;
  for (let column = 0; column < width;) {
    const aStart = a < aEnd ? starts[a] : width;
    const bStart = b < bEnd ? starts[b] : width;
    const above = aStart <= column && a < aEnd ? values[a] : 0;
    const here = bStart <= column && b < bEnd ? values[b] : 0;
    const aNext = above > 0 ? ends[a] : aStart;
    const bNext = here > 0 ? ends[b] : bStart;
    const next = aNext < bNext ? aNext : bNext;
    visit(column, next, above, here);
    if (above > 0 && aNext === next) a++;
    if (here > 0 && bNext === next) b++;
    column = next;
  }
}
