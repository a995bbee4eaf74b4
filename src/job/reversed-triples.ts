import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";
import { kernelInstance, kernelMemory } from "../wasm/kernel.ts";
import { WASM } from "./reversed-triples.wasm.ts";

/** The exports of `reversed-triples.as.ts`. */
interface Exports {
  readonly height: WebAssembly.Global<"i32">;
  reverseTriples(): void;
}

const loadedFor = (rows: number, runs: number) => {
  const sizes = {
    rowStarts: 4 * (rows + 1),
    starts: 2 * runs,
    ends: 2 * runs,
    values: runs,
    toRowStarts: 4 * (rows + 1),
    // A run has at most two ends within triples, and what is between them.
    toStarts: 2 * 3 * runs,
    toEnds: 2 * 3 * runs,
    toValues: 3 * runs,
  };
  const { memory, offsets } = kernelMemory(sizes, "A layer has too many outlines: use simpler models.");
  const { buffer } = memory;
  return {
    rows,
    runs,
    exports: kernelInstance<Exports>({ name: "reversed-triples", wasm: WASM }, memory, offsets),
    rowStarts: new Uint32Array(buffer, offsets.rowStarts, rows + 1),
    starts: new Uint16Array(buffer, offsets.starts, runs),
    ends: new Uint16Array(buffer, offsets.ends, runs),
    values: new Uint8Array(buffer, offsets.values, runs),
    reversed: {
      rowStarts: new Uint32Array(buffer, offsets.toRowStarts, rows + 1),
      starts: new Uint16Array(buffer, offsets.toStarts, 3 * runs),
      ends: new Uint16Array(buffer, offsets.toEnds, 3 * runs),
      values: new Uint8Array(buffer, offsets.toValues, 3 * runs),
    },
  };
};

/** Reused from layer to layer. */
let loaded: ReturnType<typeof loadedFor> | undefined;

/** The layer with the columns of each three in reverse order; widened to a multiple of three. Overwritten by the next layer. */
export function reversedTriples({ width, height, rowStarts, starts, ends, values }: LayerRuns): LayerRuns {
  const runs = rowStarts[height];
  // Layers of a job grow: twice the runs, so that few of them need new memory.
  if (!loaded || loaded.rows < height || loaded.runs < runs) loaded = loadedFor(height, 2 * runs);
  loaded.exports.height.value = height;
  loaded.rowStarts.set(rowStarts.subarray(0, height + 1));
  loaded.starts.set(starts.subarray(0, runs));
  loaded.ends.set(ends.subarray(0, runs));
  loaded.values.set(values.subarray(0, runs));
  loaded.exports.reverseTriples();
  return { width: 3 * Math.ceil(width / 3), height, ...loaded.reversed };
}
