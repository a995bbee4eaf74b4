import type { Vec3 } from "../../core/geometry.ts";
import { cross, dot, exactLength, subtract } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";

/** Between fills of equal area, as in every flat hole, the one with the shorter edges: this share of their squares. */
const EDGE_WEIGHT = 1e-4;
/** Cosine of the angle to a facet at the rim, beyond which a facet lies on it instead of going on. */
const FOLDED = -0.999;
/** A facet with less area than this share of its edges' squares counts as flat. */
const FLAT_SHARE = 1e-9;

/**
 * The triangulation of a loop, counter-clockwise seen from outside, that has the least area, as triples of its corners.
 * Avoids flat facets, facets that lie on those beyond the rim, whose normals are given for the edge from each corner to the
 * next, and inner edges that `isTaken` tells are in the mesh already, if that can be done.
 * Dynamic programming over the sub-chains of the loop: G. T. Klincsek 1980; P. Liepa, "Filling Holes in Meshes", 2003.
 */
export function leastAreaFill(
  corners: readonly Vec3[],
  rimNormals: readonly Vec3[],
  isTaken: (i: number, j: number) => boolean,
  watch: Watch,
): [number, number, number][] {
  const n = corners.length;
  const squared = (i: number, j: number): number => {
    const way = subtract(corners[i], corners[j]);
    return dot(way, way);
  };
  const perimeter = corners.reduce((sum, _, i) => sum + Math.sqrt(squared(i, (i + 1) % n)), 0);
  // One fault costs more than any fill without: that has fewer than n facets, none as large as the perimeter's square.
  const fault = n * perimeter * perimeter;
  const costs = new Float64Array(n * n);
  const middles = new Uint16Array(n * n);
  for (let span = 2; span < n; span++) {
    watch.report((span / n) ** 2);
    for (let i = 0; i + span < n; i++) {
      const j = i + span;
      const isInner = span < n - 1;
      const edge = squared(i, j);
      let best = Infinity;
      for (let k = i + 1; k < j; k++) {
        const sides = costs[n * i + k] + costs[n * k + j];
        if (sides >= best) continue;
        const normal = cross(subtract(corners[k], corners[i]), subtract(corners[j], corners[i]));
        const area = exactLength(normal) / 2;
        const isFlat = area <= FLAT_SHARE * (edge + squared(i, k) + squared(k, j));
        const lies = (at: number): boolean => dot(normal, rimNormals[at]) < FOLDED * 2 * area;
        const isFolded = (k === i + 1 && lies(i)) || (j === k + 1 && lies(k)) || (!isInner && lies(j));
        const cost = sides + area + (isFlat || isFolded ? fault : 0);
        if (cost >= best) continue;
        best = cost;
        middles[n * i + j] = k;
      }
      costs[n * i + j] = best + (isInner ? EDGE_WEIGHT * edge + (isTaken(i, j) ? fault : 0) : 0);
    }
  }
  const facets: [number, number, number][] = [];
  const open: [number, number][] = [[0, n - 1]];
  for (let chain = open.pop(); chain !== undefined; chain = open.pop()) {
    const [i, j] = chain;
    if (j - i < 2) continue;
    const k = middles[n * i + j];
    facets.push([i, k, j]);
    open.push([i, k], [k, j]);
  }
  return facets;
}
