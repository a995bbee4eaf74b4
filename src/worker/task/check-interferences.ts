import { type InterferenceRequest, interferences } from "../../check/interferences/interferences.ts";
import type { Watch } from "../../core/watch.ts";
import { partOf, type Share } from "../share.ts";

/** Share of a request's progress at which the trees stand. */
const GROWN = 0.4;

/** Those pairs of models that overlap or stand too near each other. */
export const checkInterferences = (share: Share<InterferenceRequest>, watch: Watch): Uint32Array =>
  interferences(share.request, partOf(share, watch.part(GROWN, 1)));
