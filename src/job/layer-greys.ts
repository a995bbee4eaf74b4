import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";
import { type GreyMix, newGreyDiffuser } from "./grey-diffusion.ts";
import { newRegrader } from "./regraded-layer.ts";

/** How the coverages of layers become greys. Plain data. */
export interface LayerGreys {
  /** The grey of each coverage, 0 to 255. */
  readonly table: Uint8Array;
  /** The dose that each coverage should give, a share of that of white; the coverage itself if absent. */
  readonly doses?: Float64Array | undefined;
  /** If present, greys are mixed of those of the panel instead. */
  readonly mix?: GreyMix | undefined;
  /** Those of the first layers, where they are exposed longer and have others. */
  readonly first?: readonly LayerGreys[] | undefined;
}

/** The greys of a layer. */
export const greysOfLayer = (greys: LayerGreys, layer: number): LayerGreys => greys.first?.[layer] ?? greys;

/** Makes the layer with the greys of a panel from that of the coverages. Overwritten by its next layer. */
export function newLayerGrader(): (coverages: LayerRuns, greys: LayerGreys) => LayerRuns {
  const [regraded, diffused] = [newRegrader(), newGreyDiffuser()];
  return (coverages, { table, mix }) => (mix ? diffused(coverages, mix) : regraded(coverages, table));
}
