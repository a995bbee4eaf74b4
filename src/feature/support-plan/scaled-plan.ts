import { times } from "../../geometry/vector.ts";
import type { AreaShape } from "../../support/plan/support-area.ts";
import type { SupportPlan } from "../../support/plan/support-plan.ts";

/** The plan of a model whose raw mesh is scaled by a factor. Sizes of touches are those in the scene, and stay. */
export const scaledPlan = (plan: SupportPlan, factor: number): SupportPlan => ({
  ...plan,
  points: plan.points.map((point) => ({ ...point, position: times(point.position, factor) })),
  areas: plan.areas.map(({ mode, shape }) => ({ mode, shape: scaledShape(shape, factor) })),
});

function scaledShape(shape: AreaShape, factor: number): AreaShape {
  switch (shape.kind) {
    case "BALL":
      return { ...shape, centre: times(shape.centre, factor), radius: shape.radius * factor };
    case "STROKE":
      return { ...shape, points: shape.points.map((p) => times(p, factor)), radius: shape.radius * factor };
    case "FACE":
      return { ...shape, point: times(shape.point, factor) };
  }
}
