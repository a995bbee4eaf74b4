import { paired } from "../../core/paired.ts";
import { dot } from "../../geometry/vector.ts";
import type { Model } from "../../scene/project.ts";
import type { Compute } from "../../worker/compute.ts";
import { snapped } from "./snapped.ts";

/** Largest distance of a point of a plan from another mesh of its model, mm in the scene. */
const MOST_MOVED_MM = 0.5;

/** A model with another mesh: the points of its plan are on the new surface; those that are too far from it, or where it faces another way, are dropped. Areas stay. */
export async function withPlanOnMesh(model: Model, context: Compute): Promise<Model> {
  const { supportPlan, mesh, pose } = model;
  if (!supportPlan || supportPlan.points.length === 0) return model;
  const { points } = supportPlan;
  const places = points.map(({ position }) => position);
  const found = await snapped(mesh, places, context);
  const moved = paired(points, found).flatMap(([point, { position, normal, distanceMm }]) =>
    distanceMm * pose.scale <= MOST_MOVED_MM && dot(normal, point.normal) > 0 ? [{ ...point, position, normal }] : [],
  );
  const { areas } = supportPlan;
  return { ...model, supportPlan: moved.length + areas.length > 0 ? { ...supportPlan, points: moved } : undefined };
}
