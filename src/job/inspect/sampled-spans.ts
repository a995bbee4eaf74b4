import { memoize } from "../../core/memoize.ts";
import type { SpanLayer } from "../../geometry/spans.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";

/** Some rows and columns of the pictures of a job, evenly spaced. */
export interface SampledGrid {
  /** Ascending, without repetition. */
  readonly columns: Uint16Array;
  readonly rows: Uint16Array;
  /** Area of the picture for each sample. */
  readonly sampleMm2: number;
}

/** Every row and column of pictures with larger pixels than `spacingMm`; else the ones in the middle of equal parts of about that size. */
export function sampledGrid(
  [columns, rows]: readonly [number, number],
  [acrossMm, downMm]: readonly [number, number],
  spacingMm: number,
): SampledGrid {
  const sampled = (pixels: number, pixelMm: number): Uint16Array => {
    const count = Math.min(pixels, Math.max(1, Math.round((pixels * pixelMm) / spacingMm)));
    return Uint16Array.from({ length: count }, (_, k) => Math.floor(((k + 0.5) * pixels) / count));
  };
  const grid = { columns: sampled(columns, acrossMm), rows: sampled(rows, downMm) };
  const areaMm2 = columns * acrossMm * rows * downMm;
  return { ...grid, sampleMm2: areaMm2 / (grid.columns.length * grid.rows.length) };
}

/** For each column of a picture, the first sample that is not before it. */
const samplesFrom = memoize(({ columns }: SampledGrid): Uint16Array => {
  const firsts = new Uint16Array((columns.at(-1) ?? 0) + 2);
  let sample = 0;
  for (let column = 0; column < firsts.length; column++) {
    while (sample < columns.length && columns[sample] < column) sample++;
    firsts[column] = sample;
  }
  return firsts;
});

/** The samples of a layer with at least a value (1 to 255), as spans. A sample is solid if its pixel is. */
export function sampledSpans(
  { rowStarts, starts, ends, values }: LayerRuns,
  index: number,
  grid: SampledGrid,
  least: number,
): SpanLayer {
  const sampleFrom = samplesFrom(grid);
  const beyond = sampleFrom.length - 1;
  const { rows } = grid;
  const most = rows.reduce((sum, row) => sum + rowStarts[row + 1] - rowStarts[row], 0);
  const firsts = new Uint16Array(most);
  const lasts = new Uint16Array(most);
  const spanRowStarts = new Uint32Array(rows.length + 1);
  let count = 0;
  for (let k = 0; k < rows.length; k++) {
    const end = rowStarts[rows[k] + 1];
    let last = -1;
    for (let run = rowStarts[rows[k]]; run < end; run++) {
      if (values[run] < least) continue;
      const from = sampleFrom[Math.min(beyond, starts[run])];
      const to = sampleFrom[Math.min(beyond, ends[run])];
      if (from === to) continue;
      if (from === last) lasts[count - 1] = to;
      else {
        firsts[count] = from;
        lasts[count++] = to;
      }
      last = to;
    }
    spanRowStarts[k + 1] = count;
  }
  return { index, rowStarts: spanRowStarts, starts: firsts.subarray(0, count), ends: lasts.subarray(0, count) };
}
