import type { Watch } from "../../core/watch.ts";
import { bodiesOf, bodyVolumes, closedBodies } from "../../mesh/bodies.ts";
import { isSelfIntersecting } from "../../mesh/bvh/crossing-facets.ts";
import { facetTree } from "../../mesh/bvh/facet-tree.ts";
import { containersOf } from "../../mesh/containment.ts";
import { edgesOf } from "../../mesh/edges.ts";
import { type Mesh, type Surface, vertexCount } from "../../mesh/mesh.ts";
import { keepFacets } from "../../mesh/repair/keep-facets.ts";
import { repair } from "../../mesh/repair/repair.ts";
import { solidOf } from "../../slice/solid.ts";

/** Shares of the progress at which the solid's facets face outward, it is known whether they cross, and they do no more. */
const ORIENTED = 0.1;
const KNOWN = 0.4;
const RESOLVED = 0.9;

/** The surface of what a closed mesh takes: outward all over, and without what lies inside of it where bodies overlap. */
export function outerSurface(mesh: Mesh, watch: Watch): Surface {
  const solid = solidOf(mesh, watch.part(0, ORIENTED));
  const searching = watch.part(ORIENTED, KNOWN);
  const crosses = isSelfIntersecting(facetTree(solid, searching.part(0, 0.5)), searching.part(0.5, 1));
  const resolved = crosses ? repair(mesh, watch.part(KNOWN, RESOLVED)).mesh : solid;
  watch.report(RESOLVED);
  return withoutInner(resolved);
}

/** Without the bodies that part nothing: on both of their sides is solid, or on neither. */
function withoutInner(surface: Surface): Surface {
  const edges = edgesOf(surface.triangles, vertexCount(surface));
  const bodies = bodiesOf(surface, edges);
  if (bodies.count === 1) return surface;
  const volumes = bodyVolumes(surface, bodies);
  const all = [...volumes.keys()];
  const parts = new Set(all);
  for (const [body, containers] of containersOf(surface, bodies, closedBodies(surface, edges, bodies), all)) {
    const outside = [...containers].reduce((winding, other) => winding + Math.sign(volumes[other]), 0);
    const inside = outside + Math.sign(volumes[body]);
    if (outside > 0 === inside > 0) parts.delete(body);
  }
  return parts.size === bodies.count ? surface : keepFacets(surface, (facet) => parts.has(bodies.bodyOf[facet]));
}
