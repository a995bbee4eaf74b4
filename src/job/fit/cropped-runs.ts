import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";

/** The part of a layer around a pixel, dark beyond the edges of the layer. */
export function croppedRuns(
  layer: LayerRuns,
  [column, row]: readonly [number, number],
  [width, height]: readonly [number, number],
): LayerRuns {
  const [left, top] = [Math.floor(column - width / 2), Math.floor(row - height / 2)];
  const rowStarts = new Uint32Array(height + 1);
  const found: (readonly [start: number, end: number, value: number])[] = [];
  for (let k = 0; k < height; k++) {
    const source = top + k;
    const isInside = source >= 0 && source < layer.height;
    const [first, beyond] = isInside ? [layer.rowStarts[source], layer.rowStarts[source + 1]] : [0, 0];
    for (let run = first; run < beyond; run++) {
      const start = Math.max(0, layer.starts[run] - left);
      const end = Math.min(width, layer.ends[run] - left);
      if (start < end) found.push([start, end, layer.values[run]]);
    }
    rowStarts[k + 1] = found.length;
  }
  return {
    width,
    height,
    rowStarts,
    starts: Uint16Array.from(found, ([start]) => start),
    ends: Uint16Array.from(found, ([, end]) => end),
    values: Uint8Array.from(found, ([, , value]) => value),
  };
}
