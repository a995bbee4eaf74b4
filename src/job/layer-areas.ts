import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";
import { shapeKernel } from "./shape-kernel.ts";

/** Areas of a layer in pixels, in which a grey pixel counts by its value. Plain data. */
export interface LayerAreas {
  readonly solidPixels: number;
  /** Of the largest and the smallest region; a region is a set of lit pixels that are connected by their sides. 0 without regions. */
  readonly largestPixels: number;
  readonly smallestPixels: number;
  readonly regions: number;
  /** First and last column and row with lit pixels; absent for an empty layer. */
  readonly box?: LayerBox;
}

export interface LayerBox {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Areas of a layer and of its regions, in time proportional to the number of runs (`region-areas.as.ts`). */
export function layerAreas(layer: LayerRuns): LayerAreas {
  const { exports } = shapeKernel(layer);
  exports.joinRegions();
  const areas = {
    solidPixels: exports.solid.value,
    largestPixels: exports.largest.value,
    smallestPixels: exports.smallest.value,
    regions: exports.regions.value,
  };
  if (areas.regions === 0) return areas;
  const { minX, minY, maxX, maxY } = exports;
  return { ...areas, box: { minX: minX.value, minY: minY.value, maxX: maxX.value, maxY: maxY.value } };
}
