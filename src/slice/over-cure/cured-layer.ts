import { requireMemory } from "../../core/memory-budget.ts";
import type { SpanLayer } from "../../geometry/spans.ts";
import type { LayerRuns } from "../raster/rasterise-layer.ts";
import { shareRuns } from "./shared-runs.ts";

/** A layer, with the pixels of it whose light is kept. The arrays are in shared memory. */
export interface CuredLayer {
  readonly runs: LayerRuns;
  /** Pixels with any coverage. */
  readonly lit: SpanLayer;
  /** Pixels with at least half of the full coverage. */
  readonly solid: SpanLayer;
  /** Pixels at supports and near them. They hold what is above them. */
  readonly supported?: SpanLayer | undefined;
  /** Pixels that are lit or near supports. */
  readonly held: SpanLayer;
  /** Regions that begin in mid-air: else what is first lit of them would hang on nothing, higher up. */
  readonly islands?: SpanLayer | undefined;
}

/** Half of 255. */
const SOLID_COVERAGE = 128;

/** Bytes of a run of a layer with its spans. */
const BYTES_PER_RUN = 13;
const TOO_FINE = {
  what: "A job with layers against over-cure",
  wayOut: "use fewer models, switch compensation.over_cure of the resin off",
};

/** A layer whose islands are not yet known. `runs` are copied. Throws `MemoryError` if there is no room for it. */
export function curedLayer(runs: LayerRuns, index: number, supported?: SpanLayer): CuredLayer {
  requireMemory({ bytes: BYTES_PER_RUN * runs.rowStarts[runs.height], ...TOO_FINE });
  const lit = coveredSpans(runs, index, 1);
  const solid = coveredSpans(runs, index, SOLID_COVERAGE);
  return { runs: shareRuns(runs), lit, solid, supported, held: supported ? unionOf(lit, supported) : lit };
}

/** The pixels of a layer that have at least a coverage. */
function coveredSpans(
  { height, rowStarts, starts, ends, values }: LayerRuns,
  index: number,
  leastCoverage: number,
): SpanLayer {
  const spans = newSharedSpans(height, rowStarts[height]);
  for (let row = 0; row < height; row++) {
    for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
      if (values[run] >= leastCoverage) spans.add(starts[run], ends[run]);
    }
    spans.endRow(row);
  }
  return { index, ...spans.arrays() };
}

function unionOf(a: SpanLayer, b: SpanLayer): SpanLayer {
  const rows = a.rowStarts.length - 1;
  const spans = newSharedSpans(rows, a.starts.length + b.starts.length);
  for (let row = 0; row < rows; row++) {
    let [i, j] = [a.rowStarts[row], b.rowStarts[row]];
    const [endOfA, endOfB] = [a.rowStarts[row + 1], b.rowStarts[row + 1]];
    while (i < endOfA || j < endOfB) {
      if (j === endOfB || (i < endOfA && a.starts[i] <= b.starts[j])) spans.add(a.starts[i], a.ends[i++]);
      else spans.add(b.starts[j], b.ends[j++]);
    }
    spans.endRow(row);
  }
  return { index: a.index, ...spans.arrays() };
}

/** Spans that are written row by row, ascending by their starts; those that touch or overlap become one. */
function newSharedSpans(rows: number, most: number) {
  const rowStarts = new Uint32Array(new SharedArrayBuffer(4 * (rows + 1)));
  const [starts, ends] = [new Uint16Array(most), new Uint16Array(most)];
  let [count, first] = [0, 0];
  return {
    add(start: number, end: number): void {
      if (count > first && start <= ends[count - 1]) {
        if (end > ends[count - 1]) ends[count - 1] = end;
        return;
      }
      starts[count] = start;
      ends[count++] = end;
    },
    endRow(row: number): void {
      first = rowStarts[row + 1] = count;
    },
    arrays(): Omit<SpanLayer, "index"> {
      const shared = new Uint16Array(new SharedArrayBuffer(4 * count));
      shared.set(starts.subarray(0, count));
      shared.set(ends.subarray(0, count), count);
      return { rowStarts, starts: shared.subarray(0, count), ends: shared.subarray(count) };
    },
  };
}
