import { boxCentre } from "../geometry/box.ts";
import { type Pose, rotateVector, rotationMatrix } from "../geometry/pose.ts";
import { type Mat3, type Vec3 } from "../geometry/vector.ts";
import type { Mesh } from "../mesh/mesh.ts";

/** The direction in which the camera looks, as in the interface. */
export interface ViewDirection {
  /**
   * At 0 the camera is at +x and looks along −x. The angle grows clockwise, seen from above: at 90 the camera is at the front,
   * −y, and looks along +y.
   */
  readonly yawDeg: number;
  /** −90 to 90. 0 is horizontal; positive angles look down: at 90 the camera is straight above. */
  readonly pitchDeg: number;
}

/** Isometric view from the front right (interface supplement, section 5, the defaults of `scene/render`). */
export const DEFAULT_DIRECTION: ViewDirection = { yawDeg: 45, pitchDeg: 35.264 };

const RADIANS = Math.PI / 180;

/**
 * The rotation from the world to the view. Its rows are the directions to the right in the picture, up in the picture, and toward the
 * camera. Views are orthographic: lengths can be compared anywhere in a picture, the frame around bodies has an exact solution, and
 * bodies keep their size while the camera moves. The matrix is rounded to single precision because the last bits of sines differ
 * between JavaScript engines.
 */
export function viewMatrix({ yawDeg, pitchDeg }: ViewDirection): Mat3 {
  const [yaw, pitch] = [yawDeg * RADIANS, pitchDeg * RADIANS];
  const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
  return mapEntries([sy, cy, 0, -sp * cy, sp * sy, cp, cp * cy, -cp * sy, sp], Math.fround);
}

function mapEntries([a, b, c, d, e, f, g, h, i]: Mat3, map: (entry: number) => number): Mat3 {
  return [map(a), map(b), map(c), map(d), map(e), map(f), map(g), map(h), map(i)];
}

/** The map p → linear · p + offset. */
export interface Affine {
  readonly linear: Mat3;
  readonly offset: Vec3;
}

/** The matrix product a · b. */
export function multiplyMatrices(a: Mat3, b: Mat3): Mat3 {
  const entry = (row: number, column: number): number =>
    a[row] * b[column] + a[row + 1] * b[column + 3] + a[row + 2] * b[column + 6];
  const rowFrom = (at: number) => [entry(at, 0), entry(at, 1), entry(at, 2)] as const;
  return [...rowFrom(0), ...rowFrom(3), ...rowFrom(6)];
}

/** The map that applies `first`, then `second`. */
export function composeAffine(first: Affine, second: Affine): Affine {
  const [x, y, z] = rotateVector(second.linear, first.offset);
  const [u, v, w] = second.offset;
  return { linear: multiplyMatrices(second.linear, first.linear), offset: [x + u, y + v, z + w] };
}

/** From the mesh's own coordinates to the world. The rotation is rounded as in {@link viewMatrix}. */
export function meshToWorld(mesh: Mesh, { position, orientation, scale }: Pose): Affine {
  const linear = mapEntries(rotationMatrix(orientation), (entry) => Math.fround(entry) * scale);
  const [x, y, z] = rotateVector(linear, boxCentre(mesh.box));
  return { linear, offset: [position[0] - x, position[1] - y, position[2] - z] };
}

/** Applies the map to `vertices` (x, y, z of each). */
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
