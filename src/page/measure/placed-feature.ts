import { type Vec3, add, cross, length, subtract, times, unit } from "../../geometry/vector.ts";
import { type Mat4, transformed } from "../view/instances.ts";
import type { Feature } from "./features.ts";
import type { Circle } from "./fitted-circle.ts";

/** Moves a feature to the scene. `matrix` is a rotation with a uniform scale, and a translation. */
export function placedFeature(feature: Feature, matrix: Mat4): Feature {
  const toScene = (point: Vec3): Vec3 => transformed(matrix, point);
  const origin = toScene([0, 0, 0]);
  const scale = length(subtract(toScene([1, 0, 0]), origin));
  const turned = (normal: Vec3): Vec3 => unit(subtract(toScene(normal), origin));
  switch (feature.kind) {
    case "edge":
      return { kind: "edge", from: toScene(feature.from), to: toScene(feature.to) };
    case "circle": {
      const { centre, normal, radius } = feature;
      return { kind: "circle", centre: toScene(centre), normal: turned(normal), radius: radius * scale };
    }
    case "face": {
      const { centre, normal, area, rims } = feature;
      return {
        kind: "face",
        centre: toScene(centre),
        normal: turned(normal),
        area: area * scale * scale,
        rims: rims.map((rim) => rim.map(toScene)),
      };
    }
    default:
      return { ...feature, point: toScene(feature.point) };
  }
}

/** Number of corners with which a circle is drawn. */
const CIRCLE_PIECES = 64;

/** Points on a circle, of which the first is also the last. */
export function circlePoints({ centre, normal, radius }: Circle): Vec3[] {
  const side = Math.abs(normal[0]) < 0.5 ? ([1, 0, 0] as const) : ([0, 1, 0] as const);
  const u = times(unit(cross(normal, side)), radius);
  const v = cross(normal, u);
  return Array.from({ length: CIRCLE_PIECES + 1 }, (_, i): Vec3 => {
    const angle = (2 * Math.PI * i) / CIRCLE_PIECES;
    return add(centre, add(times(u, Math.cos(angle)), times(v, Math.sin(angle))));
  });
}
