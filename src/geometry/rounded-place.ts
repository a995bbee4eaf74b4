import { type Vec3, mapVec3 } from "./vector.ts";

/** Coordinates are rounded to nanometres, so that the way of a point through the coordinates of a scene and back does not move it. */
const STEPS_PER_MM = 1e6;

/** The coordinates of a point in whole nanometres; −0 is 0. */
export const roundedPlace = (point: Vec3): Vec3 =>
  mapVec3(point, (mm) => Math.round(mm * STEPS_PER_MM) / STEPS_PER_MM + 0);
