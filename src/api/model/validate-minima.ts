import { checkRequestOf } from "./check-request.ts";
import { count, printabilityCheck } from "./printability.ts";

export const validateMinima = printabilityCheck({
  name: "minima",
  summary: "How many regions of each model begin in the air, with nothing below and no support to hold them.",
  field: "minima_count",
  value: count,
  run: (scene, kit) => kit.compute("checkMinima", checkRequestOf(scene)),
});
