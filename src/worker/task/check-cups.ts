import type { Watch } from "../../core/watch.ts";
import type { CheckRequest } from "../../check/body.ts";
import { countCups } from "../../check/cups.ts";

/** How many cups each model has. */
export const checkCups = (request: CheckRequest, watch: Watch): number[] => countCups(request, watch);
