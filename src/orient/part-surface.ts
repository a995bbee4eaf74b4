import { boxCentre } from "../geometry/box.ts";
import type { Mat3, Vec3 } from "../geometry/vector.ts";
import { type FaceImportance, type FacetedSurface, faceImportance } from "../hold/face-importance.ts";
import type { Mesh } from "../mesh/mesh.ts";

/**
 * A mesh in its own axes at the scale it is printed, relative to the centre of its bounding box, with normals and
 * areas.
 */
export interface PartSurface extends FacetedSurface {
  /** Which facets should stay clean. */
  readonly importance: FaceImportance;
}

/** The surface with the importance of its facets, found in cells along `axes`. */
export const withImportance = (surface: PartSurface, axes: Mat3): PartSurface => ({
  ...surface,
  importance: faceImportance(surface, axes),
});

/** The surface of a mesh at a scale, all facets of equal importance. The normals of an inverted mesh are flipped. */
export function partSurface(mesh: Mesh, scale: number): PartSurface {
  const { triangles } = mesh;
  const centre = boxCentre(mesh.box);
  const vertices = new Float64Array(mesh.vertices.length);
  for (let at = 0; at < vertices.length; at++) vertices[at] = scale * (mesh.vertices[at] - centre[at % 3]);
  const normals = new Float64Array(triangles.length);
  const areas = new Float64Array(triangles.length / 3);
  const outward = mesh.volumeMm3 < 0 ? -1 : 1;
  let areaMm2 = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const a = 3 * triangles[at];
    const b = 3 * triangles[at + 1];
    const c = 3 * triangles[at + 2];
    const ux = vertices[b] - vertices[a];
    const uy = vertices[b + 1] - vertices[a + 1];
    const uz = vertices[b + 2] - vertices[a + 2];
    const vx = vertices[c] - vertices[a];
    const vy = vertices[c + 1] - vertices[a + 1];
    const vz = vertices[c + 2] - vertices[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const twice = Math.sqrt(nx * nx + ny * ny + nz * nz);
    if (!(twice > 0)) continue;
    normals[at] = (outward * nx) / twice;
    normals[at + 1] = (outward * ny) / twice;
    normals[at + 2] = (outward * nz) / twice;
    areas[at / 3] = twice / 2;
    areaMm2 += twice / 2;
  }
  const importance = { weights: new Float64Array(areas.length).fill(1), normals };
  return { vertices, triangles, normals, areas, areaMm2, importance };
}

/** The least and the greatest coordinate of points (x, y, z of each) along a direction. */
export function rangeAlong(points: Float64Array, [x, y, z]: Vec3): [least: number, greatest: number] {
  let least = Infinity;
  let greatest = -Infinity;
  for (let at = 0; at < points.length; at += 3) {
    const along = x * points[at] + y * points[at + 1] + z * points[at + 2];
    if (along < least) least = along;
    if (along > greatest) greatest = along;
  }
  return [least, greatest];
}
