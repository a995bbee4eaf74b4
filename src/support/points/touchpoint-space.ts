import { rotateVector, rotationMatrix, toModelSpace, toSceneSpace, transpose } from "../../geometry/pose.ts";
import type { PlacedMesh } from "../../mesh/placed-mesh.ts";
import type { Touchpoint } from "./touchpoint.ts";

/** A touchpoint in model space, as one in scene coordinates. */
export const toScene = (point: Touchpoint, placed: PlacedMesh): Touchpoint => ({
  ...point,
  position: toSceneSpace(placed, point.position),
  normal: rotateVector(rotationMatrix(placed.pose.orientation), point.normal),
});

/** The inverse of {@link toScene}. */
export const toModel = (point: Touchpoint, placed: PlacedMesh): Touchpoint => ({
  ...point,
  position: toModelSpace(placed, point.position),
  normal: rotateVector(transpose(rotationMatrix(placed.pose.orientation)), point.normal),
});
