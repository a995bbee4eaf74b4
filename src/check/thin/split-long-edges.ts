import type { Progress } from "../../core/progress.ts";
import { exactLength } from "../../geometry/vector.ts";
import { type Surface, facetNormal, triangleCount } from "../../mesh/mesh.ts";

/** Maximum number of facets that are added; beyond that, longer edges are allowed. */
const MAX_ADDED = 500_000;

/**
 * The same surface in facets without edges longer than `maxMm`, which is doubled until few enough facets are added. The bounding boxes
 * of long oblique facets are mostly empty, which makes a hierarchy slow. Facets are bisected at their longest edge. The midpoint of an
 * edge depends on the edge alone, so neighbours still have bit-identical corners.
 */
export function splitLongEdges(surface: Surface, maxMm: number, progress: Progress): Surface {
  let edgeMm = maxMm;
  let added = addedFacets(surface, edgeMm);
  for (; added > MAX_ADDED; added = addedFacets(surface, edgeMm)) edgeMm *= 2;
  return added === 0 ? surface : bisectEdges(surface, edgeMm * edgeMm, progress);
}

/** Approximate number of facets that are added. */
function addedFacets(surface: Surface, edgeMm: number): number {
  const { vertices, triangles } = surface;
  let pieces = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    const [a, b, c] = [3 * triangles[at], 3 * triangles[at + 1], 3 * triangles[at + 2]];
    const longest = Math.sqrt(
      Math.max(squaredDistance(vertices, a, b), squaredDistance(vertices, b, c), squaredDistance(vertices, c, a)),
    );
    if (longest <= edgeMm) continue;
    const width = exactLength(facetNormal(surface, at / 3)) / longest;
    // The pieces of an edge that is too long are between half the limit and the limit long.
    pieces += (2 * longest * (1 + width / edgeMm)) / edgeMm;
  }
  return pieces;
}

function bisectEdges(surface: Surface, maxSquare: number, progress: Progress): Surface {
  const vertices = Array.from(surface.vertices);
  const triangles: number[] = [];
  const bisect = (a: number, b: number, c: number): void => {
    const ab = squaredDistance(vertices, a, b);
    const bc = squaredDistance(vertices, b, c);
    const ca = squaredDistance(vertices, c, a);
    const longest = Math.max(ab, bc, ca);
    if (longest <= maxSquare) triangles.push(a / 3, b / 3, c / 3);
    else if (ab === longest) bisectEdge(a, b, c);
    else if (bc === longest) bisectEdge(b, c, a);
    else bisectEdge(c, a, b);
  };
  const bisectEdge = (from: number, to: number, apex: number): void => {
    const middle = vertices.length;
    for (let axis = 0; axis < 3; axis++) vertices.push((vertices[from + axis] + vertices[to + axis]) / 2);
    bisect(from, middle, apex);
    bisect(middle, to, apex);
  };
  const count = triangleCount(surface);
  for (let facet = 0; facet < count; facet++) {
    progress.report(facet / count);
    const [a, b, c] = surface.triangles.subarray(3 * facet, 3 * facet + 3);
    bisect(3 * a, 3 * b, 3 * c);
  }
  return { vertices: Float64Array.from(vertices), triangles: Uint32Array.from(triangles) };
}

/** Squared distance of two vertices, given by the offsets of their coordinates. */
function squaredDistance(vertices: ArrayLike<number>, a: number, b: number): number {
  const x = vertices[b] - vertices[a];
  const y = vertices[b + 1] - vertices[a + 1];
  const z = vertices[b + 2] - vertices[a + 2];
  return x * x + y * y + z * z;
}
