import type { Watch } from "../core/watch.ts";
import { isSelfIntersecting } from "../mesh/bvh/crossing-facets.ts";
import { facetTree } from "../mesh/bvh/facet-tree.ts";
import type { Mesh } from "../mesh/mesh.ts";
import { faultsOf, survey } from "../mesh/survey.ts";

/** Whether a mesh bounds a solid, and what is wrong with it. */
export interface Manifoldness {
  /**
   * Whether every edge joins two facets, alike in which side they show, no facet is there twice and no body is inside out:
   * what an import takes without repair. Facets without area leave nothing open and may be there, and so may bodies that
   * touch at a corner or pass through each other: a winding number tells inside from outside all the same.
   */
  readonly isManifold: boolean;
  /** Edges of one facet. */
  readonly openEdgeCount: number;
  /** Edges of more than two facets. */
  readonly nonManifoldEdgeCount: number;
  /** Facets without area, those with a repeated corner included. */
  readonly degenerateFaceCount: number;
  /** Closed bodies that face inward and are no cavity. */
  readonly invertedBodyCount: number;
  /** Whether facets pass through each other, stand on each other or overlap in one plane. */
  readonly selfIntersecting: boolean;
}

/** Shares of the work at which the edges are known, and the tree stands. */
const SURVEYED = 0.3;
const PLANTED = 0.5;

export function manifoldnessOf(mesh: Mesh, watch: Watch): Manifoldness {
  const found = survey(mesh, watch.part(0, SURVEYED));
  const tree = facetTree(mesh, watch.part(SURVEYED, PLANTED));
  return {
    isManifold: faultsOf(found).length === 0,
    openEdgeCount: found.openEdges,
    nonManifoldEdgeCount: found.nonManifoldEdges,
    degenerateFaceCount: found.degenerateFacets,
    invertedBodyCount: found.invertedBodies,
    selfIntersecting: isSelfIntersecting(tree, watch.part(PLANTED, 1)),
  };
}
