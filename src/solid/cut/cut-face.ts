import { intersectPolygons, unionPolygons } from "../../geometry/polygon-operations.ts";
import { type Polygon, type Polygons, signedArea } from "../../geometry/polygon.ts";
import type { Surface } from "../../mesh/mesh.ts";
import { type HoleFrame, toHoleFrame } from "../drill/bore.ts";

/**
 * The region of a plane in which the two parts of a solid touch that was cut there, in the u and v of the frame times `scale`. The plane is at
 * s = 0 of the frame, and `above` is at positive s. Faces of the solid that are in the plane belong to one part only, and do not count.
 */
export async function cutFace(
  above: Surface,
  below: Surface,
  frame: HoleFrame,
  toleranceMm: number,
  scale: number,
): Promise<Polygons> {
  const [lower, upper] = await Promise.all(
    [below, above].map((part) => unionPolygons(facetsInPlane(part, frame, toleranceMm, scale))),
  );
  return intersectPolygons(lower ?? [], upper ?? []);
}

/** The facets of a surface whose corners are all in the plane, counter-clockwise seen from positive s. */
function facetsInPlane(surface: Surface, frame: HoleFrame, toleranceMm: number, scale: number): Polygon[] {
  const { vertices, triangles } = surface;
  const places = new Map<number, readonly [u: number, v: number]>();
  for (let vertex = 0; 3 * vertex < vertices.length; vertex++) {
    const at = 3 * vertex;
    const [u, v, s] = toHoleFrame(frame, [vertices[at], vertices[at + 1], vertices[at + 2]]);
    if (Math.abs(s) <= toleranceMm) places.set(vertex, [u * scale, v * scale]);
  }
  const facets: Polygon[] = [];
  for (let at = 0; at < triangles.length; at += 3) {
    const corners = [triangles[at], triangles[at + 1], triangles[at + 2]].map((vertex) => places.get(vertex));
    const [a, b, c] = corners;
    if (!a || !b || !c) continue;
    const facet = Float64Array.of(...a, ...b, ...c);
    facets.push(signedArea(facet) < 0 ? Float64Array.of(...a, ...c, ...b) : facet);
  }
  return facets;
}
