import type { Watch } from "../../core/watch.ts";
import { type FacetTree, facetTree } from "../bvh/facet-tree.ts";
import { distanceTo } from "../bvh/nearest-point.ts";
import type { Surface } from "../mesh.ts";

/** Facets looked at, at most: more change little. */
const MOST_SAMPLES = 100_000;
const SAMPLES_PER_REPORT = 1024;

/** How far two surfaces lie apart, mm: the farthest that a corner or the middle of a facet of one is from the other. */
export function deviationMm(one: Surface, other: Surface, watch: Watch): number {
  const [toOther, toOne] = [facetTree(other, watch.part(0, 0.1)), facetTree(one, watch.part(0.1, 0.2))];
  return Math.max(farthestFrom(toOther, one, watch.part(0.2, 0.6)), farthestFrom(toOne, other, watch.part(0.6, 1)));
}

/** The farthest that a corner or the middle of a facet of a surface is from what a tree holds, mm. */
export function farthestFrom(tree: FacetTree, { vertices, triangles }: Surface, watch: Watch): number {
  const facets = triangles.length / 3;
  const stride = Math.ceil(facets / MOST_SAMPLES);
  let farthest = 0;
  for (let facet = 0; facet < facets; facet += stride) {
    if (facet % (SAMPLES_PER_REPORT * stride) === 0) watch.report(facet / facets);
    const middle: [number, number, number] = [0, 0, 0];
    for (let corner = 3 * facet; corner < 3 * facet + 3; corner++) {
      const v = 3 * triangles[corner];
      for (let axis = 0; axis < 3; axis++) middle[axis] += vertices[v + axis] / 3;
      farthest = Math.max(farthest, distanceTo(tree, [vertices[v], vertices[v + 1], vertices[v + 2]], Infinity));
    }
    farthest = Math.max(farthest, distanceTo(tree, middle, Infinity));
  }
  return farthest;
}
