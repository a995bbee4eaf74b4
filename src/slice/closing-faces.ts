import { ensureCapacity } from "../core/typed-arrays.ts";
import type { LayerRuns } from "./raster/rasterise-layer.ts";

/** A layer by volume, and the pictures of the areas at its middle and at those of the layers before and after it. */
export interface LayerInStack {
  readonly volume: LayerRuns;
  readonly area: LayerRuns;
  readonly before: LayerRuns;
  readonly after: LayerRuns;
}

/**
 * Draws layers by volume: each pixel has its volume, but the area at the middle of the layer where the part closes, which is where the next
 * layer has less of the pixel than the one before. No later layer shines on such a face, so that its greys would cure as a loose skin, or not
 * at all. The next layer overwrites the result.
 */
export function newOpenVolumes(width: number, height: number): (layer: LayerInStack) => LayerRuns {
  const rowStarts = new Uint32Array(height + 1);
  let starts = new Uint16Array();
  let ends = new Uint16Array();
  let values = new Uint8Array();
  return ({ volume, area, before, after }) => {
    const runs = [volume, area, before, after].reduce((sum, { rowStarts }) => sum + 2 * rowStarts[height], height);
    [starts, ends, values] = [ensureCapacity(starts, runs), ensureCapacity(ends, runs), ensureCapacity(values, runs)];
    const out = { width, height, rowStarts, starts, ends, values };
    let count = 0;
    for (let row = 0; row < height; row++) {
      count = drawRow(out, count, row, volume, area, before, after);
      rowStarts[row + 1] = count;
    }
    return out;
  };
}

/**
 * Draws a row into the runs from `count` on, and returns the next count. Runs are passed from left to right; those before and after only where
 * the volume is not the area. All in variables, because a layer may have a million runs.
 */
function drawRow(
  out: LayerRuns,
  first: number,
  row: number,
  volume: LayerRuns,
  area: LayerRuns,
  before: LayerRuns,
  after: LayerRuns,
): number {
  const { width, starts, ends, values } = out;
  let count = first;
  let v = volume.rowStarts[row];
  let a = area.rowStarts[row];
  let b = before.rowStarts[row];
  let n = after.rowStarts[row];
  const lastV = volume.rowStarts[row + 1];
  const lastA = area.rowStarts[row + 1];
  const lastB = before.rowStarts[row + 1];
  const lastN = after.rowStarts[row + 1];
  for (let at = 0; at < width;) {
    while (v < lastV && volume.ends[v] <= at) v++;
    while (a < lastA && area.ends[a] <= at) a++;
    const hasVolume = v < lastV && volume.starts[v] <= at;
    const hasArea = a < lastA && area.starts[a] <= at;
    const endV = v === lastV ? width : hasVolume ? volume.ends[v] : volume.starts[v];
    const endA = a === lastA ? width : hasArea ? area.ends[a] : area.starts[a];
    let end = endV < endA ? endV : endA;
    let value = hasVolume ? volume.values[v] : 0;
    const areaValue = hasArea ? area.values[a] : 0;
    if (value !== areaValue) {
      while (b < lastB && before.ends[b] <= at) b++;
      while (n < lastN && after.ends[n] <= at) n++;
      const hasBefore = b < lastB && before.starts[b] <= at;
      const hasAfter = n < lastN && after.starts[n] <= at;
      const endB = b === lastB ? width : hasBefore ? before.ends[b] : before.starts[b];
      const endN = n === lastN ? width : hasAfter ? after.ends[n] : after.starts[n];
      if (endB < end) end = endB;
      if (endN < end) end = endN;
      if ((hasAfter ? after.values[n] : 0) < (hasBefore ? before.values[b] : 0)) value = areaValue;
    }
    if (value > 0) {
      if (count > first && ends[count - 1] === at && values[count - 1] === value) ends[count - 1] = end;
      else {
        starts[count] = at;
        ends[count] = end;
        values[count++] = value;
      }
    }
    at = end;
  }
  return count;
}
