import { cross, subtract, type Vec3 } from "../../core/geometry.ts";

/** Towards whoever sees the corners of a facet counter-clockwise, and twice as long as its area is large. */
export const facetNormal = (a: Vec3, b: Vec3, c: Vec3): Vec3 => cross(subtract(b, a), subtract(c, a));
