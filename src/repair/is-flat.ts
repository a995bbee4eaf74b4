import { boxOf } from "../geometry/box.ts";
import { dot, exactLength, subtract } from "../geometry/vector.ts";
import { cornersOf, facetNormal, type Surface, triangleCount, vertexAt } from "../mesh/mesh.ts";
import { weldToleranceMm } from "./resolve-self-intersections.ts";

/** Whether all vertices are in the plane of the largest facet, within rounding. Such a surface encloses nothing. */
export function isFlat(surface: Surface): boolean {
  let [largest, area] = [0, 0];
  for (let facet = 0; facet < triangleCount(surface); facet++) {
    const size = exactLength(facetNormal(surface, facet));
    if (size > area) [largest, area] = [facet, size];
  }
  const [normal, [origin]] = [facetNormal(surface, largest), cornersOf(surface, largest)];
  const toleranceMm = weldToleranceMm(boxOf(surface.vertices), 0);
  for (const v of surface.triangles) {
    if (Math.abs(dot(normal, subtract(vertexAt(surface, v), origin))) > toleranceMm * area) return false;
  }
  return true;
}
