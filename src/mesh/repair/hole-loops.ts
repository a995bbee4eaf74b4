import type { Vec3 } from "../../core/geometry.ts";
import { ORIGIN, add, cross, dot, length, subtract, times } from "../../core/geometry.ts";
import type { Edges } from "../edges.ts";
import { facetOf, nextInFacet } from "../edges.ts";
import type { Surface } from "../mesh.ts";
import { facetNormal } from "./facet-normal.ts";

/**
 * The simple loops of open edges, each as its vertices in the order in which a facet that fills the hole runs along
 * them. Chains of open edges that do not close are left out.
 */
export function holeLoops(surface: Surface, edges: Edges): number[][] {
  const { triangles } = surface;
  const leaving = new Map<number, number[]>();
  for (let edge = 0; edge + 1 < edges.runs.length; edge++) {
    if (edges.runs[edge + 1] - edges.runs[edge] > 1) continue;
    const halfEdge = edges.halfEdges[edges.runs[edge]];
    // The hole's own facet runs against the facet that is there.
    const from = triangles[nextInFacet(halfEdge)];
    const at = leaving.get(from);
    if (at === undefined) leaving.set(from, [halfEdge]);
    else at.push(halfEdge);
  }
  const loops: number[][] = [];
  for (const first of leaving.keys()) {
    while (leaving.get(first)!.length > 0) loops.push(...walk(surface, leaving, first));
  }
  return loops.filter((loop) => loop.length > 2);
}

/** Follows open edges from `first` until they end, using them up; cuts a loop off whenever the path meets itself. */
function walk(surface: Surface, leaving: Map<number, number[]>, first: number): number[][] {
  const loops: number[][] = [];
  const path = [first];
  const placeOf = new Map([[first, 0]]);
  for (let choices = leaving.get(first)!; choices.length > 0;) {
    const halfEdge = takeNext(surface, choices, path);
    const to = surface.triangles[halfEdge];
    const place = placeOf.get(to);
    if (place === undefined) {
      placeOf.set(to, path.push(to) - 1);
    } else {
      loops.push(path.slice(place));
      for (const v of path.splice(place + 1)) placeOf.delete(v);
    }
    choices = leaving.get(to) ?? [];
  }
  return loops;
}

/** Holes that touch at one vertex, at most: more are debris, where no way on is better than another. */
const MOST_TOUCHING = 16;

/** Where holes touch at a vertex, goes on along the rim of the hole it came from: the first edge across that hole. */
function takeNext({ vertices, triangles }: Surface, choices: number[], path: readonly number[]): number {
  if (choices.length === 1 || choices.length > MOST_TOUCHING || path.length === 1) return choices.pop()!;
  const place = (v: number): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];
  const here = place(path.at(-1)!);
  const back = subtract(place(path.at(-2)!), here);
  const normal = choices.map((halfEdge) => unitNormal(place, triangles, facetOf(halfEdge))).reduce(add, ORIGIN);
  const turnOf = (halfEdge: number): number => {
    const out = subtract(place(triangles[halfEdge]), here);
    const angle = Math.atan2(dot(cross(out, back), normal), dot(out, back) * length(normal));
    return angle > 0 ? angle : angle + 2 * Math.PI;
  };
  const turns = choices.map(turnOf);
  return choices.splice(turns.indexOf(Math.min(...turns)), 1)[0]!;
}

function unitNormal(place: (v: number) => Vec3, triangles: Uint32Array, facet: number): Vec3 {
  const normal = facetNormal(
    place(triangles[3 * facet]),
    place(triangles[3 * facet + 1]),
    place(triangles[3 * facet + 2]),
  );
  return times(normal, 1 / (length(normal) || 1));
}
