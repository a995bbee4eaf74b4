import { isFlat } from "../degenerate.ts";
import { facetOf } from "../edges.ts";
import type { Surface } from "../mesh.ts";
import { triangleCount } from "../mesh.ts";
import { keepFacets } from "./keep-facets.ts";
import { edgesFor } from "./edges-for.ts";

/** Drops facets without area on edges of more than two facets. Others stay: they may close a seam. */
export function dropFlatFins(surface: Surface): Surface {
  const { halfEdges, runs } = edgesFor(surface);
  const isFin = new Uint8Array(triangleCount(surface));
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] <= 2) continue;
    for (const halfEdge of halfEdges.subarray(runs[edge], runs[edge + 1])) {
      if (isFlat(surface, facetOf(halfEdge))) isFin[facetOf(halfEdge)] = 1;
    }
  }
  return keepFacets(surface, (facet) => isFin[facet] === 0);
}
