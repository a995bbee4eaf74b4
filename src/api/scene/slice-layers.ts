import { inTurns } from "../../core/in-turns.ts";
import { mapConcurrent } from "../../core/map-concurrent.ts";
import type { JobFormat } from "../../job/job-writers.ts";
import { layerBoundariesOf } from "../../scene/layers.ts";
import { isInBounds } from "../../scene/placement.ts";
import { type Scene, printedBodies } from "../../scene/project.ts";
import type { LayerMeasures } from "../../slice/print-time.ts";
import { coarserGrid } from "../../slice/pixel-grid.ts";
import type { StackRequest } from "../../slice/stack.ts";
import type { RasterisedLayers } from "../../worker/slice.ts";
import type { RequestContext } from "../endpoint.ts";

/** Layers that are only measured are drawn with pixels of this size: larger ones take no less time. */
const MEASURING_PIXEL_MM = 0.4;

/**
 * Slices a scene on all threads, and encodes its layers for the job of `format`. Yields the chunks of layers in their
 * order; only a few of them are in memory at once.
 */
export async function* sliceLayers(
  scene: Scene,
  context: RequestContext,
  format?: JobFormat,
): AsyncGenerator<RasterisedLayers> {
  const request = await stackRequestOf(scene);
  const grid = format ? request.grid : coarserGrid(request.grid, MEASURING_PIXEL_MM);
  const stack = await context.compute("prepareStack", { ...request, grid });
  yield* mapConcurrent(stack.chunkCount, (chunk) => context.compute("rasteriseLayers", { stack, chunk, format }));
}

/** All models, also hidden ones. What is outside the build volume is clipped. */
async function stackRequestOf(scene: Scene): Promise<StackRequest> {
  const { models, setting } = scene;
  const { raster, volume } = setting.printerType;
  return {
    placed: models.flatMap(printedBodies).map(({ mesh, pose }) => ({ mesh, pose })),
    boundariesMm: await inTurns(layerBoundariesOf(scene)),
    grid: raster,
    ...(models.some((model) => !isInBounds(model, setting)) && { clipTo: volume }),
  };
}

/** Measures of the layers between these boundaries, to be filled by {@link recordMeasures}. */
export function emptyMeasures(boundariesMm: Float64Array): LayerMeasures {
  const count = boundariesMm.length - 1;
  return { boundariesMm, areasMm2: new Float64Array(count), perimetersMm: new Float64Array(count) };
}

export function recordMeasures(measures: LayerMeasures, { first, areasMm2, perimetersMm }: RasterisedLayers): void {
  measures.areasMm2.set(areasMm2, first);
  measures.perimetersMm.set(perimetersMm, first);
}
