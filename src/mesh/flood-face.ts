import { cosSin } from "../geometry/vector.ts";
import { type Surface, setFacetNormal } from "./mesh.ts";

/**
 * The facets that are reached from one over edges at which the normals of the facets differ by less than an angle, in the order in which they
 * are reached. Each of them gives the same face. Facets without area face down. `opposite` has for each halfedge 3t + k, from corner k of
 * facet t to the next, the opposite one; numbers above all halfedges say that there is none.
 */
export function floodFace(
  { vertices, triangles }: Surface,
  opposite: Uint32Array,
  seed: number,
  angleDeg: number,
): number[] {
  const [leastCosine] = cosSin((angleDeg * Math.PI) / 180);
  const isReached = new Uint8Array(triangles.length / 3);
  isReached[seed] = 1;
  const reached = [seed];
  const [normal, beside] = [new Float64Array(3), new Float64Array(3)];
  for (const facet of reached) {
    setUnitNormal(normal, vertices, triangles, facet);
    for (let halfedge = 3 * facet; halfedge < 3 * facet + 3; halfedge++) {
      const beyond = opposite[halfedge];
      if (beyond >= triangles.length) continue;
      const next = Math.floor(beyond / 3);
      if (isReached[next] === 1) continue;
      setUnitNormal(beside, vertices, triangles, next);
      if (normal[0] * beside[0] + normal[1] * beside[1] + normal[2] * beside[2] <= leastCosine) continue;
      isReached[next] = 1;
      reached.push(next);
    }
  }
  return reached;
}

function setUnitNormal(
  normal: Float64Array,
  vertices: Surface["vertices"],
  triangles: Uint32Array,
  facet: number,
): void {
  setFacetNormal(normal, vertices, triangles, facet);
  const size = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  if (size === 0) {
    normal[2] = -1;
    return;
  }
  for (let axis = 0; axis < 3; axis++) normal[axis] /= size;
}
