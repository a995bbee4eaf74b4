import { bodiesOf, bodyVolumes, closedBodies } from "../../mesh/bodies.ts";
import { difference } from "../../mesh/boolean/difference.ts";
import { union } from "../../mesh/boolean/union.ts";
import type { Watch } from "../../core/watch.ts";
import { edgesOf } from "../../mesh/edges.ts";
import { type Surface, vertexCount } from "../../mesh/mesh.ts";
import { flipFacets } from "../../mesh/repair/flip-facets.ts";
import { orientBodies } from "../../mesh/repair/orient-bodies.ts";
import { takenApart } from "../../mesh/taken-apart.ts";

/**
 * The surface facing outward, its bodies united where they overlap, as teeth that were put into a jaw do: so what hangs
 * together as a solid hangs together as a surface. One with gaps is the same object.
 */
export async function oneSolid(surface: Surface, watch: Watch): Promise<Surface> {
  const edges = edgesOf(surface.triangles, vertexCount(surface));
  const bodies = bodiesOf(surface, edges);
  if (closedBodies(surface, edges, bodies).includes(0)) return surface;
  const outward = orientBodies(surface, watch.part(0, 0.3));
  if (bodies.count === 1) return outward;
  const volumes = bodyVolumes(outward, bodies);
  const parts = takenApart(outward, bodies.bodyOf, bodies.count);
  const solid = await union(
    parts.filter((_, body) => volumes[body] >= 0),
    watch.part(0.3, 1),
  );
  const cavities = parts.filter((_, body) => volumes[body] < 0).map((cavity) => flipFacets(cavity, () => true));
  return cavities.length === 0 ? solid : difference(solid, cavities);
}
