import { checkRequestOf } from "./check-request.ts";
import { count, printabilityCheck } from "./printability.ts";

export const validateCups = printabilityCheck({
  name: "cups",
  summary: "How many pockets of each model seal resin in while they are printed, as the models stand.",
  field: "cup_count",
  value: count,
  run: (scene, kit) => kit.compute("checkCups", checkRequestOf(scene)),
});
