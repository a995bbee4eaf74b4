import { facetOf } from "../geometry/halfedge.ts";
import type { Progress } from "../core/progress.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { sameTriple, sortTriples } from "../geometry/radix-sort.ts";
import { bodiesOf, bodyVolumes, closedBodies } from "../mesh/bodies.ts";
import { enclosingBodies } from "../mesh/body-nesting.ts";
import { cachedEdges, edgesOf, hasRepeatedCorner } from "../mesh/edges.ts";
import { type Surface, filterFacets, isDegenerateFacet, triangleCount, vertexCount } from "../mesh/mesh.ts";

/** Removes facets with a repeated corner. */
export const removeCollapsedFacets = (surface: Surface): Surface =>
  filterFacets(surface, (facet) => !hasRepeatedCorner(surface.triangles, facet));

/** Removes facets without area at edges of more than two facets. At other edges they may close a seam. */
export function removeFlatFins(surface: Surface): Surface {
  const { halfedges, runs } = cachedEdges(surface);
  const isFin = new Uint8Array(triangleCount(surface));
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] <= 2) continue;
    for (const halfedge of halfedges.subarray(runs[edge], runs[edge + 1])) {
      if (isDegenerateFacet(surface, facetOf(halfedge))) isFin[facetOf(halfedge)] = 1;
    }
  }
  return filterFacets(surface, (facet) => isFin[facet] === 0);
}

/** At an edge of more facets than this, facets whose other edges are open are not sides of solids that meet there. */
const MAX_SHEETS = 8;

/** Removes facets whose other two edges are open at edges of more than {@link MAX_SHEETS} facets. */
export function removeFanFins(surface: Surface): Surface {
  const { halfedges, runs } = cachedEdges(surface);
  const openEdges = new Uint8Array(triangleCount(surface));
  const isInFan = new Uint8Array(openEdges.length);
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const uses = runs[edge + 1] - runs[edge];
    if (uses === 1) openEdges[facetOf(halfedges[runs[edge]])]++;
    if (uses <= MAX_SHEETS) continue;
    for (let i = runs[edge]; i < runs[edge + 1]; i++) isInFan[facetOf(halfedges[i])] = 1;
  }
  return filterFacets(surface, (facet) => isInFan[facet] === 0 || openEdges[facet] < 2);
}

/**
 * Removes facets that share no vertex with another facet. The boundary of such a facet is a hole, and the fill would be its reverse
 * duplicate.
 */
export function removeIsolatedFacets(surface: Surface): Surface {
  const { triangles } = surface;
  const uses = new Uint32Array(vertexCount(surface));
  for (const v of triangles) uses[v]++;
  return filterFacets(
    surface,
    (facet) =>
      uses[triangles[3 * facet]] > 1 || uses[triangles[3 * facet + 1]] > 1 || uses[triangles[3 * facet + 2]] > 1,
  );
}

/**
 * Keeps one of the facets with the same three corners, with the orientation of the majority. Removes all of them if both
 * orientations have the same number of facets: they enclose nothing.
 */
export function removeDuplicateFacets(surface: Surface, progress: Progress): Surface {
  const isRemoved = new Uint8Array(triangleCount(surface));
  for (const { even, odd } of duplicateFacets(surface, progress)) {
    for (const facet of [...even, ...odd]) isRemoved[facet] = 1;
    if (even.length !== odd.length) isRemoved[(even.length > odd.length ? even : odd)[0]] = 0;
  }
  return filterFacets(surface, (facet) => isRemoved[facet] === 0);
}

/**
 * Keeps one facet of each pair of duplicates with opposite orientation (back to back) if a two-sided sheet represents the surface
 * of a solid, as some programs export it: if the surface would be open without the pair, if such pairs form a closed body, and
 * if all facets are such pairs. Other pairs, such as walls between bodies that touch, stay.
 */
export function removeBackToBackFacets(surface: Surface, progress: Progress): Surface {
  const duplicates = duplicateFacets(surface, progress);
  const pairs = duplicates.filter(({ even, odd }) => even.length === odd.length);
  if (pairs.length === 0) return surface;
  const isFront = new Uint8Array(triangleCount(surface));
  const isCopy = new Uint8Array(isFront.length);
  for (const { even, odd } of duplicates) {
    for (const facet of [...even, ...odd].slice(1)) isCopy[facet] = 1;
    if (even.length === odd.length) isFront[even[0]] = 1;
  }
  const areAllPairs = pairs.reduce((sum, { even }) => sum + 2 * even.length, 0) === isFront.length;
  const isNeeded = areAllPairs ? () => true : frontFacetTest(surface, isFront, isCopy);
  const isRemoved = new Uint8Array(isFront.length);
  for (const { even, odd } of pairs) {
    if (isNeeded(even[0])) for (const facet of [...even.slice(1), ...odd]) isRemoved[facet] = 1;
  }
  return filterFacets(surface, (facet) => isRemoved[facet] === 0);
}

/**
 * Groups the front facets of pairs into patches by shared edges. Returns a test of a front facet: whether most of the boundary edges
 * of its patch would be open without the patch, or the patch has no boundary.
 */
function frontFacetTest(surface: Surface, isFront: Uint8Array, isCopy: Uint8Array): (facet: number) => boolean {
  const { halfedges, runs } = edgesOf(surface.triangles, vertexCount(surface));
  const sets = newDisjointSets(isFront.length);
  const boundary: { readonly facet: number; readonly isOpen: boolean }[] = [];
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const facets = [...halfedges.subarray(runs[edge], runs[edge + 1])]
      .map(facetOf)
      .filter((facet) => isCopy[facet] === 0);
    const fronts = facets.filter((facet) => isFront[facet] === 1);
    for (const facet of fronts) sets.join(fronts[0], facet);
    if (fronts.length % 2 === 1) boundary.push({ facet: fronts[0], isOpen: (facets.length - fronts.length) % 2 === 1 });
  }
  const balance = new Int32Array(isFront.length);
  const hasBoundary = new Uint8Array(isFront.length);
  for (const { facet, isOpen } of boundary) {
    balance[sets.find(facet)] += isOpen ? 1 : -1;
    hasBoundary[sets.find(facet)] = 1;
  }
  return (facet) => balance[sets.find(facet)] > 0 || hasBoundary[sets.find(facet)] === 0;
}

/** Two or more facets with the same three corners. */
interface DuplicateFacets {
  /** Facets whose corners, from the smallest vertex on, are in ascending order. */
  readonly even: readonly number[];
  /** Facets of the opposite orientation. */
  readonly odd: readonly number[];
}

/** All groups of two or more facets with the same three corners. */
function duplicateFacets(surface: Surface, progress: Progress): DuplicateFacets[] {
  const { corners, isEven } = sortedCorners(surface.triangles);
  const order = new Uint32Array(triangleCount(surface)).map((_, facet) => facet);
  sortTriples(corners, order, progress);
  const groups: DuplicateFacets[] = [];
  for (let from = 0; from < order.length;) {
    let to = from + 1;
    while (to < order.length && sameTriple(corners, order[from], order[to])) to++;
    if (to - from > 1) {
      const same = [...order.subarray(from, to)];
      groups.push({
        even: same.filter((facet) => isEven[facet] === 1),
        odd: same.filter((facet) => isEven[facet] === 0),
      });
    }
    from = to;
  }
  return groups;
}

/** The corners of each facet in ascending order, and 1 for each facet whose own order is an even permutation of it. */
function sortedCorners(triangles: Uint32Array): { corners: Uint32Array; isEven: Uint8Array } {
  const corners = new Uint32Array(triangles.length);
  const isEven = new Uint8Array(triangles.length / 3);
  for (let facet = 0; facet < isEven.length; facet++) {
    const at = 3 * facet;
    const a = triangles[at];
    const b = triangles[at + 1];
    const c = triangles[at + 2];
    const least = Math.min(a, b, c);
    const greatest = Math.max(a, b, c);
    const middle = a !== least && a !== greatest ? a : b !== least && b !== greatest ? b : c;
    corners[at] = least;
    corners[at + 1] = middle;
    corners[at + 2] = greatest;
    const afterLeast = a === least ? b : b === least ? c : a;
    isEven[facet] = afterLeast === middle ? 1 : 0;
  }
  return { corners, isEven };
}

/**
 * Removes bodies that do not separate solid from empty space: both of their sides are solid, or neither is. Returns the same
 * object if there are none.
 */
export function removeInternalBodies(surface: Surface, progress: Progress): Surface {
  const edges = edgesOf(surface.triangles, vertexCount(surface));
  const bodies = bodiesOf(surface, edges);
  if (bodies.count === 1) return surface;
  const volumes = bodyVolumes(surface, bodies);
  const all = [...volumes.keys()];
  const kept = new Set(all);
  const isClosed = closedBodies(surface, edges, bodies);
  for (const [body, containers] of enclosingBodies(surface, bodies, isClosed, all, progress)) {
    const outside = [...containers].reduce((winding, other) => winding + Math.sign(volumes[other]), 0);
    const inside = outside + Math.sign(volumes[body]);
    if (outside > 0 === inside > 0) kept.delete(body);
  }
  return kept.size === bodies.count ? surface : filterFacets(surface, (facet) => kept.has(bodies.bodyOf[facet]));
}
