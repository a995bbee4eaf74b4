import { add, dot, exactLength, ORIGIN, subtract, times, type Vec3 } from "../../core/geometry.ts";

/** Each brings it nearer to the best; where a few do not do, there is hardly any way in. */
const STEPS = 256;

/**
 * The direction in which a corner goes deepest behind all the planes of the facets at it, whose unit normals are given, and
 * how deep for each millimetre: 0 or less where no way lies behind all of them. The direction is the mean one then.
 * It is the point of the normals' convex hull that is nearest to the origin, turned about.
 * Source: E. Gilbert, "An Iterative Procedure for Computing the Minimum of a Quadratic Form on a Convex Set" (1966).
 */
export function kernelDirection(normals: readonly Vec3[]): { readonly direction: Vec3; readonly depth: number } {
  const mean = times(normals.reduce(add, ORIGIN), 1 / normals.length);
  let nearest = mean;
  for (let step = 0; step < STEPS; step++) {
    const lowest = normals.reduce((a, b) => (dot(b, nearest) < dot(a, nearest) ? b : a));
    const way = subtract(lowest, nearest);
    const share = -dot(nearest, way) / dot(way, way);
    if (!(share > 0)) break;
    nearest = add(nearest, times(way, Math.min(share, 1)));
  }
  const depthOf = (direction: Vec3): number => Math.min(...normals.map((normal) => -dot(normal, direction)));
  const [best, usual] = [nearest, mean].map(backward);
  return depthOf(best!) > 0
    ? { direction: best!, depth: depthOf(best!) }
    : { direction: usual!, depth: depthOf(usual!) };
}

/** Against a vector, of unit length; downward where there is none. */
function backward(vector: Vec3): Vec3 {
  const size = exactLength(vector);
  return size > 0 ? times(vector, -1 / size) : [0, 0, -1];
}
