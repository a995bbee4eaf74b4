import { cross, dot, subtract, times, type Vec3 } from "../../core/geometry.ts";
import { once } from "../../core/once.ts";
import { nextInFacet, previousInFacet } from "../edges.ts";
import type { Surface } from "../mesh.ts";
import { edgesFor } from "./edges-for.ts";

/** No half-edge. */
export const NONE = 0xffff_ffff;

/** Which half-edges belong together as the two sides of one sheet. */
export interface Mates {
  /** Of each half-edge the one that runs against it in the same sheet, or {@link NONE}. */
  readonly of: Uint32Array;
  /** A half-edge of each edge that more than two facets use, or two that face against each other. */
  readonly bad: readonly number[];
}

/** Pairs the half-edges of every edge; at one of more than two facets, those that hold material between them. */
export const matesFor: (surface: Surface) => Mates = once((surface: Surface): Mates => {
  const { triangles } = surface;
  const { halfEdges, runs } = edgesFor(surface);
  const mates = new Uint32Array(triangles.length).fill(NONE);
  const bad: number[] = [];
  const pair = (a: number, b: number): void => {
    mates[a] = b;
    mates[b] = a;
  };
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    const from = runs[edge];
    const uses = runs[edge + 1] - from;
    if (uses === 1) continue;
    const [first, second] = [halfEdges[from], halfEdges[from + 1]];
    if (uses > 2 || triangles[first] === triangles[second]) bad.push(first);
    if (uses > 2) pairAround(surface, [...halfEdges.subarray(from, runs[edge + 1])], pair);
    else if (triangles[first] !== triangles[second]) pair(first, second);
  }
  return { of: mates, bad };
});

/**
 * Goes around an edge as brackets: a facet that has material ahead opens, one that has it behind closes the last that is
 * open. Starts where the most are closed, for the turn has no beginning.
 */
function pairAround(surface: Surface, uses: number[], pair: (a: number, b: number) => void): void {
  const { triangles } = surface;
  const low = Math.min(triangles[uses[0]], triangles[nextInFacet(uses[0])]);
  const turns = turnsOf(surface, uses);
  const around = uses.map((halfEdge, i) => ({ halfEdge, turn: turns[i], opens: triangles[halfEdge] !== low }));
  // Of two that lie on each other, the one that closes comes last: they hold nothing between them.
  around.sort((a, b) => a.turn - b.turn || Number(b.opens) - Number(a.opens) || a.halfEdge - b.halfEdge);
  let depth = 0;
  let least = 0;
  let start = 0;
  around.forEach(({ opens }, i) => {
    depth += opens ? 1 : -1;
    if (depth < least) [least, start] = [depth, i + 1];
  });
  const open: number[] = [];
  for (const { halfEdge, opens } of [...around.slice(start), ...around.slice(0, start)]) {
    if (opens) open.push(halfEdge);
    else if (open.length > 0) pair(open.pop()!, halfEdge);
  }
}

/** How far around their edge facets lie, from 0 to 4, counter-clockwise about it from its smaller vertex to its larger. */
function turnsOf({ vertices, triangles }: Surface, uses: readonly number[]): number[] {
  const place = (v: number): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];
  const [from, to] = [triangles[uses[0]], triangles[nextInFacet(uses[0])]].sort((a, b) => a - b);
  const start = place(from);
  const axis = subtract(place(to), start);
  const across = (halfEdge: number): Vec3 => {
    const out = subtract(place(triangles[previousInFacet(halfEdge)]), start);
    return subtract(times(out, dot(axis, axis)), times(axis, dot(out, axis)));
  };
  const u = across(uses[0]);
  const v = cross(axis, u);
  // The sides of the frame must be as long as each other for turns to be even; they need only be in order.
  return uses.map((halfEdge) => {
    const out = across(halfEdge);
    const [x, y] = [dot(out, u), dot(out, v)];
    const size = Math.abs(x) + Math.abs(y);
    const share = size > 0 ? y / size : 0;
    return x >= 0 ? (y >= 0 ? share : 4 + share) : 2 - share;
  });
}
