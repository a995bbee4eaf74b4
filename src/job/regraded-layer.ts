import { ensureCapacity } from "../core/typed-arrays.ts";
import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";

/** Makes a layer whose pixels of value v have the value `greyOf[v]`; `greyOf[0]` is 0. Overwritten by its next layer. */
export type Regrader = (layer: LayerRuns, greyOf: Uint8Array) => LayerRuns;

/** A regrader with memory of its own. */
export function newRegrader(): Regrader {
  let made = {
    rowStarts: new Uint32Array(),
    starts: new Uint16Array(),
    ends: new Uint16Array(),
    values: new Uint8Array(),
  };
  return (layer, greyOf) => {
    const { width, height } = layer;
    const runs = layer.rowStarts[height];
    made = {
      rowStarts: ensureCapacity(made.rowStarts, height + 1),
      starts: ensureCapacity(made.starts, runs),
      ends: ensureCapacity(made.ends, runs),
      values: ensureCapacity(made.values, runs),
    };
    regrade(layer, greyOf, made);
    return { width, height, ...made, rowStarts: made.rowStarts.subarray(0, height + 1) };
  };
}

/** Neighbours of equal greys become one run. Plain variables: a layer may have a million runs. */
function regrade(layer: LayerRuns, greyOf: Uint8Array, made: Omit<LayerRuns, "width" | "height">): void {
  const { height, rowStarts, starts, ends, values } = layer;
  const { rowStarts: madeRowStarts, starts: madeStarts, ends: madeEnds, values: madeValues } = made;
  let count = 0;
  for (let row = 0; row < height; row++) {
    madeRowStarts[row] = count;
    const end = rowStarts[row + 1];
    let lastEnd = -1;
    let lastGrey = 0;
    for (let run = rowStarts[row]; run < end; run++) {
      const grey = greyOf[values[run]];
      if (grey === 0) continue;
      const start = starts[run];
      if (start !== lastEnd || grey !== lastGrey) {
        madeStarts[count] = start;
        madeValues[count++] = grey;
      }
      lastEnd = ends[run];
      lastGrey = grey;
      madeEnds[count - 1] = lastEnd;
    }
  }
  madeRowStarts[height] = count;
}
