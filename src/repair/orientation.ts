import { facetOf } from "../geometry/halfedge.ts";
import type { Progress } from "../core/progress.ts";
import { bodiesOf, bodyVolumes, closedBodies } from "../mesh/bodies.ts";
import { enclosingBodies, invertedBodies } from "../mesh/body-nesting.ts";
import { cachedEdges, type Edges } from "../mesh/edges.ts";
import { flipFacets, type Surface, triangleCount } from "../mesh/mesh.ts";

/** No neighbour, or more than one. */
const NONE = 0xffff_ffff;

/** Orients the facets of each patch (facets connected by edges of two facets) consistently: as most of its facets are oriented. */
export function orientPatches(surface: Surface): Surface {
  const neighbours = facetNeighbours(surface, cachedEdges(surface));
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

/**
 * For each halfedge: twice the facet on the other side of its edge, plus 1 if that facet has the opposite orientation; or {@link
 * NONE}.
 */
function facetNeighbours({ triangles }: Surface, { halfedges, runs }: Edges): Uint32Array {
  const neighbours = new Uint32Array(triangles.length).fill(NONE);
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] !== 2) continue;
    const first = halfedges[runs[edge]];
    const second = halfedges[runs[edge] + 1];
    const isMisoriented = triangles[first] === triangles[second] ? 1 : 0;
    neighbours[first] = 2 * facetOf(second) + isMisoriented;
    neighbours[second] = 2 * facetOf(first) + isMisoriented;
  }
  return neighbours;
}

/** Share of the progress at which inverted bodies are known. Estimated. */
const INVERTED_SHARE = 0.5;
/**
 * Flips inverted bodies so that they face outward. Bodies inside an inverted body were probably inverted with it: there, outward and
 * inward shells (bodies and their cavities) alternate with depth.
 */
export function orientBodies(surface: Surface, progress: Progress): Surface {
  const edges = cachedEdges(surface);
  const bodies = bodiesOf(surface, edges);
  const inverted = new Set(invertedBodies(surface, edges, bodies, progress.part(0, INVERTED_SHARE)));
  if (inverted.size === 0) return surface;
  const isClosed = closedBodies(surface, edges, bodies);
  const volumes = bodyVolumes(surface, bodies);
  const closed = [...isClosed.keys()].filter((body) => isClosed[body] === 1);
  const flipped = new Set(inverted);
  for (const [body, containers] of enclosingBodies(
    surface,
    bodies,
    isClosed,
    closed,
    progress.part(INVERTED_SHARE, 1),
  )) {
    const shouldFaceInward = containers.size % 2 === 1;
    if (!containers.isDisjointFrom(inverted) && volumes[body] < 0 !== shouldFaceInward) flipped.add(body);
  }
  return flipFacets(surface, (facet) => flipped.has(bodies.bodyOf[facet]));
}
