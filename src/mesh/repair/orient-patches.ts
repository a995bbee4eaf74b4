import type { Edges } from "../edges.ts";
import { facetOf } from "../edges.ts";
import type { Surface } from "../mesh.ts";
import { triangleCount } from "../mesh.ts";
import { flipFacets } from "./flip-facets.ts";
import { edgesFor } from "./edges-for.ts";

/** Makes facets that meet at edges of two facets face the same way: the way that most facets of their patch face. */
export function orientPatches(surface: Surface): Surface {
  const neighbours = neighboursOf(surface, edgesFor(surface));
  const isReached = new Uint8Array(triangleCount(surface));
  const isFlipped = new Uint8Array(isReached.length);
  const patch = new Uint32Array(isReached.length);
  for (let seed = 0; seed < isReached.length; seed++) {
    if (isReached[seed] === 1) continue;
    let size = 1;
    let flips = 0;
    patch[0] = seed;
    isReached[seed] = 1;
    for (let i = 0; i < size; i++) {
      const facet = patch[i];
      flips += isFlipped[facet];
      for (let at = 3 * facet; at < 3 * facet + 3; at++) {
        if (neighbours[at] === NONE) continue;
        const neighbour = neighbours[at] >>> 1;
        if (isReached[neighbour] === 1) continue;
        isReached[neighbour] = 1;
        isFlipped[neighbour] = isFlipped[facet] ^ (neighbours[at] & 1);
        patch[size++] = neighbour;
      }
    }
    if (2 * flips > size) for (let i = 0; i < size; i++) isFlipped[patch[i]] ^= 1;
  }
  return flipFacets(surface, (facet) => isFlipped[facet] === 1);
}

const NONE = 0xffff_ffff;

/** For each half-edge, twice the one facet across it, plus 1 when that faces the other way; else NONE. */
function neighboursOf({ triangles }: Surface, { halfEdges, runs }: Edges): Uint32Array {
  const neighbours = new Uint32Array(triangles.length).fill(NONE);
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] !== 2) continue;
    const first = halfEdges[runs[edge]];
    const second = halfEdges[runs[edge] + 1];
    const isMisoriented = triangles[first] === triangles[second] ? 1 : 0;
    neighbours[first] = 2 * facetOf(second) + isMisoriented;
    neighbours[second] = 2 * facetOf(first) + isMisoriented;
  }
  return neighbours;
}
