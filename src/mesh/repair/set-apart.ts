import { exactLength, type Vec3 } from "../../core/geometry.ts";
import { boxOf } from "../measure.ts";
import type { Surface } from "../mesh.ts";
import { vertexCount } from "../mesh.ts";
import { Welder } from "../welder.ts";
import { singleStepMm } from "../single-step.ts";
import { facetNormal } from "./facet-normal.ts";
import { kernelDirection } from "./kernel-direction.ts";

/** How far copies of a vertex are moved, in steps of single precision of the farthest coordinate: no step can undo it. */
const STEPS_APART = 8;

/**
 * Moves vertices at the same place apart by a few steps of single precision, so that sheets that touched stay two in a mesh
 * that knows vertices by their places: all but one of them, each into its own material as deep as it goes. The one that stays
 * is the one with the least way in.
 */
export function setApart(surface: Surface): Surface {
  const { vertices, triangles } = surface;
  const placeOf = sharedPlaces(surface);
  if (placeOf.size === 0) return surface;
  const normals = new Map<number, Vec3[]>();
  for (let corner = 0; corner < triangles.length; corner++) {
    const v = triangles[corner];
    if (!placeOf.has(v)) continue;
    const known = normals.get(v);
    const normal = normalAt(surface, corner - (corner % 3));
    if (known) known.push(normal);
    else normals.set(v, [normal]);
  }
  const step = STEPS_APART * singleStepMm(boxOf(vertices));
  const apart = Float64Array.from(vertices);
  for (const copies of Map.groupBy(normals.keys(), (v) => placeOf.get(v)!).values()) {
    const ways = copies.map((v) => ({ v, ...kernelDirection(normals.get(v)!) }));
    ways.sort((one, other) => one.depth - other.depth);
    ways.forEach(({ v, direction }, number) => {
      // Two that would go the same way go different distances.
      for (let axis = 0; axis < 3; axis++) apart[3 * v + axis] += number * step * direction[axis]!;
    });
  }
  return { vertices: apart, triangles };
}

/** The place, by a number, of each vertex that shares it with others. */
function sharedPlaces(surface: Surface): Map<number, number> {
  const { vertices, triangles } = surface;
  const isUsed = new Uint8Array(vertexCount(surface));
  for (const v of triangles) isUsed[v] = 1;
  const places = new Uint32Array(isUsed.length);
  new Welder(isUsed.length).add(Float32Array.from(vertices), isUsed.length, places, 0);
  const timesAt = new Uint32Array(isUsed.length);
  for (let v = 0; v < isUsed.length; v++) timesAt[places[v]] += isUsed[v];
  const shared = new Map<number, number>();
  for (let v = 0; v < isUsed.length; v++) {
    if (isUsed[v] === 1 && timesAt[places[v]] > 1) shared.set(v, places[v]);
  }
  return shared;
}

/** Of unit length, so that slender facets count as much as others; zero for a facet without area. */
function normalAt({ vertices, triangles }: Surface, at: number): Vec3 {
  const place = (v: number): Vec3 => [vertices[3 * v], vertices[3 * v + 1], vertices[3 * v + 2]];
  const [a, b, c] = [place(triangles[at]), place(triangles[at + 1]), place(triangles[at + 2])];
  const normal = facetNormal(a, b, c);
  const size = exactLength(normal) || 1;
  return [normal[0] / size, normal[1] / size, normal[2] / size];
}
