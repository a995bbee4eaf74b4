import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { bitRuns, litFrom } from "../bit-runs.ts";

/** Pictures of one bit that make up the greys of a layer in `.cbddlp` files, by how a panel shows greys. */
export const PLANES = { GREY: 4, BINARY: 1 } as const;

/**
 * Whether a pixel is lit in each plane, by its value. The thresholds fall from plane to plane (catibo): the first plane, which boards without
 * greys print alone, has the pixels that are nearly covered.
 */
const LIT = {
  GREY: [193, 129, 65, 1].map(litFrom),
  BINARY: [litFrom(128)],
} as const satisfies Record<keyof typeof PLANES, readonly Uint8Array[]>;

/** A layer of a `.cbddlp` file: its planes, the one with the highest threshold first. */
export const encodePlanes = (layer: LayerRuns, greys: keyof typeof PLANES): readonly Uint8Array[] =>
  LIT[greys].map((lit) => bitRuns(layer, lit));
