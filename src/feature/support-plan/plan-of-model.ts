import { createHash } from "node:crypto";
import { memoize } from "../../core/memoize.ts";
import { rotationMatrix } from "../../geometry/pose.ts";
import { facesUp } from "./canonical-points.ts";
import type { SupportPlan } from "../../support/plan/support-plan.ts";
import type { Touchpoint } from "../../support/points/touchpoint.ts";
import type { Model } from "../../scene/project.ts";

/** The plan of a model, or that which its supports follow; undefined for a model with neither. */
export function planOf({ supportPlan, supports }: Pick<Model, "supportPlan" | "supports">): SupportPlan | undefined {
  if (supportPlan || !supports) return supportPlan;
  const { settings, touchpoints } = supports;
  return { settings, points: touchpoints, areas: [] };
}

/** Digits of {@link planHash}: those of 128 bits. */
const HASH_DIGITS = 32;

const digestOf = memoize((content: object): string =>
  createHash("sha256").update(JSON.stringify(content)).digest("hex"),
);

/** Equal for models of a mesh with the same points, areas and settings of supports, in whatever order a person put these. */
export function planHash(model: Pick<Model, "mesh" | "supportPlan" | "supports">): string {
  const plan = planOf(model);
  const content = plan && [plan.points, plan.areas, plan.settings].map(digestOf);
  const hash = createHash("sha256").update(JSON.stringify([model.mesh.hash, content]));
  return hash.digest("hex").slice(0, HASH_DIGITS);
}

/** The points of a plan that face up in the pose of the model, and those that supports hold. */
export function pointsOfPose(
  { points }: Pick<SupportPlan, "points">,
  { orientation }: Model["pose"],
): { readonly held: readonly Touchpoint[]; readonly resting: readonly Touchpoint[] } {
  const rotation = rotationMatrix(orientation);
  const resting = points.filter((point) => facesUp(point, rotation));
  return { held: resting.length === 0 ? points : points.filter((point) => !facesUp(point, rotation)), resting };
}

/** Whether a person put a point, or locked it. */
export const isByHand = ({ origin, locked }: Touchpoint): boolean => origin === "MANUAL" || locked;

/** The numbers of points, of points by hand, and of areas. */
export const planNumbers = memoize(({ points, areas }: SupportPlan) => ({
  points: points.length,
  hand: points.filter(isByHand).length,
  areas: areas.length,
}));
