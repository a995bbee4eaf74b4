import { facetOf, nextHalfedge } from "../geometry/halfedge.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { triangleCentroid } from "../geometry/vector.ts";
import type { WindingField } from "../mesh/bvh/fast-winding-number.ts";
import { boundaryHalfedges, edgesOf } from "../mesh/edges.ts";
import { cornersOf, filterFacets, type Mesh, type Surface, triangleCount, vertexCount } from "../mesh/mesh.ts";

/** The first ring of neighbours is cut where facets intersect. The second ring stays unchanged as a margin. */
const RINGS = 2;

/**
 * The region around some facets, as 1 for each facet in it: all facets connected to them by vertices within two rings. It is enlarged
 * until its boundary is simple (no vertex is on it twice).
 */
export function regionAround(surface: Surface, seeds: Iterable<number>): Uint8Array {
  const { triangles } = surface;
  const isInRegion = new Uint8Array(triangleCount(surface));
  for (const facet of seeds) isInRegion[facet] = 1;
  const isSelected = new Uint8Array(vertexCount(surface));
  for (let ring = 0; ring < RINGS; ring++) {
    for (let corner = 0; corner < triangles.length; corner++) {
      isSelected[triangles[corner]] |= isInRegion[(corner / 3) | 0];
    }
    addFacetsAtVertices(triangles, isSelected, isInRegion);
  }
  for (;;) {
    const pinches = pinchVertices(surface, isInRegion);
    if (pinches.length === 0) return isInRegion;
    isSelected.fill(0);
    for (const v of pinches) isSelected[v] = 1;
    addFacetsAtVertices(triangles, isSelected, isInRegion);
  }
}

function addFacetsAtVertices(triangles: Uint32Array, isSelected: Uint8Array, isInRegion: Uint8Array): void {
  for (let at = 0; at < triangles.length; at += 3) {
    isInRegion[at / 3] |= isSelected[triangles[at]] | isSelected[triangles[at + 1]] | isSelected[triangles[at + 2]];
  }
}

/** Vertices with more than two boundary edges of the region. */
function pinchVertices(surface: Surface, isInRegion: Uint8Array): number[] {
  const { triangles } = filterFacets(surface, (facet) => isInRegion[facet] === 1);
  const boundaryEdges = new Uint8Array(vertexCount(surface));
  const pinches = new Set<number>();
  for (const halfedge of boundaryHalfedges(edgesOf(triangles, vertexCount(surface)))) {
    for (const v of [triangles[halfedge], triangles[nextHalfedge(halfedge)]]) {
      if (++boundaryEdges[v] > 2) pinches.add(v);
    }
  }
  return [...pinches];
}

/**
 * Whether the boundary of a region around intersecting facets is on the outside of the solid everywhere. If not, facets outside the
 * region are inside the solid, too, and must be removed. Tests one facet of each part of the region that is connected without the
 * intersecting facets.
 */
export function isRegionOnOutside(
  surface: Surface,
  isInRegion: Uint8Array,
  pairs: Uint32Array,
  windingNumberAt: WindingField,
): boolean {
  const isIntersecting = new Set(pairs);
  const facets = Uint32Array.from(isInRegion.keys().filter((facet) => isInRegion[facet] === 1));
  const region = filterFacets(surface, (facet) => isInRegion[facet] === 1);
  const { halfedges, runs } = edgesOf(region.triangles, vertexCount(region));
  const sets = newDisjointSets(facets.length);
  const atBoundary: number[] = [];
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const uses = [...halfedges.subarray(runs[edge], runs[edge + 1])].map(facetOf);
    if (uses.length === 1) atBoundary.push(uses[0]);
    else if (uses.every((one) => !isIntersecting.has(facets[one]))) sets.join(uses[0], uses[1]);
  }
  const tested = new Set<number>();
  return atBoundary.every((one) => {
    if (tested.has(sets.find(one))) return true;
    tested.add(sets.find(one));
    const facet = facets[one];
    const centroid = triangleCentroid(...cornersOf(surface, facet));
    // On an outer facet, the winding number without the facet is the mean of 1 behind it and 0 in front of it.
    return Math.round(windingNumberAt(centroid, (other) => other === facet) - 1 / 2) === 0;
  });
}

/** The open edges of a patch, by the positions of their ends in single precision. */
export interface PatchBoundary {
  readonly edges: ReadonlySet<string>;
  readonly positions: ReadonlySet<string>;
}

export function patchBoundary(mesh: Mesh): PatchBoundary {
  const { triangles } = mesh;
  const positions = new Set<string>();
  const edges = new Set<string>();
  for (const halfedge of boundaryHalfedges(edgesOf(triangles, vertexCount(mesh)))) {
    const from = positionKey(mesh, triangles[halfedge]);
    const to = positionKey(mesh, triangles[nextHalfedge(halfedge)]);
    positions.add(from).add(to);
    edges.add(`${from}, ${to}`);
  }
  return { edges, positions };
}

/** A key that is equal for vertices at the same position. */
export const positionKey = ({ vertices }: Surface, v: number): string =>
  `${vertices[3 * v]} ${vertices[3 * v + 1]} ${vertices[3 * v + 2]}`;

/** A key that is equal for facets with the same corners, in meshes in canonical form. */
export const facetKey = (mesh: Mesh, facet: number): string =>
  [0, 1, 2].map((k) => positionKey(mesh, mesh.triangles[3 * facet + k])).join();
