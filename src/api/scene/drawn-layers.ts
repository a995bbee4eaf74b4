import type { JobFormat } from "../../format/job/job-writers.ts";
import { layersOf } from "../../scene/layers.ts";
import { bodiesOf } from "../../scene/model.ts";
import type { Scene } from "../../scene/project.ts";
import { isInBounds } from "../../scene/stand.ts";
import type { StackRequest } from "../../slice/stack.ts";
import type { LayerMeasures } from "../../slice/time/layer-measures.ts";
import type { DrawnLayers } from "../../worker/task/draw-layers.ts";
import type { Kit } from "../endpoint.ts";
import { ahead } from "../ahead.ts";

/**
 * Slices a scene on all threads, and encodes its layers for a job where `format` names one. They come chunk by chunk in
 * their order, a few chunks in memory at a time.
 */
export async function* drawnLayers(scene: Scene, kit: Kit, format?: JobFormat): AsyncGenerator<DrawnLayers> {
  const stack = await kit.compute("prepareStack", stackRequestOf(scene));
  yield* ahead(stack.chunkCount, (chunk) => kit.compute("drawLayers", { stack, chunk, format }));
}

/** Every model, visible or not; what stands outside of the build volume is cut off. */
function stackRequestOf(scene: Scene): StackRequest {
  const { models, setting } = scene;
  const isInside = models.every((model) => isInBounds(model, setting));
  return {
    placed: models.flatMap(bodiesOf).map(({ mesh, pose }) => ({ mesh, pose })),
    boundariesMm: layersOf(scene),
    grid: setting.printerType.raster,
    clipTo: isInside ? undefined : setting.printerType.volume,
  };
}

/** The measures of a scene's layers before any is drawn. */
export function emptyMeasures(scene: Scene): LayerMeasures {
  const boundariesMm = layersOf(scene);
  const count = boundariesMm.length - 1;
  return { boundariesMm, areasMm2: new Float64Array(count), perimetersMm: new Float64Array(count) };
}

export function takeMeasures(measures: LayerMeasures, { first, areasMm2, perimetersMm }: DrawnLayers): void {
  measures.areasMm2.set(areasMm2, first);
  measures.perimetersMm.set(perimetersMm, first);
}
