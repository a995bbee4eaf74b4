import { times, type Vec3 } from "../../core/geometry.ts";

/** The direction of a vector that is not zero. Roots are exact in every engine, unlike `Math.hypot`. */
export const unit = ([x, y, z]: Vec3): Vec3 => times([x, y, z], 1 / Math.sqrt(x * x + y * y + z * z));
