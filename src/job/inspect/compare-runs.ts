import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";

export interface Differences {
  /** Pixels of different values. */
  readonly pixels: number;
  /** The largest difference of two values. */
  readonly largest: number;
}

/** Compares two pictures of the same size pixel by pixel, in time proportional to their runs and rows. */
export function countDifferences(a: LayerRuns, b: LayerRuns): Differences {
  let [pixels, largest] = [0, 0];
  for (let row = 0; row < a.height; row++) {
    let [i, j, column] = [a.rowStarts[row], b.rowStarts[row], 0];
    const [endA, endB] = [a.rowStarts[row + 1], b.rowStarts[row + 1]];
    while (i < endA || j < endB) {
      const [valueA, untilA] = pieceAt(a, i, endA, column);
      const [valueB, untilB] = pieceAt(b, j, endB, column);
      const until = Math.min(untilA, untilB);
      if (valueA !== valueB) {
        pixels += until - column;
        largest = Math.max(largest, Math.abs(valueA - valueB));
      }
      column = until;
      if (i < endA && a.ends[i] <= column) i++;
      if (j < endB && b.ends[j] <= column) j++;
    }
  }
  return { pixels, largest };
}

/** The value at a column, and the column up to which it is the same; `run` is the first one of the row that ends after the column. */
function pieceAt(
  { starts, ends, values, width }: LayerRuns,
  run: number,
  end: number,
  column: number,
): [number, number] {
  if (run === end) return [0, width];
  return starts[run] > column ? [0, starts[run]] : [values[run], ends[run]];
}
