import { facetOf, nextHalfedge, previousHalfedge } from "../geometry/halfedge.ts";
import { appendNumbers } from "../core/typed-arrays.ts";
import { boxOf } from "../geometry/box.ts";
import { cross, dot, exactLength, subtract } from "../geometry/vector.ts";
import { hasRepeatedCorner } from "../mesh/edges.ts";
import { float32SpacingMm } from "../mesh/measure.ts";
import { type Surface, cornersOf, isDegenerateFacet, triangleCount, vertexCount } from "../mesh/mesh.ts";
import { removeCollapsedFacets } from "./remove-facets.ts";

/** Removes facets without area that have a corner on their longest edge: splits the facets on the other side of that edge at the corner. */
export function removeFlatFacets(surface: Surface): Surface {
  const heightMm = float32SpacingMm(boxOf(surface.vertices));
  return removeCollapsedFacets(collapseCapTriangles(surface, heightMm, (facet) => isDegenerateFacet(surface, facet)));
}

/** The collapse of a cap may make a cap of a neighbour. */
const MAX_PASSES = 8;

/**
 * Collapses caps: triangles with a corner at most `heightMm` from the opposite edge. The facets on the other side of that edge are
 * split at the corner, so a closed surface stays closed. A collapsed facet has three equal corners afterwards. Only facets for which
 * `isCandidate` holds are collapsed.
 */
export function collapseCapTriangles(
  surface: Surface,
  heightMm: number,
  isCandidate: (facet: number) => boolean,
): Surface {
  let collapsed = surface;
  let candidates = Uint32Array.from({ length: triangleCount(surface) }, (_, facet) => facet).filter(isCandidate);
  for (let pass = 0; pass < MAX_PASSES && candidates.length > 0; pass++) {
    const next = collapseOnce(collapsed, heightMm, candidates);
    if (next === undefined) break;
    collapsed = next.surface;
    // Facets that a pass has added or changed are candidates of the next pass. All others are still no caps.
    candidates = next.changed.filter((facet) => facet >= triangleCount(surface) || isCandidate(facet)).sort();
  }
  return collapsed;
}

interface CollapsedOnce {
  readonly surface: Surface;
  /** The facets that were split or added, and the caps that were skipped because a facet next to them was changed. */
  readonly changed: Uint32Array<ArrayBuffer>;
}

/** Collapses the caps among some facets; undefined if there are none. */
function collapseOnce(surface: Surface, heightMm: number, candidates: Uint32Array): CollapsedOnce | undefined {
  const { vertices, triangles } = surface;
  const longestEdges: number[] = [];
  for (const facet of candidates) {
    const edge = longestEdgeOfCap(surface, facet, heightMm);
    if (edge !== undefined) longestEdges.push(edge);
  }
  if (longestEdges.length === 0) return undefined;
  const halfedgesAt = halfedgesBetween(surface, longestEdges);
  const isChanged = new Set<number>();
  const left = new Set<number>();
  const next = triangles.slice();
  const added: number[] = [];
  for (const edge of longestEdges) {
    const [a, b, c] = [triangles[edge], triangles[nextHalfedge(edge)], triangles[previousHalfedge(edge)]];
    const others = halfedgesAt(a, b).filter((one) => one !== edge);
    if (isChanged.has(facetOf(edge)) || others.some((one) => isChanged.has(facetOf(one)))) {
      left.add(facetOf(edge));
      continue;
    }
    for (const one of [edge, ...others]) isChanged.add(facetOf(one));
    next.fill(c, 3 * facetOf(edge), 3 * facetOf(edge) + 3);
    for (const one of others) {
      added.push(c, triangles[nextHalfedge(one)], triangles[previousHalfedge(one)]);
      next[nextHalfedge(one)] = c;
    }
  }
  const addedFacets = Array.from({ length: added.length / 3 }, (_, i) => triangleCount(surface) + i);
  return {
    surface: { vertices, triangles: appendNumbers(next, added) },
    changed: Uint32Array.from(left.union(isChanged).union(new Set(addedFacets))),
  };
}

/** Returns a look-up of all halfedges between two vertices, for the edges of the given halfedges only. */
function halfedgesBetween(surface: Surface, edges: readonly number[]): (a: number, b: number) => number[] {
  const { triangles } = surface;
  const count = vertexCount(surface);
  const isEnd = new Uint8Array(count);
  const keyOf = (a: number, b: number): number => Math.min(a, b) * count + Math.max(a, b);
  const found = new Map<number, number[]>();
  for (const halfedge of edges) {
    const [a, b] = [triangles[halfedge], triangles[nextHalfedge(halfedge)]];
    isEnd[a] = isEnd[b] = 1;
    found.set(keyOf(a, b), []);
  }
  for (let halfedge = 0; halfedge < triangles.length; halfedge++) {
    const [a, b] = [triangles[halfedge], triangles[nextHalfedge(halfedge)]];
    if (isEnd[a] === 1 && isEnd[b] === 1) found.get(keyOf(a, b))?.push(halfedge);
  }
  return (a, b) => found.get(keyOf(a, b)) ?? [];
}

/** The longest edge of a facet, if the third corner is at most `heightMm` from it and projects between its ends. */
function longestEdgeOfCap(surface: Surface, facet: number, heightMm: number): number | undefined {
  if (hasRepeatedCorner(surface.triangles, facet)) return undefined;
  const corners = cornersOf(surface, facet);
  const sides = [0, 1, 2].map((k) => subtract(corners[(k + 1) % 3], corners[k]));
  const lengths = sides.map(exactLength);
  const k = lengths.indexOf(Math.max(...lengths));
  const longest = sides[k];
  const toCorner = subtract(corners[(k + 2) % 3], corners[k]);
  if (exactLength(cross(longest, toCorner)) > heightMm * lengths[k]) return undefined;
  const along = dot(longest, toCorner);
  return along > 0 && along < dot(longest, longest) ? 3 * facet + k : undefined;
}
