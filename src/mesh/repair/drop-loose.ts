import type { Surface } from "../mesh.ts";
import { keepFacets } from "./keep-facets.ts";

/**
 * Drops facets whose corners no other facet has. A fill of the hole that their rim is would lie on them, face the other way
 * and go with them.
 */
export function dropLoose(surface: Surface): Surface {
  const { vertices, triangles } = surface;
  const uses = new Uint32Array(vertices.length / 3);
  for (const v of triangles) uses[v]++;
  return keepFacets(
    surface,
    (facet) =>
      uses[triangles[3 * facet]] > 1 || uses[triangles[3 * facet + 1]] > 1 || uses[triangles[3 * facet + 2]] > 1,
  );
}
