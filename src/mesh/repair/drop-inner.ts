import type { Watch } from "../../core/watch.ts";
import { bodiesOf, bodyVolumes, closedBodies } from "../bodies.ts";
import { containersOf } from "../containment.ts";
import { edgesOf } from "../edges.ts";
import { type Surface, vertexCount } from "../mesh.ts";
import { keepFacets } from "./keep-facets.ts";

/** Drops bodies that part nothing: on both of their sides is solid, or on neither. The same surface where there are none. */
export function dropInner(surface: Surface, watch: Watch): Surface {
  const edges = edgesOf(surface.triangles, vertexCount(surface));
  const bodies = bodiesOf(surface, edges);
  if (bodies.count === 1) return surface;
  const volumes = bodyVolumes(surface, bodies);
  const all = [...volumes.keys()];
  const parts = new Set(all);
  const isClosed = closedBodies(surface, edges, bodies);
  for (const [body, containers] of containersOf(surface, bodies, isClosed, all, watch)) {
    const outside = [...containers].reduce((winding, other) => winding + Math.sign(volumes[other]), 0);
    const inside = outside + Math.sign(volumes[body]);
    if (outside > 0 === inside > 0) parts.delete(body);
  }
  return parts.size === bodies.count ? surface : keepFacets(surface, (facet) => parts.has(bodies.bodyOf[facet]));
}
