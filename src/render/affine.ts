import { centreOf, type Mat3, type Vec3 } from "../core/geometry.ts";
import { type Pose, toMatrix, turn } from "../mesh/pose.ts";
import type { Mesh } from "../mesh/mesh.ts";

/** p → linear · p + offset. */
export interface Affine {
  readonly linear: Mat3;
  readonly offset: Vec3;
}

export const multiply = (a: Mat3, b: Mat3): Mat3 =>
  Array.from({ length: 9 }, (_, at) => {
    const [row, column] = [at - (at % 3), at % 3];
    return a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6];
  }) as unknown as Mat3;

/** The map that does `first`, then `second`. */
export function after(first: Affine, second: Affine): Affine {
  const [x, y, z] = turn(second.linear, first.offset);
  const [u, v, w] = second.offset;
  return { linear: multiply(second.linear, first.linear), offset: [x + u, y + v, z + w] };
}

/** From a mesh's own coordinates to the world's. Sines are rounded as in the view's matrix. */
export function placing(mesh: Mesh, { position, orientation, scale }: Pose): Affine {
  const linear = toMatrix(orientation).map((value) => Math.fround(value) * scale) as unknown as Mat3;
  const [x, y, z] = turn(linear, centreOf(mesh.box));
  return { linear, offset: [position[0] - x, position[1] - y, position[2] - z] };
}

/** The points of `vertices` (x, y, z of each) under the map. */
export function mapPoints(vertices: Float32Array, { linear, offset }: Affine): Float32Array {
  const points = new Float32Array(vertices.length);
  const [a, b, c, d, e, f, g, h, i] = linear;
  const [u, v, w] = offset;
  for (let at = 0; at < vertices.length; at += 3) {
    const x = vertices[at];
    const y = vertices[at + 1];
    const z = vertices[at + 2];
    points[at] = a * x + b * y + c * z + u;
    points[at + 1] = d * x + e * y + f * z + v;
    points[at + 2] = g * x + h * y + i * z + w;
  }
  return points;
}
