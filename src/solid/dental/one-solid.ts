import { type Bodies, bodiesOf, bodyVolumes, closedBodies } from "../../mesh/bodies.ts";
import { difference } from "../../mesh/boolean/difference.ts";
import { union } from "../../mesh/boolean/union.ts";
import type { Watch } from "../../core/watch.ts";
import { edgesOf } from "../../mesh/edges.ts";
import { type Surface, vertexCount } from "../../mesh/mesh.ts";
import { flipFacets } from "../../mesh/repair/flip-facets.ts";
import { orientBodies } from "../../mesh/repair/orient-bodies.ts";

/**
 * The surface facing outward, its bodies united where they overlap, as teeth that were put into a jaw do: so what hangs
 * together as a solid hangs together as a surface. One with gaps is the same object.
 */
export async function oneSolid(surface: Surface, watch: Watch): Promise<Surface> {
  const edges = edgesOf(surface.triangles, vertexCount(surface));
  const bodies = bodiesOf(surface, edges);
  if (closedBodies(surface, edges, bodies).includes(0)) return surface;
  const outward = orientBodies(surface);
  if (bodies.count === 1) return outward;
  const volumes = bodyVolumes(outward, bodies);
  const parts = surfacesOf(outward, bodies);
  const solid = await union(
    parts.filter((_, body) => volumes[body] >= 0),
    watch,
  );
  const cavities = parts.filter((_, body) => volumes[body] < 0).map((cavity) => flipFacets(cavity, () => true));
  return cavities.length === 0 ? solid : difference(solid, cavities);
}

/** Each body with vertices of its own. */
function surfacesOf({ vertices, triangles }: Surface, { count, bodyOf }: Bodies): Surface[] {
  const corners = Array.from({ length: count }, (): number[] => []);
  triangles.forEach((corner, at) => corners[bodyOf[(at - (at % 3)) / 3]].push(corner));
  return corners.map((mine) => {
    const numbers = new Map<number, number>();
    const places: number[] = [];
    const own = mine.map((corner) => {
      const known = numbers.get(corner);
      if (known !== undefined) return known;
      places.push(vertices[3 * corner], vertices[3 * corner + 1], vertices[3 * corner + 2]);
      numbers.set(corner, numbers.size);
      return numbers.size - 1;
    });
    return { vertices: Float32Array.from(places), triangles: Uint32Array.from(own) };
  });
}
