import type { Vec3 } from "../../geometry/vector.ts";
import type { Circle } from "./fitted-circle.ts";

/** Something on the surface of a mesh that can be measured. Lengths are in the units of its coordinates. */
export type Feature =
  | { readonly kind: "corner"; readonly point: Vec3 }
  /** A place on a curved surface. */
  | { readonly kind: "place"; readonly point: Vec3 }
  | { readonly kind: "edge"; readonly from: Vec3; readonly to: Vec3 }
  | ({ readonly kind: "circle" } & Circle)
  | {
      readonly kind: "face";
      /** Centre of the area. */
      readonly centre: Vec3;
      /** Outward unit normal. */
      readonly normal: Vec3;
      readonly area: number;
      /** Loops around the face and around its holes. */
      readonly rims: readonly (readonly Vec3[])[];
    };
