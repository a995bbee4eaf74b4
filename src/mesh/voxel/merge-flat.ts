import type { Watch } from "../../core/watch.ts";
import { type Surface, vertexCount } from "../mesh.ts";
import { newFan } from "./fan.ts";
import { twinsOf } from "./twins-of.ts";

/** In the place of a vertex that is gone. */
const GONE = 0xffff_ffff;

/** Sweeps end when fewer than this share of the vertices go in one, and after so many. */
const LEAST_GONE = 0.0005;
const MOST_SWEEPS = 32;

/** What is to become of a vertex: it may go, it may once something around it went, or it stays and nothing goes into it. */
export const LOOKED_AT = 0;
export const SETTLED = 1;
export const FIXED = 2;

const VERTICES_PER_REPORT = 2048;

/**
 * A manifold with fewer vertices: those go that lie about within `toleranceMm` of what their neighbours span, as do all that
 * went into a place before. None moves, all keep their order. `begin` tells of each vertex what is to become of it;
 * around those that are not {@link FIXED} the surface is closed. Sweeps over the vertices take such that are no
 * neighbours, so that facets grow alike everywhere. It stays a manifold: an edge goes only if its ends have no more than
 * two neighbours in common. Source of that condition: T. Dey, H. Edelsbrunner, S. Guha, D. Nekhayev, "Topology preserving
 * edge contraction" (1999).
 */
export function mergeFlat(surface: Surface, toleranceMm: number, begin: Uint8Array, watch: Watch): Surface {
  const states = begin.slice();
  const { vertices } = surface;
  const count = vertexCount(surface);
  const triangles = surface.triangles.slice();
  const twins = twinsOf(triangles, count);
  /** A half-edge that leaves each vertex. */
  const leaving = new Uint32Array(count);
  for (let at = 0; at < triangles.length; at++) leaving[triangles[at]] = at;
  /** How far, at most, what went into a vertex was from the surface as it is there now. */
  const errors = new Float32Array(count);
  /** The sweep in which something around a vertex last went. */
  const touchedIn = new Uint8Array(count);
  const fan = newFan(vertices, triangles, twins, leaving, (vertex) => states[vertex] === FIXED);

  for (let sweep = 1; sweep <= MOST_SWEEPS; sweep++) {
    const part = watch.part(1 - 0.7 ** (sweep - 1), 1 - 0.7 ** sweep);
    let gone = 0;
    for (let vertex = 0; vertex < count; vertex++) {
      if (vertex % VERTICES_PER_REPORT === 0) part.report(vertex / count);
      if (states[vertex] !== LOOKED_AT || touchedIn[vertex] === sweep) continue;
      states[vertex] = SETTLED;
      if (!fan.open(vertex)) continue;
      const into = fan.flattest(toleranceMm - errors[vertex]);
      if (into < 0) continue;
      const kept = fan.neighbours[into];
      errors[kept] = Math.max(errors[kept], errors[vertex] + fan.error());
      for (let i = 0; i < fan.size(); i++) {
        const neighbour = fan.neighbours[i];
        touchedIn[neighbour] = sweep;
        if (states[neighbour] === SETTLED) states[neighbour] = LOOKED_AT;
      }
      fan.closeInto(into);
      leaving[vertex] = GONE;
      gone++;
    }
    if (gone < LEAST_GONE * count) break;
  }
  return compacted(vertices, triangles, leaving);
}

/** What is left, in its order. */
function compacted(vertices: Surface["vertices"], triangles: Uint32Array, leaving: Uint32Array): Surface {
  const places = new Float64Array(vertices.length);
  const numbers = new Uint32Array(leaving.length);
  let kept = 0;
  for (let vertex = 0; vertex < leaving.length; vertex++) {
    if (leaving[vertex] === GONE) continue;
    for (let axis = 0; axis < 3; axis++) places[3 * kept + axis] = vertices[3 * vertex + axis];
    numbers[vertex] = kept++;
  }
  const left = new Uint32Array(triangles.length);
  let corners = 0;
  for (let at = 0; at < triangles.length; at += 3) {
    if (triangles[at] === triangles[at + 1]) continue;
    for (let i = at; i < at + 3; i++) left[corners++] = numbers[triangles[i]];
  }
  return { vertices: places.slice(0, 3 * kept), triangles: left.slice(0, corners) };
}
