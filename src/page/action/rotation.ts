import type { Vec3 } from "../../geometry/vector.ts";
import type { Corner } from "../server/replies.ts";

/** Rotation matrix, row by row. */
export type Rotation = readonly [Vec3, Vec3, Vec3];

const RADIANS = Math.PI / 180;

/** Rotation matrix of Euler angles in degrees: z is applied first, then x, then y. */
export function eulerRotation({ x, y, z }: Corner): Rotation {
  const [sx, cx] = [Math.sin(x * RADIANS), Math.cos(x * RADIANS)];
  const [sy, cy] = [Math.sin(y * RADIANS), Math.cos(y * RADIANS)];
  const [sz, cz] = [Math.sin(z * RADIANS), Math.cos(z * RADIANS)];
  const aboutZ: Rotation = [
    [cz, -sz, 0],
    [sz, cz, 0],
    [0, 0, 1],
  ];
  const aboutX: Rotation = [
    [1, 0, 0],
    [0, cx, -sx],
    [0, sx, cx],
  ];
  const aboutY: Rotation = [
    [cy, 0, sy],
    [0, 1, 0],
    [-sy, 0, cy],
  ];
  return multiply(aboutY, multiply(aboutX, aboutZ));
}

/** The rotation that applies `b` first, then `a`. */
export function multiply(a: Rotation, b: Rotation): Rotation {
  const row = ([p, q, r]: Vec3): Vec3 => [
    p * b[0][0] + q * b[1][0] + r * b[2][0],
    p * b[0][1] + q * b[1][1] + r * b[2][1],
    p * b[0][2] + q * b[1][2] + r * b[2][2],
  ];
  return [row(a[0]), row(a[1]), row(a[2])];
}
