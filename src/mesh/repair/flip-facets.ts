import type { Surface } from "../mesh.ts";
import { triangleCount } from "../mesh.ts";

/** The surface with the facets that `flips` names facing the other way; the same object when there are none. */
export function flipFacets(surface: Surface, flips: (facet: number) => boolean): Surface {
  const triangles = surface.triangles.slice();
  let isChanged = false;
  for (let facet = 0; facet < triangleCount(surface); facet++) {
    if (!flips(facet)) continue;
    triangles[3 * facet + 1] = surface.triangles[3 * facet + 2];
    triangles[3 * facet + 2] = surface.triangles[3 * facet + 1];
    isChanged = true;
  }
  return isChanged ? { vertices: surface.vertices, triangles } : surface;
}
