import type { Watch } from "../../core/watch.ts";
import { makeWellComposed } from "../../mesh/voxel/well-composed.ts";
import type { HollowPlan } from "../../solid/hollow/hollow-plan.ts";
import { partOf, type Share } from "../share.ts";
import { COMPOSED, FILLED } from "./plan-hollow.ts";

/** Makes the field of a plan, all filled in, one that has a manifold for its surface. */
export const composeCavity = (share: Share<HollowPlan>, watch: Watch): void =>
  makeWellComposed(share.request.field, partOf(share, watch).part(FILLED, COMPOSED));
