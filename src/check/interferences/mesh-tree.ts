import { shared } from "../../core/shared.ts";
import type { Watch } from "../../core/watch.ts";
import { type FacetTree, facetTree } from "../../mesh/bvh/facet-tree.ts";
import { isFlat } from "../../mesh/degenerate.ts";
import { newDisjointSets } from "../../mesh/disjoint-sets.ts";
import { type Mesh, vertexCount } from "../../mesh/mesh.ts";

/** A raw mesh for questions about what is near and what is inside, in shared memory. */
export interface MeshTree {
  readonly tree: FacetTree;
  /** Of each part whose facets hang together by corners: the place in the tree of one that has area. */
  readonly partFacets: Uint32Array;
}

export function meshTree(mesh: Mesh, watch: Watch): MeshTree {
  const { boxes, links, facets, corners } = facetTree(mesh, watch);
  const tree = { boxes: shared(boxes), links: shared(links), facets: shared(facets), corners: shared(corners) };
  return { tree, partFacets: partFacetsOf(mesh, facets) };
}

function partFacetsOf(mesh: Mesh, facets: Uint32Array): Uint32Array {
  const { triangles } = mesh;
  const sets = newDisjointSets(vertexCount(mesh));
  for (let at = 0; at < triangles.length; at += 3) {
    sets.join(triangles[at], triangles[at + 1]);
    sets.join(triangles[at], triangles[at + 2]);
  }
  const isKnown = new Uint8Array(vertexCount(mesh));
  const found: number[] = [];
  for (const [place, facet] of facets.entries()) {
    const part = sets.find(triangles[3 * facet]);
    if (isKnown[part] === 1 || isFlat(mesh, facet)) continue;
    isKnown[part] = 1;
    found.push(place);
  }
  return Uint32Array.from(found);
}
