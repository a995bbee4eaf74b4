import { boxCentre } from "../geometry/box.ts";
import type { Mat3, Vec3 } from "../geometry/vector.ts";
import { type FaceImportance, type FacetedSurface, faceImportance, facetedSurface } from "../hold/face-importance.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { type VertexCells, vertexCells } from "./vertex-cells.ts";

/**
 * A mesh in its own axes at the scale it is printed, relative to the centre of its bounding box, with normals and
 * areas.
 */
export interface PartSurface extends FacetedSurface {
  /** Its vertices by cells. */
  readonly cells: VertexCells;
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
  const faceted = facetedSurface(vertices, triangles, mesh.volumeMm3 < 0 ? -1 : 1);
  const plain = new Float64Array(faceted.areas.length).fill(1);
  return {
    ...faceted,
    cells: vertexCells(vertices),
    importance: { weights: plain, marks: plain, normals: faceted.normals },
  };
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
