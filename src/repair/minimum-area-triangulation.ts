import type { Progress } from "../core/progress.ts";
import { dot, exactLength, subtract, triangleNormal, type Vec3 } from "../geometry/vector.ts";

/** Weight of the squared lengths of inner edges. It decides between triangulations of equal area, as in every flat hole. */
const EDGE_WEIGHT = 1e-4;
/** A triangle is folded if the cosine of its angle to the facet on the other side of the boundary is less. */
const FOLDED_COSINE = -0.999;
/** A triangle with less area than this share of the sum of its squared edges counts as flat. */
const FLAT_SHARE = 1e-9;

/**
 * The triangulation of minimum area of a loop, counter-clockwise seen from outside, as triples of indices of its corners.
 * Avoids, where possible, flat triangles, triangles folded onto the facet on the other side of a boundary edge, and inner edges that
 * exist in the mesh already (`isTaken`). `boundaryNormals` has the unit normals of these facets, first that at the edge from corner 0
 * to corner 1.
 * Dynamic programming over the sub-chains of the loop: G. T. Klincsek, "Minimal Triangulations of Polygonal Domains" (1980);
 * P. Liepa, "Filling Holes in Meshes" (2003).
 */
export function minimumAreaTriangulation(
  corners: readonly Vec3[],
  boundaryNormals: readonly Vec3[],
  isTaken: (i: number, j: number) => boolean,
  progress: Progress,
): [number, number, number][] {
  const n = corners.length;
  const squaredLength = (i: number, j: number): number => {
    const edge = subtract(corners[i], corners[j]);
    return dot(edge, edge);
  };
  const perimeter = corners.reduce((sum, _, i) => sum + Math.sqrt(squaredLength(i, (i + 1) % n)), 0);
  // More than the area of any triangulation: fewer than n triangles, each smaller than the square of the perimeter.
  const penalty = n * perimeter * perimeter;
  const costs = new Float64Array(n * n);
  const apexes = new Uint16Array(n * n);
  for (let span = 2; span < n; span++) {
    progress.report((span / n) ** 2, span * (n - span));
    for (let i = 0; i + span < n; i++) {
      const j = i + span;
      const isInner = span < n - 1;
      const edge = squaredLength(i, j);
      let best = Infinity;
      for (let k = i + 1; k < j; k++) {
        const sides = costs[n * i + k] + costs[n * k + j];
        if (sides >= best) continue;
        const normal = triangleNormal(corners[i], corners[k], corners[j]);
        const area = exactLength(normal) / 2;
        const isFlat = area <= FLAT_SHARE * (edge + squaredLength(i, k) + squaredLength(k, j));
        const isFoldedAt = (at: number): boolean => dot(normal, boundaryNormals[at]) < FOLDED_COSINE * 2 * area;
        const isFolded =
          (k === i + 1 && isFoldedAt(i)) || (j === k + 1 && isFoldedAt(k)) || (!isInner && isFoldedAt(j));
        const cost = sides + area + (isFlat || isFolded ? penalty : 0);
        if (cost >= best) continue;
        best = cost;
        apexes[n * i + j] = k;
      }
      costs[n * i + j] = best + (isInner ? EDGE_WEIGHT * edge + (isTaken(i, j) ? penalty : 0) : 0);
    }
  }
  return facetsOf(apexes, n);
}

/** The triangles of a loop of n corners. `apexes` has at n · i + j the apex of the triangle at the edge from corner i to corner j. */
function facetsOf(apexes: Uint16Array, n: number): [number, number, number][] {
  const facets: [number, number, number][] = [];
  const chains: [number, number][] = [[0, n - 1]];
  for (let chain = chains.pop(); chain !== undefined; chain = chains.pop()) {
    const [i, j] = chain;
    if (j - i < 2) continue;
    const k = apexes[n * i + j];
    facets.push([i, k, j]);
    chains.push([i, k], [k, j]);
  }
  return facets;
}
