import { toSharedMemory } from "../../core/typed-arrays.ts";
import type { LayerLoad } from "../../hold/layer-loads.ts";

const STRIDE = 4;

/** Loads as numbers in shared memory: height, pull, x and y of its middle of each layer. */
export const packLoads = (loads: readonly LayerLoad[]): Float64Array =>
  toSharedMemory(Float64Array.from(loads.flatMap(({ heightMm, n, x, y }) => [heightMm, n, x, y])));

/** The inverse of {@link packLoads}. */
export const unpackLoads = (packed: Float64Array): LayerLoad[] =>
  Array.from({ length: packed.length / STRIDE }, (_, layer) => {
    const at = STRIDE * layer;
    return { heightMm: packed[at], n: packed[at + 1], x: packed[at + 2], y: packed[at + 3] };
  });
