/**
 * Affine transform as 3MF writes it (core specification, section 3.3): m00 m01 m02 m10 … m32, the first three columns
 * of a matrix that row vectors are multiplied with, translation last.
 */
export type Transform = readonly number[];

export const IDENTITY: Transform = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0];

/** The transform that does `first`, then `second`. */
export function compose(first: Transform, second: Transform): Transform {
  return first.map((_, i) => {
    const row = i - (i % 3);
    const column = i % 3;
    const [a, b, c] = [first[row], first[row + 1], first[row + 2]];
    const translation = row === 9 ? second[9 + column] : 0;
    return a * second[column] + b * second[3 + column] + c * second[6 + column] + translation;
  });
}

/** Whether it turns a body inside out: its determinant is negative. */
export function isMirror([a, b, c, d, e, f, g, h, i]: Transform): boolean {
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g) < 0;
}

/** Writes the points of `from`, x, y, z each, to `to` from index `at` on, transformed. */
export function transformPoints(from: ArrayLike<number>, transform: Transform, to: Float64Array, at: number): void {
  const [a, b, c, d, e, f, g, h, i, tx, ty, tz] = transform;
  for (let k = 0; k < from.length; k += 3) {
    const [x, y, z] = [from[k], from[k + 1], from[k + 2]];
    to[at + k] = x * a + y * d + z * g + tx;
    to[at + k + 1] = x * b + y * e + z * h + ty;
    to[at + k + 2] = x * c + y * f + z * i + tz;
  }
}
