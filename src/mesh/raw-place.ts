import { add, type Box, centreOf, subtract, times, unit, type Vec3 } from "../core/geometry.ts";
import { type Pose, toMatrix, transposed, turn } from "./pose.ts";

/** A mesh as it stands. */
interface Standing {
  readonly mesh: { readonly box: Box };
  readonly pose: Pose;
}

/** The place in the scene of a point in the coordinates of the raw mesh. */
export const scenePlace = ({ mesh, pose }: Standing, point: Vec3): Vec3 =>
  add(pose.position, turn(toMatrix(pose.orientation), times(subtract(point, centreOf(mesh.box)), pose.scale)));

/** The point in the coordinates of the raw mesh at a place in the scene. */
export const rawPlace = ({ mesh, pose }: Standing, place: Vec3): Vec3 =>
  add(
    centreOf(mesh.box),
    times(turn(transposed(toMatrix(pose.orientation)), subtract(place, pose.position)), 1 / pose.scale),
  );

/** A direction in the scene as a unit vector of the raw mesh, rounded: engines may differ in the last bits of sines. */
export function rawDirection({ orientation }: Pose, direction: Vec3): Vec3 {
  const [x, y, z] = turn(transposed(toMatrix(orientation)), direction);
  return unit([Math.fround(x), Math.fround(y), Math.fround(z)]);
}
