import { percentUnsupported, type SupportednessRequest } from "../../check/supportedness.ts";
import type { Watch } from "../../core/watch.ts";

/** How much of each model's overhangs is not held, percent. */
export const checkSupportedness = (request: SupportednessRequest, watch: Watch): number[] =>
  percentUnsupported(request, watch);
