import type { Progress } from "../core/progress.ts";
import { buildBvh } from "../mesh/bvh/bvh.ts";
import { isSelfIntersecting } from "../mesh/bvh/self-intersections.ts";
import { describeDefects, meshReport } from "../mesh/mesh-report.ts";
import type { Mesh } from "../mesh/mesh.ts";

/** Whether a mesh bounds a solid, and its defects. */
export interface Manifoldness {
  /**
   * Whether every edge joins two consistently oriented facets, no facet is duplicated and no body is inside out: such a
   * mesh is imported without repair. Degenerate facets are allowed, because they leave no gap. So are bodies that touch
   * at a corner or intersect: a winding number still tells inside from outside.
   */
  readonly isManifold: boolean;
  /** Edges of one facet. */
  readonly openEdgeCount: number;
  /** Edges of more than two facets. */
  readonly nonManifoldEdgeCount: number;
  /** Facets without area, including those with a repeated corner. */
  readonly degenerateFaceCount: number;
  /** Closed bodies that face inward and are no cavity. */
  readonly invertedBodyCount: number;
  /** Whether facets intersect, touch without sharing an edge or corner, or overlap in a plane. */
  readonly selfIntersecting: boolean;
}

/** Shares of the progress at which each stage ends. */
const PROGRESS_SHARES = { report: 0.3, bvh: 0.5 };

export function manifoldnessOf(mesh: Mesh, progress: Progress): Manifoldness {
  const { report, bvh } = PROGRESS_SHARES;
  const defects = meshReport(mesh, progress.part(0, report));
  const tree = buildBvh(mesh, progress.part(report, bvh));
  return {
    isManifold: describeDefects(defects).length === 0,
    openEdgeCount: defects.openEdges,
    nonManifoldEdgeCount: defects.nonManifoldEdges,
    degenerateFaceCount: defects.degenerateFacets,
    invertedBodyCount: defects.invertedBodies,
    selfIntersecting: isSelfIntersecting(tree, progress.part(bvh, 1)),
  };
}
