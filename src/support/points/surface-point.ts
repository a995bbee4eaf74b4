import { cross, dot, subtract, times, type Vec3 } from "../../core/geometry.ts";
import type { Surface } from "../../mesh/mesh.ts";

/** A place of a surface and its outward normal there, of length 1. */
export interface SurfacePoint {
  readonly position: Vec3;
  readonly normal: Vec3;
}

export const DOWN: Vec3 = [0, 0, -1];

export const vertexAt = ({ vertices }: Surface, vertex: number): Vec3 => [
  vertices[3 * vertex],
  vertices[3 * vertex + 1],
  vertices[3 * vertex + 2],
];

/** Outward, as long as twice the facet's area. */
export function areaNormalOf(surface: Surface, facet: number): Vec3 {
  const { triangles } = surface;
  const a = vertexAt(surface, triangles[3 * facet]);
  const u = subtract(vertexAt(surface, triangles[3 * facet + 1]), a);
  const v = subtract(vertexAt(surface, triangles[3 * facet + 2]), a);
  return cross(u, v);
}

/** The same of length 1; straight down where there is no direction. */
export function directionOf(normal: Vec3): Vec3 {
  const size = Math.sqrt(dot(normal, normal));
  return size > 0 ? times(normal, 1 / size) : DOWN;
}

/** The point at x, y of a facet that is not upright. */
export function pointOn(surface: Surface, facet: number, x: number, y: number): SurfacePoint {
  const normal = areaNormalOf(surface, facet);
  const [ax, ay, az] = vertexAt(surface, surface.triangles[3 * facet]);
  const z = az - (normal[0] * (x - ax) + normal[1] * (y - ay)) / normal[2];
  return { position: [x, y, z], normal: directionOf(normal) };
}
