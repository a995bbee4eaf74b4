import * as v from "valibot";
import { wireS } from "../../scene/wire-numbers.ts";
import { profileOf } from "../../catalog/profile.ts";
import { layerFactors, partVolume } from "../../catalog/shrink-factors.ts";
import { runStepwise } from "../../core/steps.ts";
import { layerBoundariesOf, printedBoundariesOf, slabbedBodiesOf } from "../../scene/layers.ts";
import type { Scene } from "../../scene/project.ts";
import { type PrintTime, estimateLayerMeasures, printTime } from "../../slice/print-time.ts";
import { type RequestContext, readsScene } from "../../api/endpoint.ts";
import type { Compute } from "../../worker/compute.ts";
import { field, object, strictObject } from "../../api/field.ts";
import { sceneId, warningsReply } from "../../api/schema.ts";
import { commonVolumesOf } from "../slice/common-volumes.ts";
import { emptyMeasures, recordMeasures, sliceLayers } from "../slice/slice-layers.ts";
import { nothingToPrint, unlitWarnings } from "../slice/unlit-models.ts";

const resinFields = {
  total_print_time_s: field(v.number(), "Time of the whole print in seconds, preprint_time_s + printing_time_s."),
  preprint_time_s: field(v.number(), "Time before the first layer in seconds: heating and filling."),
  printing_time_s: field(v.number(), "Time of all layers in seconds."),
  warnings: warningsReply,
};

/** The reply of scene/calculate-print-time by printer family (interface supplement, section 5). */
export const printTimeReply = v.union([
  object({
    ...resinFields,
    cool_to_removal_time_s: field(v.number(), "Time after the print in seconds until the parts can be taken out."),
    additional_cool_to_room_temp_time_s: field(
      v.number(),
      "Additional time in seconds until the parts are at room temperature.",
    ),
  }),
  object(resinFields),
]);

/** A print time in a response, seconds: three fields for resin, five for powder. */
export function printTimeOnWire(time: PrintTime): v.InferInput<typeof printTimeReply> {
  const [preprint, printing] = [wireS(time.preprintS), wireS(time.printingS)];
  return {
    // The sum of the rounded values in the reply.
    total_print_time_s: wireS(preprint + printing),
    preprint_time_s: preprint,
    printing_time_s: printing,
    ...(time.cooling && {
      cool_to_removal_time_s: wireS(time.cooling.toRemovalS),
      additional_cool_to_room_temp_time_s: wireS(time.cooling.thenToRoomTempS),
    }),
  };
}

export const calculatePrintTime = readsScene(
  {
    method: "POST",
    path: "/v1/scene/calculate-print-time/",
    summary:
      "Computes the print time of the scene from its sliced layers, and for powder printers also the cooling time.",
    async: true,
    body: strictObject({ scene_id: sceneId }),
    reply: printTimeReply,
  },
  async (scene, _, context) => {
    const known = calculated.get(scene) ?? (await calculatedPrintTime(scene, context));
    calculated.set(scene, known);
    const { time, warnings } = known;
    return { ...printTimeOnWire(time), ...(warnings.length > 0 && { warnings }) };
  },
);

interface Calculated {
  readonly time: PrintTime;
  readonly warnings: string[];
}

/** Print times of sliced scenes. The call is not memoized, since one request may cancel it and another one not. */
const calculated = new WeakMap<Scene, Calculated>();

/** Throws OPERATION_FAILED if there are models and no pixel of any layer is lit. */
async function calculatedPrintTime(scene: Scene, context: RequestContext): Promise<Calculated> {
  const warnings = await unlitWarnings(scene, context);
  const measures = emptyMeasures(await runStepwise(printedBoundariesOf(scene)));
  for await (const layers of sliceLayers(scene, context)) recordMeasures(measures, layers);
  if (scene.models.length > 0 && measures.areasMm2.every((areaMm2) => areaMm2 === 0))
    throw nothingToPrint(scene.models, scene);
  return { time: printTime(profileOf(scene.setting), measures), warnings };
}

export const estimatePrintTime = readsScene(
  {
    method: "POST",
    path: "/v1/scene/estimate-print-time/",
    summary:
      "Estimates the print time of the scene without slicing, from volume, layer count and profile. 0 for an empty scene.",
    async: true,
    body: strictObject({ scene_id: sceneId }),
    reply: object({ total_print_time_s: field(v.number(), "Estimated time of the whole print in seconds.") }),
  },
  async (scene, _, context) => ({ total_print_time_s: wireS((await estimatedPrintTime(scene, context)).totalS) }),
);

/** Estimated print times by scene. */
const estimated = new WeakMap<Scene, PrintTime>();

/** Estimates the print time from the slabs of the models and of their common volumes, without slicing. */
export async function estimatedPrintTime(scene: Scene, context: Compute): Promise<PrintTime> {
  const time = estimated.get(scene) ?? (await estimate());
  estimated.set(scene, time);
  return time;

  async function estimate(): Promise<PrintTime> {
    const [x, y] = partVolume(scene.setting).dimensionsMm;
    const boundariesMm = await runStepwise(layerBoundariesOf(scene));
    const bodies = await runStepwise(slabbedBodiesOf(scene.models));
    const { slabs } = await commonVolumesOf(scene, context);
    const { areasMm2, perimetersMm } = await runStepwise(estimateLayerMeasures(boundariesMm, bodies, slabs, x * y));
    const [alongX, alongY] = layerFactors(scene.setting);
    return printTime(profileOf(scene.setting), {
      boundariesMm: await runStepwise(printedBoundariesOf(scene)),
      areasMm2: areasMm2.map((areaMm2) => alongX * alongY * areaMm2),
      perimetersMm: perimetersMm.map((lengthMm) => ((alongX + alongY) / 2) * lengthMm),
    });
  }
}
