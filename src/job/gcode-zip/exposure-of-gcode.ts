import type { JobCycle, JobExposure } from "../job-exposure.ts";
import type { GcodeLayer } from "./gcode-layers.ts";

/**
 * The exposure of a job by its layers. The cycle of a layer is in two blocks of the G-code: what follows the exposure before the next
 * move in its own, the motions in the next one. Nothing follows the last layer: the motions before it are taken for normal, which are those
 * of the first layers if no other layer follows these.
 */
export function exposureOfGcode(
  layers: readonly GcodeLayer[],
  { firstS, normalS, firstLayers }: Pick<JobExposure, "firstS" | "normalS" | "firstLayers">,
): JobExposure {
  const cycleAfter = (layer: number): JobCycle => {
    const own = layers[layer];
    const next = layers[Math.min(layers.length - 1, layer + 1)];
    return {
      waitBeforeLiftS: own.waitAfterCureS,
      lift: next.lift,
      waitAfterLiftS: next.waitAfterLiftS,
      retract: next.retract,
      waitAfterRetractS: next.waitAfterRetractS,
      light: own.light,
    };
  };
  const between = layers.slice(firstLayers).findIndex(({ exposureS }) => exposureS === normalS);
  return {
    firstS,
    normalS,
    firstLayers,
    fadingLayers: between < 0 ? Math.max(0, layers.length - firstLayers) : between,
    firstCycle: cycleAfter(0),
    normalCycle: cycleAfter(layers.length - 1),
  };
}
