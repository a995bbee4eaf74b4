import { type Mat3, ORIGIN } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { FacetTree } from "../bvh/facet-tree.ts";
import { facetsCross } from "../bvh/facets-cross.ts";
import { visitNearFacets } from "../bvh/near-facets.ts";

const UNTURNED: Mat3 = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Whether any facet of one surface crosses one of another, of those that `isAsked`. */
export function treesCross(
  one: FacetTree,
  other: FacetTree,
  isAsked: (facetOfOther: number) => boolean,
  watch: Watch,
): boolean {
  const stand = { rotation: UNTURNED, scale: 1, offset: ORIGIN };
  let isFound = false;
  visitNearFacets({ tree: one, ...stand }, { tree: other, ...stand }, 0, watch, (_, place, a, i, b, j) => {
    if (isAsked(other.facets[place]!) && facetsCross(a, i, b, j)) isFound = true;
    return !isFound;
  });
  return isFound;
}
