import { cosSin, dot } from "../../geometry/vector.ts";
import { NO_HALFEDGE, oppositeHalfedges } from "../../mesh/edges.ts";
import { type Surface, facetNormal, vertexCount } from "../../mesh/mesh.ts";
import { unitNormal } from "../points/underside.ts";

/** The facets that are reached from one over edges at which the normals of the facets differ by less than an angle. */
export function floodFace(surface: Surface, seed: number, angleDeg: number): Set<number> {
  const { triangles } = surface;
  const opposite = oppositeHalfedges(triangles, vertexCount(surface));
  const [leastCosine] = cosSin((angleDeg * Math.PI) / 180);
  const reached = new Set([seed]);
  for (const facet of reached) {
    const normal = unitNormal(facetNormal(surface, facet));
    for (let corner = 0; corner < 3; corner++) {
      const beyond = opposite[3 * facet + corner];
      if (beyond === NO_HALFEDGE) continue;
      const next = Math.floor(beyond / 3);
      if (reached.has(next)) continue;
      if (dot(unitNormal(facetNormal(surface, next)), normal) > leastCosine) reached.add(next);
    }
  }
  return reached;
}
