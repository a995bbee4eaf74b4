import type { Bodies } from "./bodies.ts";
import type { Watch } from "../core/watch.ts";
import { bodyVolumes, closedBodies } from "./bodies.ts";
import { containersOf } from "./containment.ts";
import type { Edges } from "./edges.ts";
import type { Surface } from "./mesh.ts";

/**
 * The closed bodies that face inward and should not. A cavity lies wholly inside an odd number of other closed bodies and
 * rightly faces inward; an outward body may lie anywhere.
 */
export function invertedBodies(surface: Surface, edges: Edges, bodies: Bodies, watch: Watch): number[] {
  const volumes = bodyVolumes(surface, bodies);
  if (volumes.every((volume) => volume >= 0)) return [];
  const isClosed = closedBodies(surface, edges, bodies);
  const inward = [...volumes.keys()].filter((body) => volumes[body] < 0 && isClosed[body] === 1);
  if (bodies.count === 1) return inward;
  const containers = containersOf(surface, bodies, isClosed, inward, watch);
  return inward.filter((body) => containers.get(body)!.size % 2 === 0);
}
