import type { SpanLayer } from "../../geometry/spans.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";

/** Sums over the pixels of a layer. */
export interface LayerSums {
  /** Pixels with any light. */
  readonly lit: number;
  /** Sum of the values, of which 255 is the full light of a pixel. */
  readonly values: number;
  /** Lit pixels at the edges of the panel. */
  readonly border: number;
}

/** The pixels of a layer with any light as spans, whose arrays are new, and their sums. */
export interface LitLayer {
  readonly spans: SpanLayer;
  readonly sums: LayerSums;
}

/** Goes through the runs once, since layers of 100,000 runs are usual. */
export function litLayer({ width, height, rowStarts, starts, ends, values }: LayerRuns, index: number): LitLayer {
  const spanRowStarts = new Uint32Array(height + 1);
  const firsts = new Uint16Array(rowStarts[height]);
  const lasts = new Uint16Array(rowStarts[height]);
  let [count, lit, sum, border] = [0, 0, 0, 0];
  for (let row = 0; row < height; row++) {
    const end = rowStarts[row + 1];
    const first = count;
    let [litInRow, sumInRow, last] = [0, 0, -1];
    for (let run = rowStarts[row]; run < end; run++) {
      const start = starts[run];
      const next = ends[run];
      litInRow += next - start;
      sumInRow += (next - start) * values[run];
      if (start === last) lasts[count - 1] = next;
      else {
        firsts[count] = start;
        lasts[count++] = next;
      }
      last = next;
    }
    spanRowStarts[row + 1] = count;
    if (count === first) continue;
    lit += litInRow;
    sum += sumInRow;
    if (row === 0 || row === height - 1) border += litInRow;
    else border += (firsts[first] === 0 ? 1 : 0) + (last === width && width > 1 ? 1 : 0);
  }
  return {
    spans: { index, rowStarts: spanRowStarts, starts: firsts.subarray(0, count), ends: lasts.subarray(0, count) },
    sums: { lit, values: sum, border },
  };
}
