import type { Progress } from "../core/progress.ts";
import { selfIntersectionFact } from "../mesh/mesh-facts.ts";
import { describeDefects, meshReport } from "../mesh/mesh-report.ts";
import type { Mesh } from "../mesh/mesh.ts";

/** Whether a mesh bounds a solid, and the defects of the mesh. */
export interface Manifoldness {
  /**
   * Whether every edge joins two consistently oriented facets, no facet is duplicated and no body is inside out. Such a mesh is
   * imported without repair. Degenerate facets are allowed, because they leave no gap. Bodies that touch at a corner or intersect are
   * allowed, because winding numbers still separate inside from outside.
   */
  readonly isManifold: boolean;
  /** Edges of one facet. */
  readonly openEdgeCount: number;
  /** Edges of more than two facets. */
  readonly nonManifoldEdgeCount: number;
  /** Facets without area, including those with a repeated corner. */
  readonly degenerateFaceCount: number;
  /** Closed bodies that face inward and are not cavities. */
  readonly invertedBodyCount: number;
  /** Whether facets intersect, touch without sharing an edge or corner, or overlap in a plane. */
  readonly selfIntersecting: boolean;
}

/** Share of the progress that the report takes. */
const REPORT_SHARE = 0.3;

const NO_FACETS: Manifoldness = {
  isManifold: true,
  openEdgeCount: 0,
  nonManifoldEdgeCount: 0,
  degenerateFaceCount: 0,
  invertedBodyCount: 0,
  selfIntersecting: false,
};

/** The manifoldness of a mesh; where it stands in for lattices, that of the facets beside them. */
export function manifoldnessOf(given: Mesh, progress: Progress): Manifoldness {
  const mesh = given.latticed ? given.latticed.skin : given;
  if (!mesh) return NO_FACETS;
  const defects = meshReport(mesh, progress.part(0, REPORT_SHARE));
  return {
    isManifold: describeDefects(defects).length === 0,
    openEdgeCount: defects.openEdges,
    nonManifoldEdgeCount: defects.nonManifoldEdges,
    degenerateFaceCount: defects.degenerateFacets,
    invertedBodyCount: defects.invertedBodies,
    selfIntersecting: selfIntersectionFact(mesh, progress.part(REPORT_SHARE, 1)),
  };
}
