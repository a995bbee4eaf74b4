import type { Vec3 } from "../../geometry/vector.ts";

/**
 * A shape on the surface of a model, in the coordinates and lengths of its raw mesh. Of a ball or a stroke only those places of the surface count
 * whose normal is within 90° of the normal where the shape was put: the far side of a thin wall stays free.
 */
export type AreaShape =
  | { readonly kind: "BALL"; readonly centre: Vec3; readonly normal: Vec3; readonly radius: number }
  /** Capsules between consecutive points; one point is a ball. `normals`: one of each point. */
  | {
      readonly kind: "STROKE";
      readonly points: readonly Vec3[];
      readonly normals: readonly Vec3[];
      readonly radius: number;
    }
  /** The facets around a point that are reached over edges at which the normals differ by less than an angle. */
  | { readonly kind: "FACE"; readonly point: Vec3; readonly normal: Vec3; readonly angleDeg: number };

/** A part of the surface that no support may touch, or that gets touchpoints at half the distance. */
export interface SupportArea {
  readonly mode: "NEVER" | "ALWAYS";
  readonly shape: AreaShape;
}
