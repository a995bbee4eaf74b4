import { type Transform, isMirror, transformPoints } from "../geometry/transform.ts";
import { type Surface, flipFacets } from "../mesh/mesh.ts";

/** A surface with a transform applied. A mirrored body is flipped, so that its facets look outward still. */
export function placeSurface(surface: Surface, transform: Transform): Surface {
  const vertices = new Float64Array(surface.vertices.length);
  transformPoints(surface.vertices, transform, vertices, 0);
  return flipFacets({ vertices, triangles: surface.triangles }, () => isMirror(transform));
}
