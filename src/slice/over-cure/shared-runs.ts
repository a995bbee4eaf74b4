import type { LayerRuns } from "../raster/rasterise-layer.ts";

/** A copy of a layer in shared memory, which other threads read. */
export function shareRuns({ width, height, rowStarts, starts, ends, values }: LayerRuns): LayerRuns {
  const count = rowStarts[height];
  const buffer = new SharedArrayBuffer(4 * (height + 1) + 5 * count);
  const shared = {
    width,
    height,
    rowStarts: new Uint32Array(buffer, 0, height + 1),
    starts: new Uint16Array(buffer, 4 * (height + 1), count),
    ends: new Uint16Array(buffer, 4 * (height + 1) + 2 * count, count),
    values: new Uint8Array(buffer, 4 * (height + 1) + 4 * count, count),
  };
  shared.rowStarts.set(rowStarts.subarray(0, height + 1));
  shared.starts.set(starts.subarray(0, count));
  shared.ends.set(ends.subarray(0, count));
  shared.values.set(values.subarray(0, count));
  return shared;
}
