import { type Transform, isMirror, transformPoints } from "../geometry/transform.ts";
import { type Surface, flipFacets } from "../mesh/mesh.ts";

/**
 * The transformed surface; it may share its triangles with the original. A mirrored body is flipped, so that its facets still face
 * outward.
 */
export function placeSurface(surface: Surface, transform: Transform): Surface {
  const vertices = new Float64Array(surface.vertices.length);
  transformPoints(surface.vertices, transform, vertices, 0);
  const placed = { vertices, triangles: surface.triangles };
  return isMirror(transform) ? flipFacets(placed, () => true) : placed;
}
