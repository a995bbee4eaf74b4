import { operationFailed } from "../../core/fault.ts";
import { edgesOf, nextInFacet } from "../../mesh/edges.ts";
import type { Trimmed } from "./trim.ts";

/** Where a trimmed surface ends. */
export interface Rims {
  /** Vertices of the closed lines in the plane of the cut. What is solid lies to their left, seen from above. */
  readonly contours: readonly (readonly number[])[];
  /** How many edges of one facet alone lie above the cut: rims of holes. */
  readonly openEdges: number;
}

type Side = readonly [from: number, to: number];

/** Throws OPERATION_FAILED where a line in the plane of the cut does not come back to where it began. */
export function rimsOf(trimmed: Trimmed): Rims {
  const { vertices, triangles, isOnPlane } = trimmed;
  const sides = openSides(triangles, vertices.length / 3);
  const inPlane = sides.filter(([from, to]) => isOnPlane[from] === 1 && isOnPlane[to] === 1);
  return { contours: chained(inPlane, trimmed), openEdges: sides.length - inPlane.length };
}

/** The sides of facets that no other facet runs along the other way. */
function openSides(triangles: Uint32Array, vertexCount: number): Side[] {
  const { halfEdges, far, runs } = edgesOf(triangles, vertexCount);
  const open: Side[] = [];
  for (let edge = 0; edge + 1 < runs.length; edge++) {
    // How much more often facets run along it toward its far end than back.
    let balance = 0;
    for (let i = runs[edge]; i < runs[edge + 1]; i++) balance += triangles[halfEdges[i]] === far[i] ? -1 : 1;
    if (balance === 0) continue;
    const side = Array.from(halfEdges.subarray(runs[edge], runs[edge + 1])).find(
      (halfEdge) => (triangles[halfEdge] === far[runs[edge]] ? -1 : 1) === Math.sign(balance),
    )!;
    for (let i = 0; i < Math.abs(balance); i++) open.push([triangles[side], triangles[nextInFacet(side)]]);
  }
  return open;
}

function chained(sides: readonly Side[], { vertices }: Trimmed): number[][] {
  const nexts = new Map<number, number[]>();
  for (const [from, to] of sides) {
    const known = nexts.get(from);
    if (known) known.push(to);
    else nexts.set(from, [to]);
  }
  const loops: number[][] = [];
  for (const [start] of sides) {
    while (nexts.get(start)?.length) {
      const loop = [start];
      let at = start;
      for (let before = -1; ;) {
        const choices = nexts.get(at);
        if (!choices?.length) throw notClosed();
        const next = choices.length === 1 ? choices.pop()! : takeLeftmost(choices, before, at, vertices);
        if (next === start) break;
        loop.push(next);
        [before, at] = [at, next];
      }
      loops.push(loop);
    }
  }
  return loops;
}

/** Where contours touch at a corner, each keeps to what is solid on its left. */
function takeLeftmost(choices: number[], before: number, at: number, vertices: Float64Array): number {
  if (before < 0) return choices.pop()!;
  const angleTo = (to: number): number =>
    Math.atan2(vertices[3 * to + 1] - vertices[3 * at + 1], vertices[3 * to] - vertices[3 * at]);
  const back = angleTo(before);
  // Clockwise from the way back.
  const turnTo = (to: number): number => (back - angleTo(to) + 4 * Math.PI) % (2 * Math.PI);
  const best = choices.reduce((least, to, i) => (turnTo(to) < turnTo(choices[least]) ? i : least), 0);
  return choices.splice(best, 1)[0];
}

const notClosed = (): Error =>
  operationFailed(
    "the cut meets its open rim, so its outline does not close. Cut higher, or repair the model first with /v1/scene/model/repair/.",
  );
