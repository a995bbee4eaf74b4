import { ensureCapacity } from "../../core/typed-arrays.ts";
import type { LayerRange } from "../cut-layers.ts";
import type { LayerRuns } from "../raster/rasterise-layer.ts";
import type { LayerDoses } from "./cure-doses.ts";
import type { CuredLayer } from "./cured-layer.ts";
import { loadBand } from "./over-cure.ts";

interface OverCureRequest {
  /** The layers to draw, and those that they depend on: for each as many below it as its doses are deep, or all, and those above that count. */
  readonly layers: readonly CuredLayer[];
  /** The layers to draw, as indices of `layers`. */
  readonly range: LayerRange;
  /** The doses of each layer of the range. */
  readonly doses: readonly LayerDoses[];
  /** The dose that pixels get for each coverage, 0 to 255: a share of that of white, ascending. */
  readonly doseOfCoverage: Float64Array;
}

/** Rows that are in the memory of the kernel at once: few, so that they stay in the cache. */
const BAND_ROWS = 64;

/**
 * Layers that are darker over faces that look down, by as much as light shines through these faces.
 *
 * A pixel is a column: with B(i) the least coverage of its i layers up to the one that is drawn, the share B(i) − B(i + 1) of it is i layers deep
 * over its face, and gets the dose for this depth. So the outline of a slope moves up by the depth of the light. A pixel that fills from nothing
 * within a layer has a flat face in that layer, as deep as its coverage says. Runs are divided where any layer that counts changes.
 *
 * `poll` is called every few rows and may throw to cancel.
 */
export function drawAgainstOverCure(
  { layers, range, doses, doseOfCoverage }: OverCureRequest,
  poll: () => void,
): LayerRuns[] {
  const [{ runs }] = layers;
  const { width, height } = runs;
  const drawn = doses.map(() => newGrowingRuns(height));
  for (let from = 0; from < height; from += BAND_ROWS) {
    poll();
    const end = Math.min(from + BAND_ROWS, height);
    const draw = loadBand(layers, [from, end], doseOfCoverage);
    drawn.forEach((to, i) => to.add(from, draw(range.from + i, doses[i])));
  }
  return drawn.map(({ arrays }) => ({ width, height, ...arrays() }));
}

/** Runs of a layer, whose number is not known before. */
function newGrowingRuns(height: number) {
  const rowStarts = new Uint32Array(height + 1);
  let [starts, ends] = [new Uint16Array(), new Uint16Array()];
  let values = new Uint8Array();
  let count = 0;
  return {
    /** Adds rows, from row `from` on. */
    add(from: number, band: ReturnType<ReturnType<typeof loadBand>>): void {
      const next = count + band.values.length;
      [starts, ends] = [ensureCapacity(starts, next), ensureCapacity(ends, next)];
      values = ensureCapacity(values, next);
      starts.set(band.starts, count);
      ends.set(band.ends, count);
      values.set(band.values, count);
      band.rowEnds.forEach((end, row) => (rowStarts[from + row + 1] = count + end));
      count = next;
    },
    arrays: () => ({ rowStarts, starts, ends, values }),
  };
}
