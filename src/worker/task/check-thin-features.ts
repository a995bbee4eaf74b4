import { type ThinFeatures, thinFeatures, type ThinRequest } from "../../check/thin/thin-features.ts";
import type { Watch } from "../../core/watch.ts";
import { partOf, type Share } from "../share.ts";

/** Where a model is thinner than a threshold. */
export const checkThinFeatures = (share: Share<ThinRequest>, watch: Watch): ThinFeatures =>
  thinFeatures(share.request, partOf(share, watch));
