import { ensureCapacity } from "../core/typed-arrays.ts";
import type { LayerRuns } from "../slice/rasterise-layer.ts";

const scratch = {
  rowStarts: new Uint32Array(),
  starts: new Uint16Array(),
  ends: new Uint16Array(),
  values: new Uint8Array(),
};

/** The layer whose pixels of value v have the value `greyOf[v]`; `greyOf[0]` is 0. Overwritten by the next layer. */
export function regradedLayer(layer: LayerRuns, greyOf: Uint8Array): LayerRuns {
  const { width, height } = layer;
  const capacity = layer.rowStarts[height];
  const rowStarts = (scratch.rowStarts = ensureCapacity(scratch.rowStarts, height + 1));
  const starts = (scratch.starts = ensureCapacity(scratch.starts, capacity));
  const ends = (scratch.ends = ensureCapacity(scratch.ends, capacity));
  const values = (scratch.values = ensureCapacity(scratch.values, capacity));
  let count = 0;
  for (let row = 0; row < height; row++) {
    rowStarts[row] = count;
    for (let run = layer.rowStarts[row]; run < layer.rowStarts[row + 1]; run++) {
      const grey = greyOf[layer.values[run]];
      if (grey === 0) continue;
      const joins = count > rowStarts[row] && ends[count - 1] === layer.starts[run] && values[count - 1] === grey;
      if (!joins) [starts[count], values[count++]] = [layer.starts[run], grey];
      ends[count - 1] = layer.ends[run];
    }
  }
  rowStarts[height] = count;
  return { width, height, rowStarts, starts, ends, values };
}
