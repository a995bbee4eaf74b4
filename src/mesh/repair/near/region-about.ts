import { edgesOf, nextInFacet } from "../../edges.ts";
import { type Surface, triangleCount, vertexCount } from "../../mesh.ts";
import { keepFacets } from "../keep-facets.ts";

/** Facets are cut, and cutting their neighbours' edges cuts those; another ring stays as it is, and holds the rest. */
const RINGS = 2;

/**
 * The facets about given ones, 1 for each: those that share corners with them, and those that share corners with these;
 * and more, until no two parts of the rim meet at a vertex.
 */
export function regionAbout(surface: Surface, seeds: Iterable<number>): Uint8Array {
  const { triangles } = surface;
  const isIn = new Uint8Array(triangleCount(surface));
  for (const facet of seeds) isIn[facet] = 1;
  const isAt = new Uint8Array(vertexCount(surface));
  for (let ring = 0; ring < RINGS; ring++) {
    for (let corner = 0; corner < triangles.length; corner++) isAt[triangles[corner]] |= isIn[(corner / 3) | 0];
    takeFacetsAt(triangles, isAt, isIn);
  }
  for (let pinches = pinchesOf(surface, isIn); pinches.length > 0; pinches = pinchesOf(surface, isIn)) {
    isAt.fill(0);
    for (const v of pinches) isAt[v] = 1;
    takeFacetsAt(triangles, isAt, isIn);
  }
  return isIn;
}

function takeFacetsAt(triangles: Uint32Array, isAt: Uint8Array, isIn: Uint8Array): void {
  for (let at = 0; at < triangles.length; at += 3) {
    isIn[at / 3] |= isAt[triangles[at]] | isAt[triangles[at + 1]] | isAt[triangles[at + 2]];
  }
}

/** Vertices with more than two open edges of the facets in a region. */
function pinchesOf(surface: Surface, isIn: Uint8Array): number[] {
  const { triangles } = keepFacets(surface, (facet) => isIn[facet] === 1);
  const { halfEdges, runs } = edgesOf(triangles, vertexCount(surface));
  const open = new Uint8Array(vertexCount(surface));
  const pinches = new Set<number>();
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] > 1) continue;
    const halfEdge = halfEdges[runs[edge]];
    for (const v of [triangles[halfEdge], triangles[nextInFacet(halfEdge)]]) if (++open[v] > 2) pinches.add(v);
  }
  return [...pinches];
}
