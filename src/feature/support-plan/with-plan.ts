import { must } from "../../core/must.ts";
import { placeModel } from "../../scene/placement.ts";
import type { Model, Scene } from "../../scene/project.ts";
import type { SupportPlan } from "../../support/plan/support-plan.ts";
import type { Compute } from "../../worker/compute.ts";
import { supportModels } from "../support/support-models.ts";
import { pointsOfPose } from "./plan-of-model.ts";

interface PlannedModel {
  readonly model: Model;
  readonly warnings: readonly string[];
  /** Indices of the points that no support reaches. */
  readonly unreached: readonly number[];
}

/** The model with supports at the points of a plan, or without supports if it has none that face down. */
export async function withPlan(model: Model, plan: SupportPlan, scene: Scene, context: Compute): Promise<PlannedModel> {
  const { setting } = scene;
  const supportPlan = plan.points.length + plan.areas.length > 0 ? plan : undefined;
  const { held } = pointsOfPose(plan, model.pose);
  if (held.length === 0) {
    return {
      model: { ...placeModel({ ...model, supports: undefined, lostSupports: undefined }, setting), supportPlan },
      warnings: [],
      unreached: [],
    };
  }
  const target = { model, settings: plan.settings, touchpoints: held, areas: plan.areas };
  const { models, answer } = await supportModels([target], setting, context);
  const supported = { ...must(models[0], "The supported model"), supportPlan };
  const touches = supported.supports?.routed?.tree.touches;
  const isReached = new Map(held.map((point, i) => [point, (touches?.[i] ?? -1) >= 0]));
  const unreached = plan.points.flatMap((point, i) => (isReached.get(point) === false ? [i] : []));
  return { model: supported, warnings: answer.warnings, unreached };
}
