import type { Mesh as RhinoMesh, RhinoModule, SubD } from "rhino3dm";
import type { ErrorFactory } from "../../core/api-error.ts";
import { type Vec3, distance, dot, exactLength, unitOrZero } from "../../geometry/vector.ts";
import { type Surface, facetNormal, triangleCount, vertexAt } from "../../mesh/mesh.ts";
import { withHandles } from "./rhino-library.ts";

/** Triangles of a mesh of Rhino, in its coordinates. Quads are split along their shorter diagonal. */
export function surfaceOfMesh(mesh: RhinoMesh, refuse: ErrorFactory): Surface {
  return withHandles((own) => {
    const points = own(mesh.vertices());
    const vertices = new Float64Array(3 * points.count);
    for (let i = 0; i < points.count; i++) vertices.set(points.point3dAt(i), 3 * i);
    const faces = own(mesh.faces());
    // Copying all corners at once takes a tenth of the memory and time of an array per face.
    const { index } = mesh.toThreejsBuffers(false) as { readonly index: Uint32Array };
    const isSound = (vertex: number): boolean => vertex < points.count && vertex >= 0;
    if (index.length === 3 * faces.count && index.every(isSound)) return { vertices, triangles: index };
    const triangles = new Uint32Array(6 * faces.count);
    let filled = 0;
    const add = (...corners: number[]): void => {
      triangles.set(corners, filled);
      filled += corners.length;
    };
    const at = (vertex: number): Vec3 => vertexAt({ vertices, triangles: NO_TRIANGLES }, vertex);
    // The copy has a quad as (a, b, c), (c, d, a), but does not show whether there are triangles too.
    const isAllQuads = index.length === 6 * faces.count;
    for (let i = 0; i < faces.count; i++) {
      const [a, b, c, d] = isAllQuads ? [0, 1, 2, 4].map((corner) => index[6 * i + corner]) : faces.get(i);
      if (![a, b, c, d].every(isSound)) {
        throw refuse(`face ${i + 1} of a mesh has a vertex that does not exist; save it again in Rhino`);
      }
      if (c === d) add(a, b, c);
      else if (distance(at(a), at(c)) <= distance(at(b), at(d))) add(a, b, c, a, c, d);
      else add(a, b, d, b, c, d);
    }
    return { vertices, triangles: triangles.slice(0, filled) };
  });
}

const NO_TRIANGLES = new Uint32Array(0);

/** Each level has four times the facets of the previous one. */
const MIN_LEVEL = 2;
const MAX_LEVEL = 8;
const MAX_SUBD_FACETS = 400_000;

/**
 * Triangles of the smooth surface of a subdivision body, in its coordinates: its control net, subdivided until no smooth edge bulges
 * by more than `tolerance`, or the next level would have too many facets. Changes the body.
 */
export function surfaceOfSubD(rhino: RhinoModule, subD: SubD, tolerance: number, refuse: ErrorFactory): Surface {
  // The declaration of the library omits the arguments: the body, and whether texture coordinates are wanted.
  const toMesh = rhino.Mesh.createFromSubDControlNet as unknown as (
    body: SubD,
    isTextured: boolean,
  ) => RhinoMesh | null;
  for (let level = 0; ; level++) {
    const surface = withHandles((own) => {
      const mesh = own(toMesh(subD, false));
      if (!mesh) throw refuse("a SubD of it has no faces; save it again in Rhino, or convert it to NURBS there");
      return surfaceOfMesh(mesh, refuse);
    });
    const isLast = level === MAX_LEVEL || 4 * triangleCount(surface) > MAX_SUBD_FACETS;
    if (isLast || (level >= MIN_LEVEL && largestBulge(surface, Math.PI / 2 ** level) <= tolerance)) return surface;
    if (!subD.subdivide()) return surface;
  }
}

/**
 * The largest distance between the triangles and the smooth surface through their corners, from the angle at each edge and the height
 * of the adjacent triangles, as for an arc. Edges that bend by more than `crease` radians are creases of the body: each subdivision
 * halves the bend of a smooth edge.
 */
function largestBulge(surface: Surface, crease: number): number {
  const { triangles, vertices } = surface;
  const opposite = new Map<number, number>();
  let largest = 0;
  for (let corner = 0; corner < triangles.length; corner++) {
    const next = corner % 3 === 2 ? corner - 2 : corner + 1;
    const [from, to] = [triangles[corner], triangles[next]];
    const count = vertices.length / 3;
    const other = opposite.get(to * count + from);
    opposite.set(from * count + to, Math.floor(corner / 3));
    if (other === undefined) continue;
    const normals = [Math.floor(corner / 3), other].map((facet) => facetNormal(surface, facet));
    const [a, b] = normals.map(unitOrZero);
    const angle = Math.acos(Math.min(1, Math.max(-1, dot(a, b))));
    const length = distance(vertexAt(surface, from), vertexAt(surface, to));
    if (angle > crease || length === 0) continue;
    const height = Math.max(...normals.map(exactLength)) / length;
    largest = Math.max(largest, (height * angle) / 8);
  }
  return largest;
}
