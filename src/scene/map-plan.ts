import type { Vec3 } from "../geometry/vector.ts";
import type { AreaShape } from "../support/plan/support-area.ts";
import type { SupportPlan } from "../support/plan/support-plan.ts";

/** How a change of the coordinates of a raw mesh moves what a support plan has on its surface. */
export interface SurfaceMap {
  readonly point: (point: Vec3) => Vec3;
  /** From a unit normal to a unit normal. */
  readonly normal: (normal: Vec3) => Vec3;
  /** Factor of the radii of areas. */
  readonly lengthFactor: number;
}

/** The support plan of a model whose raw mesh was changed as a whole, with its points and areas at the same places of the surface. */
export const mapPlan = (plan: SupportPlan, map: SurfaceMap): SupportPlan => ({
  ...plan,
  points: plan.points.map((point) => ({
    ...point,
    position: map.point(point.position),
    normal: map.normal(point.normal),
  })),
  areas: plan.areas.map(({ mode, shape }) => ({ mode, shape: mappedShape(shape, map) })),
});

function mappedShape(shape: AreaShape, { point, normal, lengthFactor }: SurfaceMap): AreaShape {
  switch (shape.kind) {
    case "BALL":
      return {
        ...shape,
        centre: point(shape.centre),
        normal: normal(shape.normal),
        radius: shape.radius * lengthFactor,
      };
    case "STROKE":
      return {
        ...shape,
        points: shape.points.map(point),
        normals: shape.normals.map(normal),
        radius: shape.radius * lengthFactor,
      };
    case "FACE":
      return { ...shape, point: point(shape.point), normal: normal(shape.normal) };
  }
}
