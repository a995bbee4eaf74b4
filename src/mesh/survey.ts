import type { Watch } from "../core/watch.ts";
import { bodiesOf } from "./bodies.ts";
import { countDegenerate } from "./degenerate.ts";
import type { Edges } from "./edges.ts";
import { edgesOf, previousInFacet } from "./edges.ts";
import { invertedBodies } from "./inverted.ts";
import type { Mesh } from "./mesh.ts";
import { vertexCount } from "./mesh.ts";

/** What is wrong with a mesh, in counts. */
export interface Survey {
  /** Edges of one facet only: the rims of holes. */
  readonly openEdges: number;
  /** Edges of more than two facets. */
  readonly nonManifoldEdges: number;
  /** Edges whose two facets both run along them the same way: one of them faces inward. */
  readonly misorientedEdges: number;
  /** Facets without area, those with a repeated corner included. */
  readonly degenerateFacets: number;
  /** Facets with a repeated corner. */
  readonly collapsedFacets: number;
  /** Facets that have the three corners, in any order, of an earlier facet. */
  readonly duplicateFacets: number;
  /** Parts joined through shared edges; cavities count, facets with a repeated corner do not. */
  readonly bodies: number;
  /** Closed bodies that face inward and are no cavity: they lie inside an even number of other closed bodies. */
  readonly invertedBodies: number;
}

export function survey(mesh: Mesh, watch: Watch): Survey {
  const facets = countDegenerate(mesh);
  watch.report(0.1);
  const edges = edgesOf(mesh.triangles, vertexCount(mesh));
  watch.report(0.5);
  const uses = countEdgeFaults(mesh.triangles, edges);
  watch.report(0.7);
  const bodies = bodiesOf(mesh, edges);
  watch.report(0.8);
  const inverted = invertedBodies(mesh, edges, bodies, watch.part(0.8, 1));
  const bodyCount = bodies.count - facets.collapsedFacets;
  return { ...facets, ...uses, bodies: bodyCount, invertedBodies: inverted.length };
}

type EdgeFaults = Pick<Survey, "openEdges" | "nonManifoldEdges" | "misorientedEdges" | "duplicateFacets">;

function countEdgeFaults(triangles: Uint32Array, { halfEdges, far, runs }: Edges): EdgeFaults {
  let openEdges = 0;
  let nonManifoldEdges = 0;
  let misorientedEdges = 0;
  let duplicateFacets = 0;
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const from = runs[edge];
    const to = runs[edge + 1];
    if (to - from === 2) {
      const first = halfEdges[from];
      const second = halfEdges[from + 1];
      if (triangles[first] === triangles[second]) misorientedEdges++;
      // A facet counts at one of its edges alone: that of its two smaller corners.
      const apex = triangles[previousInFacet(first)];
      if (apex > far[from] && apex === triangles[previousInFacet(second)]) duplicateFacets++;
    } else if (to - from === 1) {
      openEdges++;
    } else {
      nonManifoldEdges++;
      const apexes = halfEdges.subarray(from, to).map((halfEdge) => triangles[previousInFacet(halfEdge)]);
      const counted = apexes.filter((apex) => apex > far[from]);
      duplicateFacets += counted.length - new Set(counted).size;
    }
  }
  return { openEdges, nonManifoldEdges, misorientedEdges, duplicateFacets };
}

/**
 * What must be repaired, in words; empty for a sound mesh. Facets without area, which rounding makes in the files of many
 * programs, do no harm where nothing is open: they are no fault.
 */
export function faultsOf(found: Survey): string[] {
  const counted: [number, string, string][] = [
    [found.openEdges, "open edge", "open edges"],
    [found.nonManifoldEdges, "non-manifold edge", "non-manifold edges"],
    [found.misorientedEdges, "edge with a facet turned over", "edges with a facet turned over"],
    [found.duplicateFacets, "duplicate facet", "duplicate facets"],
    [found.invertedBodies, "inside-out body", "inside-out bodies"],
  ];
  return counted.filter(([count]) => count > 0).map(([count, one, many]) => `${count} ${count === 1 ? one : many}`);
}
