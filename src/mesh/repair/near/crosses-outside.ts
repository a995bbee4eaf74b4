import type { Watch } from "../../../core/watch.ts";
import { type FacetTree, facetTree } from "../../bvh/facet-tree.ts";
import { type Mesh, triangleCount } from "../../mesh.ts";
import { keepFacets } from "../keep-facets.ts";
import { treesCross } from "../trees-cross.ts";
import { placeName } from "./rim-of.ts";

/** Whether facets of a patch that were not there before cross facets of the whole tree outside of the region of the patch. */
export function crossesOutside(
  patch: Mesh,
  before: Mesh,
  whole: FacetTree,
  isInRegion: Uint8Array,
  watch: Watch,
): boolean {
  const known = new Set(Array.from({ length: triangleCount(before) }, (_, facet) => facetName(before, facet)));
  const changed = keepFacets(patch, (facet) => !known.has(facetName(patch, facet)));
  if (triangleCount(changed) === 0) return false;
  return treesCross(facetTree(changed, watch), whole, (facet) => isInRegion[facet] === 0, watch);
}

/** Equal for facets with the same corners, of meshes in canonical form. */
const facetName = ({ vertices, triangles }: Mesh, facet: number): string =>
  [0, 1, 2].map((k) => placeName(vertices, triangles[3 * facet + k])).join();
