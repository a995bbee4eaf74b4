import { boxOf } from "../geometry/box.ts";
import { add, dot, exactLength, ORIGIN, subtract, times, unitOrZero, type Vec3 } from "../geometry/vector.ts";
import { facetOf } from "../geometry/halfedge.ts";
import { float32SpacingMm } from "../mesh/measure.ts";
import { facetNormal, type Surface, vertexCount } from "../mesh/mesh.ts";
import { VertexWelder } from "../mesh/welder.ts";

/**
 * Distance by which a vertex is moved, as a multiple of the single-precision spacing at the largest coordinate. It is safe from
 * rounding.
 */
const SEPARATION_STEPS = 8;

/**
 * Moves vertices at the same position apart by a few steps of single precision, so that sheets that only touch stay separate in a
 * {@link Mesh}, which merges equal positions. Each vertex moves along its {@link inwardDirection}, into its own material. The vertex
 * with the least depth is not moved.
 */
export function separateCoincidentVertices(surface: Surface): Surface {
  const { vertices, triangles } = surface;
  const groupOf = coincidentVertices(surface);
  if (groupOf.size === 0) return surface;
  const normals = new Map<number, Vec3[]>();
  for (let corner = 0; corner < triangles.length; corner++) {
    const v = triangles[corner];
    if (!groupOf.has(v)) continue;
    const known = normals.get(v);
    // Unit normals: narrow facets count as much as others.
    const normal = unitOrZero(facetNormal(surface, facetOf(corner)));
    if (known) known.push(normal);
    else normals.set(v, [normal]);
  }
  const step = SEPARATION_STEPS * float32SpacingMm(boxOf(vertices));
  const moved = Float64Array.from(vertices);
  for (const group of Map.groupBy(normals, ([v]) => groupOf.get(v)).values()) {
    const moves = group.map(([v, around]) => ({ v, ...inwardDirection(around) }));
    moves.sort((one, other) => one.depth - other.depth);
    moves.forEach(({ v, direction }, i) => {
      // Different distances separate vertices with the same direction, too.
      for (let axis = 0; axis < 3; axis++) moved[3 * v + axis] += i * step * direction[axis];
    });
  }
  return { vertices: moved, triangles };
}

/** The used vertices that share their position with others, each with the index of its position. */
function coincidentVertices(surface: Surface): Map<number, number> {
  const { vertices, triangles } = surface;
  const isUsed = new Uint8Array(vertexCount(surface));
  for (const v of triangles) isUsed[v] = 1;
  const positionOf = new Uint32Array(isUsed.length);
  new VertexWelder(isUsed.length).add(Float32Array.from(vertices), isUsed.length, positionOf, 0);
  const uses = new Uint32Array(isUsed.length);
  for (let v = 0; v < isUsed.length; v++) uses[positionOf[v]] += isUsed[v];
  const coincident = new Map<number, number>();
  for (let v = 0; v < isUsed.length; v++) {
    if (isUsed[v] === 1 && uses[positionOf[v]] > 1) coincident.set(v, positionOf[v]);
  }
  return coincident;
}

/** The iteration converges. If it takes more steps, the facets leave almost no depth. */
const MAX_ITERATIONS = 256;

/**
 * The unit direction that leads deepest behind the planes of all facets at a vertex, given their unit normals, and the depth
 * gained per millimetre: 0 or less if no direction is behind all planes, and then the direction is opposite to the mean
 * normal. The direction is opposite to the point of the normals' convex hull that is nearest to the origin.
 * Source: E. Gilbert, "An Iterative Procedure for Computing the Minimum of a Quadratic Form on a Convex Set" (1966).
 */
export function inwardDirection(normals: readonly Vec3[]): { readonly direction: Vec3; readonly depth: number } {
  const mean = times(normals.reduce(add, ORIGIN), 1 / normals.length);
  let nearest = mean;
  for (let step = 0; step < MAX_ITERATIONS; step++) {
    const lowest = normals.reduce((a, b) => (dot(b, nearest) < dot(a, nearest) ? b : a));
    const toLowest = subtract(lowest, nearest);
    const share = -dot(nearest, toLowest) / dot(toLowest, toLowest);
    if (!(share > 0)) break;
    nearest = add(nearest, times(toLowest, Math.min(share, 1)));
  }
  const opposite = (vector: Vec3): { direction: Vec3; depth: number } => {
    const size = exactLength(vector);
    const direction: Vec3 = size > 0 ? times(vector, -1 / size) : [0, 0, -1];
    return { direction, depth: Math.min(...normals.map((normal) => -dot(normal, direction))) };
  };
  const deepest = opposite(nearest);
  return deepest.depth > 0 ? deepest : opposite(mean);
}
