import type { Watch } from "../../core/watch.ts";
import * as hollow from "../../solid/hollow/hollow-plan.ts";
import { partOf, type Share } from "../share.ts";

/** Shares of a hollow's progress at which its steps are done; the last step is drilling. */
export const PLANNED = 0.05;
export const FILLED = 0.65;
export const COMPOSED = 0.67;
export const WALLED = 0.8;
export const JOINED = 0.95;

export const planHollow = (share: Share<hollow.HollowRequest>, watch: Watch): hollow.HollowPlan =>
  hollow.planHollow(share.request, partOf(share, watch).part(0, PLANNED));
