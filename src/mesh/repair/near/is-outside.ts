import type { Vec3 } from "../../../core/geometry.ts";
import { newDisjointSets } from "../../disjoint-sets.ts";
import { edgesOf, facetOf } from "../../edges.ts";
import { type Surface, vertexCount } from "../../mesh.ts";
import { keepFacets } from "../keep-facets.ts";
import type { SolidAngles } from "../solid-angles.ts";

/**
 * Whether a region about crossing facets lies on the outside of a surface wherever it ends: if not, more goes than what is
 * near them. Asks one facet of each part of its rim that holds together without the crossing ones.
 */
export function isOutside(surface: Surface, isNear: Uint8Array, pairs: Uint32Array, angles: SolidAngles): boolean {
  const { vertices, triangles } = surface;
  const isCrossing = new Set(pairs);
  const facets = Uint32Array.from(isNear.keys().filter((facet) => isNear[facet] === 1));
  const region = keepFacets(surface, (facet) => isNear[facet] === 1);
  const { halfEdges, runs } = edgesOf(region.triangles, vertexCount(region));
  const sets = newDisjointSets(facets.length);
  const atRim: number[] = [];
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const uses = [...halfEdges.subarray(runs[edge], runs[edge + 1])].map(facetOf);
    if (uses.length === 1) atRim.push(uses[0]!);
    else if (uses.every((one) => !isCrossing.has(facets[one]!))) sets.join(uses[0]!, uses[1]!);
  }
  const known = new Set<number>();
  return atRim.every((one) => {
    if (known.has(sets.find(one))) return true;
    known.add(sets.find(one));
    const facet = facets[one]!;
    const [a, b, c] = [0, 1, 2].map((k) => 3 * triangles[3 * facet + k]) as [number, number, number];
    const middle = (axis: number): number => (vertices[a + axis] + vertices[b + axis] + vertices[c + axis]) / 3;
    const point: Vec3 = [middle(0), middle(1), middle(2)];
    // In the middle of a facet with nothing in front and something behind, the others go around a point half.
    return Math.round(angles(point, (other) => other === facet) - 1 / 2) === 0;
  });
}
