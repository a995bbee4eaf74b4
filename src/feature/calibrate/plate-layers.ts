import { drawPlateLayers, litPixels } from "../../calibrate/draw-plate.ts";
import { planPlate } from "../../calibrate/plate-plan.ts";
import type { PlateFacts } from "../../calibrate/plate-shape.ts";
import { must } from "../../core/must.ts";
import type { Progress } from "../../core/progress.ts";
import type { JobFormat } from "../../job/job-writers.ts";
import { LAYER_ENCODERS } from "../../job/layer-encoders.ts";
import { layerImageSize } from "../../slice/pixel-grid.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import type { RasterisedLayers } from "../slice/rasterise-layers.ts";

export interface PlateLayersRequest {
  readonly facts: PlateFacts;
  readonly first: number;
  /** The layer after the last one. */
  readonly end: number;
  readonly format: JobFormat;
}

const planned = (facts: PlateFacts) => must(planPlate(facts), "The plan of a plate that fits the panel");

/** Draws some layers of a plate, for its job. */
export async function plateLayers(
  { facts, first, end, format }: PlateLayersRequest,
  progress: Progress,
): Promise<RasterisedLayers> {
  const encode = LAYER_ENCODERS[format];
  const { pixelMm } = layerImageSize(facts.grid);
  const areasMm2: number[] = [];
  const encoded: unknown[] = [];
  const take = (layer: LayerRuns): void => {
    areasMm2.push(litPixels(layer) * pixelMm[0] * pixelMm[1]);
    encoded.push(encode(layer, pixelMm));
  };
  await drawPlateLayers(planned(facts), facts.grid, [first, end], take, progress);
  return { first, areasMm2, perimetersMm: areasMm2.map(() => 0), encoded };
}
