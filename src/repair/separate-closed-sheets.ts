import { facetOf } from "../geometry/halfedge.ts";
import { newDisjointSets } from "../geometry/disjoint-sets.ts";
import { edgesOf } from "../mesh/edges.ts";
import { type Surface, triangleCount, vertexCount } from "../mesh/mesh.ts";
import { anglesAroundEdge } from "./split-non-manifold-vertices.ts";

/**
 * Separates closed sheets of facets with common edges or vertices: each gets its own copy of these vertices. Such sheets are bodies
 * that touch in an edge or whose corners coincide. A sheet is a set of facets connected by edges of two facets, and if these do not
 * close it, by pairs of facets with material between them.
 */
export function separateClosedSheets(surface: Surface): Surface {
  const { vertices, triangles } = surface;
  const sheetOf = closedSheets(surface);
  const first = new Int32Array(vertexCount(surface)).fill(NONE);
  const copies = new Map<number, number>();
  const copied: number[] = [];
  const next = triangles.slice();
  for (let corner = 0; corner < triangles.length; corner++) {
    const [v, sheet] = [triangles[corner], sheetOf(facetOf(corner))];
    if (first[v] === NONE) first[v] = sheet;
    if (first[v] === sheet) continue;
    const key = v * triangleCount(surface) + sheet;
    let copy = copies.get(key);
    if (copy === undefined) copies.set(key, (copy = first.length + copied.push(v) - 1));
    next[corner] = copy;
  }
  if (copied.length === 0) return surface;
  const separate = new Float32Array(vertices.length + 3 * copied.length);
  separate.set(vertices);
  copied.forEach((v, i) => separate.set(vertices.subarray(3 * v, 3 * v + 3), vertices.length + 3 * i));
  return { vertices: separate, triangles: next };
}

const NONE = -1;

/** Returns a look-up of the sheet of a facet, named after one of its facets. */
function closedSheets(surface: Surface): (facet: number) => number {
  const { triangles } = surface;
  const { halfedges, far, runs } = edgesOf(triangles, vertexCount(surface));
  const sets = newDisjointSets(triangleCount(surface));
  const crowded: number[] = [];
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const uses = runs[edge + 1] - runs[edge];
    if (uses === 2) sets.join(facetOf(halfedges[runs[edge]]), facetOf(halfedges[runs[edge] + 1]));
    if (uses > 2) crowded.push(edge);
  }
  // The last pass is the one that joins no sheets.
  for (let isChanged = true; isChanged;) {
    isChanged = false;
    for (const edge of crowded) {
      const around = halfedges.subarray(runs[edge], runs[edge + 1]);
      const balance = new Map<number, number>();
      for (const halfedge of around) {
        const sheet = sets.find(facetOf(halfedge));
        balance.set(sheet, (balance.get(sheet) ?? 0) + (triangles[halfedge] === far[runs[edge]] ? 1 : -1));
      }
      const unbalanced = [...around].filter((halfedge) => balance.get(sets.find(facetOf(halfedge))) !== 0);
      for (const [one, other] of pairsAroundEdge(surface, unbalanced, far[runs[edge]])) {
        isChanged ||= sets.find(facetOf(one)) !== sets.find(facetOf(other));
        sets.join(facetOf(one), facetOf(other));
      }
    }
  }
  return (facet) => sets.find(facet);
}

/** Facets with a smaller difference of their angles coincide within rounding. A pseudo-angle: a right angle is 1. */
const SAME_ANGLE = 1e-2;

/**
 * Pairs of facets at an edge with material between them, given by their halfedges. `far` is the larger vertex of the edge. Among
 * facets that coincide, those at which material ends come before those at which it begins: bodies touch there.
 */
function pairsAroundEdge(surface: Surface, halfedges: readonly number[], far: number): [number, number][] {
  if (halfedges.length === 0) return [];
  const angles = anglesAroundEdge(surface, halfedges);
  const sorted = halfedges.map((halfedge, i) => ({
    halfedge,
    angle: angles[i],
    begins: surface.triangles[halfedge] === far,
  }));
  sorted.sort((a, b) => a.angle - b.angle || a.halfedge - b.halfedge);
  const groups: (typeof sorted)[] = [];
  sorted.forEach((use, i) => {
    if (i > 0 && use.angle - sorted[i - 1].angle < SAME_ANGLE) groups[groups.length - 1].push(use);
    else groups.push([use]);
  });
  // The order is cyclic.
  if (groups.length > 1 && sorted[0].angle + FULL_TURN - sorted[sorted.length - 1].angle < SAME_ANGLE)
    groups[0].push(...(groups.pop() ?? []));
  const around = groups.flatMap((group) => [
    ...group.filter(({ begins }) => !begins),
    ...group.filter(({ begins }) => begins),
  ]);
  const open: number[] = [];
  const pairs: [number, number][] = [];
  // Two turns: a facet whose partner comes later in the order is paired in the second turn.
  const isPaired = new Set<number>();
  for (const { halfedge, begins } of [...around, ...around]) {
    if (isPaired.has(halfedge)) continue;
    if (begins) {
      if (!open.includes(halfedge)) open.push(halfedge);
      continue;
    }
    const first = open.pop();
    if (first === undefined) continue;
    pairs.push([first, halfedge]);
    isPaired.add(first).add(halfedge);
  }
  return pairs;
}

const FULL_TURN = 4;
