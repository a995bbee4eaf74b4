import type { Edges } from "./edges.ts";
import { edgesOf, facetOf } from "./edges.ts";
import { newDisjointSets } from "./disjoint-sets.ts";
import type { Surface } from "./mesh.ts";
import { triangleCount, vertexCount } from "./mesh.ts";

/**
 * The bodies of a mesh: facets joined through shared edges, however many facets share one. Parts that touch at a vertex
 * alone are bodies of their own, and so are a cavity and a facet with a repeated corner, which has no edges. Bodies are
 * numbered in the order of their first facets.
 */
export interface Bodies {
  readonly count: number;
  /** Body of each facet. */
  readonly bodyOf: Uint32Array;
  /** First facet of each body. */
  readonly firstFacets: Uint32Array;
}

export function bodiesOf(surface: Surface, edges: Edges = edgesOf(surface.triangles, vertexCount(surface))): Bodies {
  const sets = newDisjointSets(triangleCount(surface));
  const { halfEdges, runs } = edges;
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const facet = facetOf(halfEdges[runs[edge]]);
    for (let i = runs[edge] + 1; i < runs[edge + 1]; i++) sets.join(facet, facetOf(halfEdges[i]));
  }
  const bodyOf = new Uint32Array(triangleCount(surface));
  const firstFacets: number[] = [];
  for (let facet = 0; facet < bodyOf.length; facet++) {
    const root = sets.find(facet);
    bodyOf[facet] = root === facet ? firstFacets.push(facet) - 1 : bodyOf[root];
  }
  return { count: firstFacets.length, bodyOf, firstFacets: Uint32Array.from(firstFacets) };
}

/** For each body, 1 when every edge is used as often one way as the other: only then has it an inside. */
export function closedBodies({ triangles }: Surface, edges: Edges, bodies: Bodies): Uint8Array {
  const isClosed = new Uint8Array(bodies.count).fill(1);
  const { halfEdges, far, runs } = edges;
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const first = runs[edge];
    let balance = 0;
    for (let i = first; i < runs[edge + 1]; i++) balance += triangles[halfEdges[i]] === far[first] ? 1 : -1;
    if (balance !== 0) isClosed[bodies.bodyOf[facetOf(halfEdges[first])]] = 0;
  }
  return isClosed;
}

/** Signed volume of each body, about a corner of its own; meaningless for one that is not closed. */
export function bodyVolumes({ vertices, triangles }: Surface, { count, bodyOf, firstFacets }: Bodies): Float64Array {
  const volumes = new Float64Array(count);
  for (let facet = 0; facet < bodyOf.length; facet++) {
    const body = bodyOf[facet];
    const o = 3 * triangles[3 * firstFacets[body]];
    const a = 3 * triangles[3 * facet];
    const b = 3 * triangles[3 * facet + 1];
    const c = 3 * triangles[3 * facet + 2];
    const ax = vertices[a] - vertices[o];
    const ay = vertices[a + 1] - vertices[o + 1];
    const az = vertices[a + 2] - vertices[o + 2];
    const bx = vertices[b] - vertices[o];
    const by = vertices[b + 1] - vertices[o + 1];
    const bz = vertices[b + 2] - vertices[o + 2];
    const cx = vertices[c] - vertices[o];
    const cy = vertices[c + 1] - vertices[o + 1];
    const cz = vertices[c + 2] - vertices[o + 2];
    volumes[body] += (ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx)) / 6;
  }
  return volumes;
}
