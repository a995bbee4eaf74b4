import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";

/** Rows and runs for which the memory of a kernel has room. */
export interface LayerRoom {
  readonly rows: number;
  readonly runs: number;
}

/** Bytes of the arrays of `layer-runs.as.ts`. */
export const layerArrayBytes = ({ rows, runs }: LayerRoom) => ({
  rowStarts: 4 * (rows + 1),
  starts: 2 * runs,
  ends: 2 * runs,
  values: runs,
});

/** The globals of `layer-runs.as.ts`. */
export interface LayerExports {
  readonly width: WebAssembly.Global<"i32">;
  readonly height: WebAssembly.Global<"i32">;
}

/** Returns a function that copies a layer into the memory of a kernel. */
export function layerInMemory(
  { width, height }: LayerExports,
  buffer: ArrayBuffer,
  offsets: Readonly<Record<keyof ReturnType<typeof layerArrayBytes>, number>>,
  { rows, runs }: LayerRoom,
): (layer: LayerRuns) => void {
  const rowStarts = new Uint32Array(buffer, offsets.rowStarts, rows + 1);
  const starts = new Uint16Array(buffer, offsets.starts, runs);
  const ends = new Uint16Array(buffer, offsets.ends, runs);
  const values = new Uint8Array(buffer, offsets.values, runs);
  return (layer) => {
    const count = layer.rowStarts[layer.height];
    width.value = layer.width;
    height.value = layer.height;
    rowStarts.set(layer.rowStarts.subarray(0, layer.height + 1));
    starts.set(layer.starts.subarray(0, count));
    ends.set(layer.ends.subarray(0, count));
    values.set(layer.values.subarray(0, count));
  };
}
