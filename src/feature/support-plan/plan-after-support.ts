import type { Model } from "../../scene/project.ts";
import type { SupportPlan } from "../../support/plan/support-plan.ts";
import type { SupportTarget } from "../support/support-models.ts";
import { canonicalPoints } from "./canonical-points.ts";
import { isByHand, pointsOfPose } from "./plan-of-model.ts";

/** What automatic supports leave of a plan. */
export interface Respect {
  /** Points that a person put or locked. */
  readonly handPoints: boolean;
  readonly areas: boolean;
}

/** What new automatic supports of a model have to respect. */
export function respected({ supportPlan, pose }: Model, respect: Respect): Pick<SupportTarget, "kept" | "areas"> {
  if (!supportPlan) return {};
  const kept = respect.handPoints ? pointsOfPose(supportPlan, pose).held.filter(isByHand) : [];
  return { kept, areas: respect.areas ? supportPlan.areas : [] };
}

/**
 * The plan of a model with new automatic supports: their points, and those that rest. Undefined if nothing that a person decided is left. Areas stay
 * in the plan even where the supports did not respect them.
 */
export function planAfterSupport(
  { supportPlan, pose }: Model,
  { supports }: Pick<Model, "supports">,
  { settings, kept = [] }: Pick<SupportTarget, "settings" | "kept">,
  { handPoints }: Respect,
): SupportPlan | undefined {
  if (!supportPlan) return undefined;
  const resting = handPoints ? pointsOfPose(supportPlan, pose).resting.filter(isByHand) : [];
  const { points } = canonicalPoints([...(supports?.touchpoints ?? kept), ...resting]);
  const { areas } = supportPlan;
  return areas.length > 0 || points.some(isByHand) ? { settings, points, areas } : undefined;
}
