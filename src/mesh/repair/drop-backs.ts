import type { Watch } from "../../core/watch.ts";
import { newDisjointSets } from "../disjoint-sets.ts";
import { edgesOf, facetOf } from "../edges.ts";
import { type Surface, triangleCount, vertexCount } from "../mesh.ts";
import { alikeFacets } from "./alike-facets.ts";
import { keepFacets } from "./keep-facets.ts";

/**
 * Drops one of each two facets that lie back to back where a surface has them instead of a side and an inside, as files of
 * programs that show every facet from both sides do: where it would be open without them, where they are a closed body, and
 * where all facets are such. Others, such as walls between bodies that touch, stay.
 */
export function dropBacks(surface: Surface, watch: Watch): Surface {
  const alike = alikeFacets(surface, watch);
  const backs = alike.filter(({ up, down }) => up.length === down.length);
  if (backs.length === 0) return surface;
  const isFront = new Uint8Array(triangleCount(surface));
  const isFurther = new Uint8Array(isFront.length);
  for (const { up, down } of alike) {
    for (const facet of [...up, ...down].slice(1)) isFurther[facet] = 1;
    if (up.length === down.length) isFront[up[0]!] = 1;
  }
  const isAll = backs.reduce((sum, { up }) => sum + 2 * up.length, 0) === isFront.length;
  const isNeeded = isAll ? () => true : neededPatches(surface, isFront, isFurther);
  const isDropped = new Uint8Array(isFront.length);
  for (const { up, down } of backs) {
    if (isNeeded(up[0]!)) for (const facet of [...up.slice(1), ...down]) isDropped[facet] = 1;
  }
  return keepFacets(surface, (facet) => isDropped[facet] === 0);
}

/** Tells of the facets in front whether most of the rim of their patch would be open without it, or it has none. */
function neededPatches(surface: Surface, isFront: Uint8Array, isFurther: Uint8Array): (facet: number) => boolean {
  const { halfEdges, runs } = edgesOf(surface.triangles, vertexCount(surface));
  const sets = newDisjointSets(isFront.length);
  const rim: { readonly facet: number; readonly isOpen: boolean }[] = [];
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const facets = [...halfEdges.subarray(runs[edge], runs[edge + 1])]
      .map(facetOf)
      .filter((one) => isFurther[one] === 0);
    const fronts = facets.filter((one) => isFront[one] === 1);
    for (const one of fronts) sets.join(fronts[0]!, one);
    if (fronts.length % 2 === 1) rim.push({ facet: fronts[0]!, isOpen: (facets.length - fronts.length) % 2 === 1 });
  }
  const balance = new Int32Array(isFront.length);
  const hasRim = new Uint8Array(isFront.length);
  for (const { facet, isOpen } of rim) {
    balance[sets.find(facet)]! += isOpen ? 1 : -1;
    hasRim[sets.find(facet)] = 1;
  }
  return (facet) => balance[sets.find(facet)]! > 0 || hasRim[sets.find(facet)] === 0;
}
