import { newDisjointSets } from "../disjoint-sets.ts";
import { facetOf, nextInFacet } from "../edges.ts";
import type { Surface } from "../mesh.ts";
import { vertexCount } from "../mesh.ts";
import { type Mates, matesFor, NONE } from "./mates.ts";
import { edgesFor } from "./edges-for.ts";

/**
 * Where: at edges that more than two facets use or whose facets face against each other, or at every vertex where sheets
 * touch. A rim that meets itself is none of the former.
 */
export type SheetsAt = "edges" | "vertices";

/**
 * Parts sheets of facets that share an edge or a vertex without being one sheet there: each gets vertices of its own, at
 * the same place. Facets about an edge belong together in pairs that hold material between them. Where two sheets are one
 * at both ends of an edge, its middle becomes a vertex of each but the first.
 * Source: A. Guéziec et al., "Cutting and Stitching: Converting Sets of Polygons to Manifold Surfaces" (2001).
 */
export function separateSheets(surface: Surface, at: SheetsAt): Surface {
  let parted = withOwnVertices(surface, at);
  for (let next = withOwnMiddles(parted); next !== parted; next = withOwnMiddles(parted)) parted = next;
  return parted;
}

/** Gives the corners about a vertex, where facets do not join them across edges, vertices of their own. */
function withOwnVertices(surface: Surface, at: SheetsAt): Surface {
  const { vertices, triangles } = surface;
  const count = vertexCount(surface);
  const mates = matesFor(surface);
  const sets = newDisjointSets(triangles.length);
  for (let halfEdge = 0; halfEdge < triangles.length; halfEdge++) {
    const mate = mates.of[halfEdge];
    if (mate === NONE) continue;
    sets.join(halfEdge, nextInFacet(mate));
    sets.join(nextInFacet(halfEdge), mate);
  }
  const isParted = at === "edges" ? endsOfBadEdges(surface, mates) : undefined;
  const isTaken = new Uint8Array(count);
  const newVertices: number[] = [];
  const parted = triangles.slice();
  for (let corner = 0; corner < triangles.length; corner++) {
    const v = triangles[corner];
    if (isParted && isParted[v] === 0) continue;
    const root = sets.find(corner);
    if (root !== corner) parted[corner] = parted[root];
    else if (isTaken[v] === 0) isTaken[v] = 1;
    else parted[corner] = count + newVertices.push(v) - 1;
  }
  if (newVertices.length === 0) return surface;
  return {
    vertices: extended(
      vertices,
      newVertices.flatMap((v) => [...vertices.subarray(3 * v, 3 * v + 3)]),
    ),
    triangles: parted,
  };
}

function endsOfBadEdges({ vertices, triangles }: Surface, { bad }: Mates): Uint8Array {
  const isEnd = new Uint8Array(vertices.length / 3);
  for (const halfEdge of bad) {
    isEnd[triangles[halfEdge]] = 1;
    isEnd[triangles[nextInFacet(halfEdge)]] = 1;
  }
  return isEnd;
}

/** Cuts facets at the middles of edges that several sheets share, a facet at one edge at most. */
function withOwnMiddles(surface: Surface): Surface {
  const { vertices, triangles } = surface;
  const count = vertexCount(surface);
  const edges = edgesFor(surface);
  const mates = matesFor(surface);
  const isCut = new Set<number>();
  const middles: number[] = [];
  const next = triangles.slice();
  const added: number[] = [];
  for (let edge = 0; edge + 1 < edges.runs.length; edge++) {
    if (edges.runs[edge + 1] - edges.runs[edge] < 3) continue;
    const uses = edges.halfEdges.subarray(edges.runs[edge], edges.runs[edge + 1]);
    // One of each pair stands for it; the first pair keeps the edge.
    const sheets = [...uses].filter((halfEdge) => mates.of[halfEdge] === NONE || halfEdge < mates.of[halfEdge]);
    for (const halfEdge of sheets.slice(1)) {
      const sheet = mates.of[halfEdge] === NONE ? [halfEdge] : [halfEdge, mates.of[halfEdge]];
      if (sheet.some((one) => isCut.has(facetOf(one)))) continue;
      const [a, b] = [triangles[halfEdge], triangles[nextInFacet(halfEdge)]];
      const middle = count + middles.length / 3;
      for (let axis = 0; axis < 3; axis++) middles.push((vertices[3 * a + axis] + vertices[3 * b + axis]) / 2);
      for (const one of sheet) {
        isCut.add(facetOf(one));
        const far = nextInFacet(one);
        added.push(middle, triangles[far], triangles[nextInFacet(far)]);
        next[far] = middle;
      }
    }
  }
  if (middles.length === 0) return surface;
  const all = new Uint32Array(next.length + added.length);
  all.set(next);
  all.set(added, next.length);
  return { vertices: extended(vertices, middles), triangles: all };
}

function extended(vertices: Surface["vertices"], more: readonly number[]): Surface["vertices"] {
  const all = new (vertices.constructor as new (size: number) => Surface["vertices"])(vertices.length + more.length);
  all.set(vertices);
  all.set(more, vertices.length);
  return all;
}
