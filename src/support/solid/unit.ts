import { times, type Vec3 } from "../../core/geometry.ts";

/** The length of a vector to the same bit in every engine, which `Math.hypot` does not promise. */
export const exactLength = ([x, y, z]: Vec3): number => Math.sqrt(x * x + y * y + z * z);

/** The direction of a vector: the same of length 1. */
export const unit = (vector: Vec3): Vec3 => times(vector, 1 / exactLength(vector));
