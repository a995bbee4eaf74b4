import { exactLength, type Vec3 } from "../../../core/geometry.ts";
import { bodiesOf, bodyVolumes, closedBodies } from "../../bodies.ts";
import { edgesOf } from "../../edges.ts";
import { type Surface, vertexCount } from "../../mesh.ts";
import { facetNormal } from "../facet-normal.ts";
import { keepFacets } from "../keep-facets.ts";

/**
 * Drops closed bodies that a cut has left and that are thinner than `thicknessMm`, those with a vertex from number `firstNew`
 * on: rounding decides which way they face.
 */
export function dropSpecks(surface: Surface, firstNew: number, thicknessMm: number): Surface {
  const { triangles } = surface;
  const edges = edgesOf(triangles, vertexCount(surface));
  const bodies = bodiesOf(surface, edges);
  const isClosed = closedBodies(surface, edges, bodies);
  const volumes = bodyVolumes(surface, bodies);
  const isNew = new Uint8Array(bodies.count);
  const areas = new Float64Array(bodies.count);
  for (let facet = 0; facet < bodies.bodyOf.length; facet++) {
    const body = bodies.bodyOf[facet];
    const corners = triangles.subarray(3 * facet, 3 * facet + 3);
    if (corners.some((v) => v >= firstNew)) isNew[body] = 1;
    areas[body] += areaOf(surface, corners);
  }
  // A plate of area a on either side, and so thick, has the volume a · thickness.
  const isSpeck = (body: number): boolean =>
    isNew[body] === 1 && isClosed[body] === 1 && Math.abs(volumes[body]) < (areas[body] / 2) * thicknessMm;
  return keepFacets(surface, (facet) => !isSpeck(bodies.bodyOf[facet]));
}

function areaOf({ vertices }: Surface, corners: Uint32Array): number {
  const [a, b, c] = [...corners].map((v): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]]);
  return exactLength(facetNormal(a!, b!, c!)) / 2;
}
