import type { Watch } from "../../core/watch.ts";
import type { CheckRequest } from "../../check/body.ts";
import { countMinima } from "../../check/minima.ts";

/** How many minima each model has. */
export const checkMinima = (request: CheckRequest, watch: Watch): number[] => countMinima(request, watch);
