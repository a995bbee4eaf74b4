import type { Watch } from "../../core/watch.ts";
import { type Surface, triangleCount } from "../mesh.ts";
import { alikeFacets } from "./alike-facets.ts";
import { keepFacets } from "./keep-facets.ts";

/**
 * Of facets with the same three corners, keeps one that faces the way most of them do; when as many face either way,
 * they enclose nothing and all go.
 */
export function dropDuplicates(surface: Surface, watch: Watch): Surface {
  const isDropped = new Uint8Array(triangleCount(surface));
  for (const { up, down } of alikeFacets(surface, watch)) {
    for (const facet of [...up, ...down]) isDropped[facet] = 1;
    if (up.length !== down.length) isDropped[(up.length > down.length ? up : down)[0]!] = 0;
  }
  return keepFacets(surface, (facet) => isDropped[facet] === 0);
}
