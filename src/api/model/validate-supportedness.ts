import * as v from "valibot";
import { supportSettingsOf } from "../../scene/support-settings.ts";
import { checkRequestOf } from "./check-request.ts";
import { printabilityCheck } from "./printability.ts";

export const validateSupportedness = printabilityCheck({
  name: "supportedness",
  summary: "How much of each model's overhangs nothing holds, as percent of their area.",
  field: "percent_unsupported",
  value: v.pipe(v.number(), v.minValue(0), v.maxValue(100)),
  run: (scene, kit) => {
    const { selfSupportingAngleDeg, bridgingDistanceMm } = supportSettingsOf(scene.setting)!;
    return kit.compute("checkSupportedness", { ...checkRequestOf(scene), selfSupportingAngleDeg, bridgingDistanceMm });
  },
});
