import type { Vec3 } from "../../geometry/vector.ts";

/** Unit vectors of the axes. */
export const AXES: readonly [Vec3, Vec3, Vec3] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
export const AXIS_NAMES = ["x", "y", "z"] as const;
/** The other two axes of each axis, in the order of a right-handed system. */
export const OTHER_AXES = [
  [1, 2],
  [2, 0],
  [0, 1],
] as const;
