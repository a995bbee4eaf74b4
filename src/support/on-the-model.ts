import { toMatrix, transposed, turn } from "../mesh/pose.ts";
import { rawPlace, scenePlace } from "../mesh/raw-place.ts";
import type { Placed } from "../slice/placed.ts";
import type { Touchpoint } from "./touchpoint.ts";

/** A touchpoint in the coordinates of the raw mesh, as one in the scene that the mesh stands in. */
export const toScene = (point: Touchpoint, placed: Placed): Touchpoint => ({
  ...point,
  position: scenePlace(placed, point.position),
  normal: turn(toMatrix(placed.pose.orientation), point.normal),
});

/** {@link toScene} turned back. */
export const toRaw = (point: Touchpoint, placed: Placed): Touchpoint => ({
  ...point,
  position: rawPlace(placed, point.position),
  normal: turn(transposed(toMatrix(placed.pose.orientation)), point.normal),
});
