import { facetOf, nextHalfedge, previousHalfedge } from "../geometry/halfedge.ts";
import { memoize } from "../core/memoize.ts";
import { appendNumbers } from "../core/typed-arrays.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { cross, dot, subtract, times, unitOrZero, type Vec3 } from "../geometry/vector.ts";
import { cachedEdges, NO_HALFEDGE } from "../mesh/edges.ts";
import { filterFacets, type Surface, vertexAt, vertexCount } from "../mesh/mesh.ts";

/**
 * The vertices to split: those at non-manifold edges (of more than two facets, or of two with opposite orientation), or all
 * non-manifold vertices. A boundary that touches itself at a vertex makes no edge non-manifold.
 */
export type SplitScope = "edges" | "vertices";

/**
 * Splits vertices where sheets of facets touch without being connected, so that each sheet has its own copy at the same position. The
 * facets at a non-manifold edge are paired so that each pair has material between its facets. If several sheets still share both ends
 * of an edge, all but the first sheet get a vertex at its midpoint.
 * Source: A. Guéziec et al., "Cutting and Stitching: Converting Sets of Polygons to Manifold Surfaces" (2001).
 */
export function splitNonManifoldVertices(surface: Surface, scope: SplitScope): Surface {
  let split = splitVertices(surface, scope);
  for (let next = splitSharedEdges(split); next !== split; next = splitSharedEdges(split)) split = next;
  return split;
}

/** Gives each group of corners at a vertex that are connected across edges a separate vertex. */
function splitVertices(surface: Surface, scope: SplitScope): Surface {
  const { vertices, triangles } = surface;
  const count = vertexCount(surface);
  const { pairOf, nonManifold } = pairedHalfedges(surface);
  const sets = newDisjointSets(triangles.length);
  for (let halfedge = 0; halfedge < triangles.length; halfedge++) {
    const pair = pairOf[halfedge];
    if (pair === NO_HALFEDGE) continue;
    sets.join(halfedge, nextHalfedge(pair));
    sets.join(nextHalfedge(halfedge), pair);
  }
  const isInScope = new Uint8Array(count).fill(scope === "edges" ? 0 : 1);
  for (const halfedge of nonManifold) isInScope[triangles[halfedge]] = isInScope[triangles[nextHalfedge(halfedge)]] = 1;
  const isTaken = new Uint8Array(count);
  const copied: number[] = [];
  const next = triangles.slice();
  for (let corner = 0; corner < triangles.length; corner++) {
    const v = triangles[corner];
    if (isInScope[v] === 0) continue;
    const root = sets.find(corner);
    if (root !== corner) next[corner] = next[root];
    else if (isTaken[v] === 0) isTaken[v] = 1;
    else next[corner] = count + copied.push(v) - 1;
  }
  if (copied.length === 0) return surface;
  const added = copied.flatMap((v) => [...vertices.subarray(3 * v, 3 * v + 3)]);
  return { vertices: appendNumbers(vertices, added), triangles: next };
}

/**
 * Splits facets at the midpoint of edges that several sheets share, each facet at one edge at most. A sheet of two facets with the
 * same corners encloses nothing and is removed: its halves would share the edge from the midpoint to the third corner.
 */
function splitSharedEdges(surface: Surface): Surface {
  const { vertices, triangles } = surface;
  const count = vertexCount(surface);
  const { halfedges, runs } = cachedEdges(surface);
  const { pairOf } = pairedHalfedges(surface);
  const isSplit = new Set<number>();
  const removed = new Set<number>();
  const midpoints: number[] = [];
  const next = triangles.slice();
  const added: number[] = [];
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    if (runs[edge + 1] - runs[edge] < 3) continue;
    // One halfedge of each pair represents its sheet. The first sheet keeps the edge.
    const sheets = [...halfedges.subarray(runs[edge], runs[edge + 1])].filter(
      (halfedge) => pairOf[halfedge] === NO_HALFEDGE || halfedge < pairOf[halfedge],
    );
    for (const halfedge of sheets.slice(1)) {
      const sheet = pairOf[halfedge] === NO_HALFEDGE ? [halfedge] : [halfedge, pairOf[halfedge]];
      if (sheet.some((one) => isSplit.has(facetOf(one)))) continue;
      const [apex, ...others] = sheet.map((one) => triangles[previousHalfedge(one)]);
      if (others.includes(apex)) {
        for (const one of sheet) {
          isSplit.add(facetOf(one));
          removed.add(facetOf(one));
        }
        continue;
      }
      const [a, b] = [triangles[halfedge], triangles[nextHalfedge(halfedge)]];
      const midpoint = count + midpoints.length / 3;
      for (let axis = 0; axis < 3; axis++) midpoints.push((vertices[3 * a + axis] + vertices[3 * b + axis]) / 2);
      for (const one of sheet) {
        isSplit.add(facetOf(one));
        const far = nextHalfedge(one);
        added.push(midpoint, triangles[far], triangles[nextHalfedge(far)]);
        next[far] = midpoint;
      }
    }
  }
  if (isSplit.size === 0) return surface;
  const split = { vertices: appendNumbers(vertices, midpoints), triangles: appendNumbers(next, added) };
  return removed.size === 0 ? split : filterFacets(split, (facet) => !removed.has(facet));
}

/** The pairs of halfedges that are the two sides of an edge of one sheet. */
interface PairedHalfedges {
  /** For each halfedge the opposite one in the same sheet, or {@link NO_HALFEDGE}. */
  readonly pairOf: Uint32Array;
  /** One halfedge of each edge that has more than two facets, or two with opposite orientation. */
  readonly nonManifold: readonly number[];
}

/** Pairs the halfedges of each edge; at an edge of more than two facets, the facets with material between them. */
const pairedHalfedges: (surface: Surface) => PairedHalfedges = memoize((surface: Surface): PairedHalfedges => {
  const { triangles } = surface;
  const { halfedges, runs } = cachedEdges(surface);
  const pairOf = new Uint32Array(triangles.length).fill(NO_HALFEDGE);
  const nonManifold: number[] = [];
  const pair = (a: number, b: number): void => {
    pairOf[a] = b;
    pairOf[b] = a;
  };
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const from = runs[edge];
    const uses = runs[edge + 1] - from;
    if (uses === 1) continue;
    const [first, second] = [halfedges[from], halfedges[from + 1]];
    if (uses > 2 || triangles[first] === triangles[second]) nonManifold.push(first);
    if (uses > 2) pairAroundEdge(surface, [...halfedges.subarray(from, runs[edge + 1])], pair);
    else if (triangles[first] !== triangles[second]) pair(first, second);
  }
  return { pairOf, nonManifold };
});

/**
 * Pairs the facets around an edge like brackets in the order of their angles: a facet with material on its counter-clockwise side
 * opens, a facet with material on its clockwise side closes the last open one. The order is cyclic and starts at the angle with the
 * fewest open brackets.
 */
function pairAroundEdge(surface: Surface, halfedges: number[], pair: (a: number, b: number) => void): void {
  const { triangles } = surface;
  const low = Math.min(triangles[halfedges[0]], triangles[nextHalfedge(halfedges[0])]);
  const angles = anglesAroundEdge(surface, halfedges);
  const around = halfedges.map((halfedge, i) => ({ halfedge, angle: angles[i], opens: triangles[halfedge] !== low }));
  // At the same angle the closing facet comes last: there is nothing between both.
  around.sort((a, b) => a.angle - b.angle || Number(b.opens) - Number(a.opens) || a.halfedge - b.halfedge);
  let depth = 0;
  let minDepth = 0;
  let start = 0;
  around.forEach(({ opens }, i) => {
    depth += opens ? 1 : -1;
    if (depth < minDepth) [minDepth, start] = [depth, i + 1];
  });
  const open: number[] = [];
  for (const { halfedge, opens } of [...around.slice(start), ...around.slice(0, start)]) {
    if (opens) {
      open.push(halfedge);
      continue;
    }
    const opening = open.pop();
    if (opening !== undefined) pair(opening, halfedge);
  }
}

/**
 * Pseudo-angles of facets around their common edge, from 0 to 4. They increase with the angle, counter-clockwise about the edge from
 * its smaller vertex to its larger one.
 */
export function anglesAroundEdge(surface: Surface, halfedges: readonly number[]): number[] {
  const { triangles } = surface;
  const [from, to] = [triangles[halfedges[0]], triangles[nextHalfedge(halfedges[0])]].sort((a, b) => a - b);
  const start = vertexAt(surface, from);
  const axis = subtract(vertexAt(surface, to), start);
  const perpendicular = (halfedge: number): Vec3 => {
    const out = subtract(vertexAt(surface, triangles[previousHalfedge(halfedge)]), start);
    return subtract(times(out, dot(axis, axis)), times(axis, dot(out, axis)));
  };
  const u = perpendicular(halfedges[0]);
  const v = cross(unitOrZero(axis), u);
  return halfedges.map((halfedge) => {
    const out = perpendicular(halfedge);
    const [x, y] = [dot(out, u), dot(out, v)];
    const size = Math.abs(x) + Math.abs(y);
    const share = size > 0 ? y / size : 0;
    return x >= 0 ? (y >= 0 ? share : 4 + share) : 2 - share;
  });
}
