import { add, centreOf, subtract, times, type Vec3 } from "../core/geometry.ts";
import { toMatrix, transposed, turn } from "../mesh/pose.ts";
import type { Placed } from "../slice/placed.ts";
import type { Touchpoint } from "./touchpoint.ts";

/** A touchpoint in the coordinates of the raw mesh, as one in the scene that the mesh stands in. */
export function toScene(point: Touchpoint, { mesh, pose }: Placed): Touchpoint {
  const rotation = toMatrix(pose.orientation);
  const away = times(subtract(point.position, centreOf(mesh.box)), pose.scale);
  return { ...point, position: add(pose.position, turn(rotation, away)), normal: turn(rotation, point.normal) };
}

/** {@link toScene} turned back. */
export function toRaw(point: Touchpoint, { mesh, pose }: Placed): Touchpoint {
  const back = transposed(toMatrix(pose.orientation));
  const away: Vec3 = turn(back, subtract(point.position, pose.position));
  return {
    ...point,
    position: add(centreOf(mesh.box), times(away, 1 / pose.scale)),
    normal: turn(back, point.normal),
  };
}
