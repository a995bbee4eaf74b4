import { cross, dot, exactLength, subtract, type Vec3 } from "../../core/geometry.ts";
import { facetOf, nextInFacet, previousInFacet } from "../edges.ts";
import type { Surface } from "../mesh.ts";
import { triangleCount, vertexCount } from "../mesh.ts";

/** One facet dropped may leave another. */
const MOST_PASSES = 8;

/**
 * Drops facets with a corner on the opposite edge, no higher over it than `heightMm`, and cuts the facets beyond that edge
 * at the corner: what was closed stays closed. `isAsked` tells which facets are looked at.
 */
export function dropCaps(surface: Surface, heightMm: number, isAsked: (facet: number) => boolean): Surface {
  let dropped = surface;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    // Later passes look at all that was cut.
    const known = pass === 0 ? isAsked : (facet: number) => facet >= triangleCount(surface) || isAsked(facet);
    const next = dropOnce(dropped, heightMm, known);
    if (next === dropped) break;
    dropped = next;
  }
  return dropped;
}

function dropOnce(surface: Surface, heightMm: number, isAsked: (facet: number) => boolean): Surface {
  const { vertices, triangles } = surface;
  const longestEdges: number[] = [];
  for (let facet = 0; facet < triangleCount(surface); facet++) {
    if (!isAsked(facet)) continue;
    const edge = longestEdgeOfCap(surface, facet, heightMm);
    if (edge !== undefined) longestEdges.push(edge);
  }
  if (longestEdges.length === 0) return surface;
  const usesOf = usesOfEdges(surface, longestEdges);
  const isTouched = new Set<number>();
  const next = triangles.slice();
  const added: number[] = [];
  for (const edge of longestEdges) {
    const [a, b, c] = [triangles[edge], triangles[nextInFacet(edge)], triangles[previousInFacet(edge)]];
    const others = usesOf(a, b).filter((one) => one !== edge);
    if ([edge, ...others].some((one) => isTouched.has(facetOf(one)))) continue;
    for (const one of [edge, ...others]) isTouched.add(facetOf(one));
    // All three corners the same: gone with the facets that collapsed.
    next.fill(c, 3 * facetOf(edge), 3 * facetOf(edge) + 3);
    for (const one of others) {
      const apex = previousInFacet(one);
      added.push(c, triangles[nextInFacet(one)], triangles[apex]);
      next[nextInFacet(one)] = c;
    }
  }
  const all = new Uint32Array(next.length + added.length);
  all.set(next);
  all.set(added, next.length);
  return { vertices, triangles: all };
}

/** Tells the half-edges between two vertices, for the edges of the given half-edges alone. */
function usesOfEdges(surface: Surface, asked: readonly number[]): (a: number, b: number) => number[] {
  const { triangles } = surface;
  const count = vertexCount(surface);
  const isEnd = new Uint8Array(count);
  const keyOf = (a: number, b: number): number => Math.min(a, b) * count + Math.max(a, b);
  const uses = new Map<number, number[]>();
  for (const halfEdge of asked) {
    const [a, b] = [triangles[halfEdge], triangles[nextInFacet(halfEdge)]];
    isEnd[a] = isEnd[b] = 1;
    uses.set(keyOf(a, b), []);
  }
  for (let halfEdge = 0; halfEdge < triangles.length; halfEdge++) {
    const [a, b] = [triangles[halfEdge], triangles[nextInFacet(halfEdge)]];
    if (isEnd[a] === 1 && isEnd[b] === 1) uses.get(keyOf(a, b))?.push(halfEdge);
  }
  return (a, b) => uses.get(keyOf(a, b)) ?? [];
}

/** The longest edge of a facet that is lower than `heightMm` over it, and has its corner between that edge's ends. */
function longestEdgeOfCap({ vertices, triangles }: Surface, facet: number, heightMm: number): number | undefined {
  const place = (corner: number): Vec3 => {
    const v = 3 * triangles[corner];
    return [vertices[v], vertices[v + 1], vertices[v + 2]];
  };
  const at = 3 * facet;
  if (
    triangles[at] === triangles[at + 1] ||
    triangles[at + 1] === triangles[at + 2] ||
    triangles[at] === triangles[at + 2]
  ) {
    return undefined;
  }
  const corners = [place(at), place(at + 1), place(at + 2)] as const;
  const sides = [
    subtract(corners[1], corners[0]),
    subtract(corners[2], corners[1]),
    subtract(corners[0], corners[2]),
  ] as const;
  const lengths = sides.map(exactLength);
  const k = lengths.indexOf(Math.max(...lengths));
  const longest = sides[k]!;
  const out = subtract(corners[(k + 2) % 3]!, corners[k]!);
  if (exactLength(cross(longest, out)) > heightMm * lengths[k]!) return undefined;
  const along = dot(longest, out);
  return along > 0 && along < dot(longest, longest) ? at + k : undefined;
}
