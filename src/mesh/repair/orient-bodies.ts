import type { Watch } from "../../core/watch.ts";
import { bodiesOf, bodyVolumes, closedBodies } from "../bodies.ts";
import { containersOf } from "../containment.ts";
import { invertedBodies } from "../inverted.ts";
import type { Surface } from "../mesh.ts";
import { flipFacets } from "./flip-facets.ts";
import { edgesFor } from "./edges-for.ts";

/**
 * Turns inside-out bodies outward. What lies inside one of them was most likely written inside out with it, so there
 * inward and outward alternate from shell to shell.
 */
export function orientBodies(surface: Surface, watch: Watch): Surface {
  const edges = edgesFor(surface);
  const bodies = bodiesOf(surface, edges);
  const inverted = new Set(invertedBodies(surface, edges, bodies, watch.part(0, 0.5)));
  if (inverted.size === 0) return surface;
  const isClosed = closedBodies(surface, edges, bodies);
  const volumes = bodyVolumes(surface, bodies);
  const closed = [...isClosed.keys()].filter((body) => isClosed[body] === 1);
  const flipped = new Set(inverted);
  for (const [body, containers] of containersOf(surface, bodies, isClosed, closed, watch.part(0.5, 1))) {
    const shouldFaceInward = containers.size % 2 === 1;
    if (!containers.isDisjointFrom(inverted) && volumes[body] < 0 !== shouldFaceInward) flipped.add(body);
  }
  return flipFacets(surface, (facet) => flipped.has(bodies.bodyOf[facet]));
}
