import type { Watch } from "../core/watch.ts";
import { type Bodies, bodiesOf, bodyVolumes, closedBodies } from "./bodies.ts";
import { containersOf } from "./containment.ts";
import { isFlat } from "./degenerate.ts";
import { type Edges, edgesOf } from "./edges.ts";
import { type Surface, vertexCount } from "./mesh.ts";

/** The pieces that a mesh falls into when it is taken apart: bodies with the cavities in them. */
export interface Solids {
  readonly count: number;
  /** Solid of each facet; {@link NO_SOLID} for facets without area that touch none. */
  readonly solidOf: Int32Array;
}

export const NO_SOLID = -1;

/**
 * The solids of a mesh, in the order of their first facets. A cavity belongs to the innermost body around it, and a body in
 * a cavity is a solid of its own, and so is an open one, wherever it is. What touches at corners alone falls apart, what
 * shares an edge does not. Bodies without area are no solids: they go with one whose corner they have.
 */
export function solidsOf(surface: Surface, watch: Watch): Solids {
  const edges = edgesOf(surface.triangles, vertexCount(surface));
  watch.report(0.4);
  const bodies = bodiesOf(surface, edges);
  watch.report(0.6);
  const hosts = hostsOf(surface, edges, bodies, watch.part(0.6, 0.8));
  watch.report(0.8);
  const hasArea = new Uint8Array(bodies.count);
  for (let facet = 0; facet < bodies.bodyOf.length; facet++) {
    const body = bodies.bodyOf[facet];
    if (hasArea[body] === 0 && !isFlat(surface, facet)) hasArea[body] = 1;
  }
  const solidOfBody = new Int32Array(bodies.count).fill(NO_SOLID);
  let count = 0;
  for (const [body, host] of hosts.entries()) if (host === body && hasArea[body] === 1) solidOfBody[body] = count++;
  for (const [body, host] of hosts.entries()) solidOfBody[body] = solidOfBody[host];
  const solidOf = Int32Array.from(bodies.bodyOf, (body) => solidOfBody[body]);
  if (hasArea.includes(0)) bringAlong(surface, solidOf);
  return { count, solidOf };
}

/** The body that each one belongs to: itself, or the one that it is a cavity of. */
function hostsOf(surface: Surface, edges: Edges, bodies: Bodies, watch: Watch): Uint32Array {
  const hosts = Uint32Array.from({ length: bodies.count }, (_, body) => body);
  const volumes = bodyVolumes(surface, bodies);
  const isClosed = closedBodies(surface, edges, bodies);
  const closed = [...hosts].filter((body) => isClosed[body] === 1);
  const facing = (body: number): 1 | -1 => (volumes[body] < 0 ? -1 : 1);
  if (closed.every((body) => facing(body) === facing(closed[0]))) return hosts;
  const containers = containersOf(surface, bodies, isClosed, closed, watch);
  // How many times the bodies around one go around a place just outside of it. A cavity takes one of them away.
  const windingAt = (body: number): number => [...containers.get(body)!].reduce((sum, outer) => sum + facing(outer), 0);
  const cavities = new Set(closed.filter((body) => windingAt(body) * facing(body) < 0));
  for (const cavity of cavities) {
    const around = [...containers.get(cavity)!].filter((outer) => !cavities.has(outer));
    const [innermost] = around.sort((a, b) => Math.abs(volumes[a]) - Math.abs(volumes[b]));
    if (innermost !== undefined) hosts[cavity] = innermost;
  }
  return hosts;
}

/** Gives facets that have no solid the first one that has a corner of theirs. */
function bringAlong({ vertices, triangles }: Surface, solidOf: Int32Array): void {
  const solidAt = new Int32Array(vertices.length / 3).fill(NO_SOLID);
  for (let at = triangles.length - 1; at >= 0; at--) {
    const solid = solidOf[(at - (at % 3)) / 3];
    const known = solidAt[triangles[at]];
    if (solid !== NO_SOLID && (known === NO_SOLID || solid < known)) solidAt[triangles[at]] = solid;
  }
  for (let facet = 0; facet < solidOf.length; facet++) {
    for (let at = 3 * facet; at < 3 * facet + 3 && solidOf[facet] === NO_SOLID; at++)
      solidOf[facet] = solidAt[triangles[at]];
  }
}
