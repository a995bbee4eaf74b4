import type { Surface } from "../mesh.ts";
import { triangleCount } from "../mesh.ts";

/** The surface without the facets that `keeps` refuses; the same object when it keeps all. */
export function keepFacets(surface: Surface, keeps: (facet: number) => boolean): Surface {
  const kept = new Uint32Array(surface.triangles.length);
  let size = 0;
  for (let facet = 0; facet < triangleCount(surface); facet++) {
    if (!keeps(facet)) continue;
    for (let at = 3 * facet; at < 3 * facet + 3; at++) kept[size++] = surface.triangles[at];
  }
  return size === kept.length ? surface : { vertices: surface.vertices, triangles: kept.slice(0, size) };
}
