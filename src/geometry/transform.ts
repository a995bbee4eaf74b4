import { boxCentre } from "./box.ts";
import { type PlacedBox, rotateVector, rotationMatrix } from "./pose.ts";
import { mapMat3 } from "./vector.ts";

/**
 * Affine transform in the notation of 3MF (core specification, section 3.3): m00 m01 m02 m10 … m32, the first three
 * columns of a matrix for row vectors, translation last.
 */
export type Transform = readonly number[];

export const IDENTITY_TRANSFORM: Transform = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

/** From mesh to scene coordinates. Sines are rounded to single precision because engines may differ in their last bits. */
export function poseTransform({ mesh, pose }: PlacedBox): Transform {
  const turned = mapMat3(rotationMatrix(pose.orientation), (value) => Math.fround(value) * pose.scale);
  const [a, b, c, d, e, f, g, h, i] = turned;
  const [ox, oy, oz] = rotateVector(turned, boxCentre(mesh.box));
  const [x, y, z] = pose.position;
  return [a, d, g, b, e, h, c, f, i, x - ox, y - oy, z - oz];
}

/** The transform that applies `first`, then `second`. */
export function compose(first: Transform, second: Transform): Transform {
  return first.map((_, i) => {
    const row = i - (i % 3);
    const column = i % 3;
    const [a, b, c] = [first[row], first[row + 1], first[row + 2]];
    const translation = row === 9 ? second[9 + column] : 0;
    return a * second[column] + b * second[3 + column] + c * second[6 + column] + translation;
  });
}

/** Whether the transform turns a body inside out: its determinant is negative. */
export const isMirror = (transform: Transform): boolean => determinant(transform) < 0;

/** The factor by which the transform multiplies volumes; negative if it mirrors. */
export const determinant = ([a, b, c, d, e, f, g, h, i]: Transform): number =>
  a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);

/** Writes the transformed points of `from` (x, y, z each) to `to`, from index `at` on. */
export function transformPoints(from: ArrayLike<number>, transform: Transform, to: Float64Array, at: number): void {
  const [a, b, c, d, e, f, g, h, i, tx, ty, tz] = transform;
  for (let k = 0; k < from.length; k += 3) {
    const [x, y, z] = [from[k], from[k + 1], from[k + 2]];
    to[at + k] = x * a + y * d + z * g + tx;
    to[at + k + 1] = x * b + y * e + z * h + ty;
    to[at + k + 2] = x * c + y * f + z * i + tz;
  }
}

/** The transform that enlarges by a factor about the origin. */
export const scaled = (factor: number): Transform => IDENTITY_TRANSFORM.map((value) => value * factor);

/** The largest factor by which the transform lengthens an axis. */
export const stretchOf = ([a, b, c, d, e, f, g, h, i]: Transform): number =>
  Math.sqrt(Math.max(a * a + b * b + c * c, d * d + e * e + f * f, g * g + h * h + i * i));
