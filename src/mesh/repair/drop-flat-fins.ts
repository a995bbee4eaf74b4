import { isFlat } from "../degenerate.ts";
import { edgesOf, facetOf } from "../edges.ts";
import type { Surface } from "../mesh.ts";
import { triangleCount, vertexCount } from "../mesh.ts";
import { keepFacets } from "./keep-facets.ts";

/** Drops facets without area on edges of more than two facets. Others stay: they may close a seam. */
export function dropFlatFins(surface: Surface): Surface {
  const { halfEdges, runs } = edgesOf(surface.triangles, vertexCount(surface));
  const isFin = new Uint8Array(triangleCount(surface));
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] <= 2) continue;
    for (const halfEdge of halfEdges.subarray(runs[edge], runs[edge + 1])) {
      if (isFlat(surface, facetOf(halfEdge))) isFin[facetOf(halfEdge)] = 1;
    }
  }
  return keepFacets(surface, (facet) => isFin[facet] === 0);
}
