import type { Mat3, Vec3 } from "../core/geometry.ts";
import { ORIGIN } from "../core/geometry.ts";

/** Rotations in degrees, applied z first, then x, then y. */
export interface EulerDeg {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/**
 * Where a model stands: world = position + R · (scale · (raw point − origin)), where the origin is the centre of the raw
 * mesh's bounding box (interface supplement, section 4).
 */
export interface Pose {
  /** World place of the model's origin, mm. */
  readonly position: Vec3;
  readonly orientation: EulerDeg;
  readonly scale: number;
}

export const UPRIGHT: EulerDeg = { x: 0, y: 0, z: 0 };
export const HOME: Pose = { position: ORIGIN, orientation: UPRIGHT, scale: 1 };

const RADIANS = Math.PI / 180;

/** Sine and cosine of an angle in degrees, exact at multiples of 90°. */
function sinCosDeg(angle: number): [sin: number, cos: number] {
  const turned = ((angle % 360) + 360) % 360;
  if (turned % 90 === 0) return ([[0, 1], [1, 0], [0, -1], [-1, 0]] as const)[turned / 90]!.slice() as [number, number];
  return [Math.sin(turned * RADIANS), Math.cos(turned * RADIANS)];
}

/** The rotation Ry · Rx · Rz. */
export function toMatrix({ x, y, z }: EulerDeg): Mat3 {
  const [sx, cx] = sinCosDeg(x);
  const [sy, cy] = sinCosDeg(y);
  const [sz, cz] = sinCosDeg(z);
  return [
    cy * cz + sy * sx * sz, sy * sx * cz - cy * sz, sy * cx,
    cx * sz, cx * cz, -sx,
    cy * sx * sz - sy * cz, sy * sz + cy * sx * cz, cy * cx,
  ];
}

/** Past this |sin x| the y and z rotations turn about the same axis: gimbal lock, where y reads back as 0. */
const GIMBAL_SIN = 1 - 1e-12;

/** The angles of a rotation matrix: x in [−90, 90], y and z in (−180, 180]; in gimbal lock y is 0. */
export function fromMatrix(m: Mat3): EulerDeg {
  const sx = Math.min(1, Math.max(-1, -m[5]));
  const x = Math.asin(sx) / RADIANS + 0;
  if (Math.abs(sx) >= GIMBAL_SIN) return { x: sx > 0 ? 90 : -90, y: 0, z: halfTurnDeg(Math.atan2(-m[1], m[0])) };
  return { x, y: halfTurnDeg(Math.atan2(m[2], m[8])), z: halfTurnDeg(Math.atan2(m[3], m[4])) };
}

function halfTurnDeg(angle: number): number {
  const degrees = angle / RADIANS;
  return degrees <= -180 ? 180 : degrees + 0;
}

/** The same rotation with its angles in the ranges of {@link fromMatrix}; angles already there are kept to the bit. */
export function normalise(euler: EulerDeg): EulerDeg {
  const inHalfTurn = (angle: number): boolean => angle > -180 && angle <= 180;
  const locked = Math.abs(euler.x) === 90 && euler.y !== 0;
  if (Math.abs(euler.x) <= 90 && inHalfTurn(euler.y) && inHalfTurn(euler.z) && !locked) {
    return { x: euler.x + 0, y: euler.y + 0, z: euler.z + 0 };
  }
  return fromMatrix(toMatrix(euler));
}

export const turn = (m: Mat3, p: Vec3): Vec3 => [
  m[0] * p[0] + m[1] * p[1] + m[2] * p[2],
  m[3] * p[0] + m[4] * p[1] + m[5] * p[2],
  m[6] * p[0] + m[7] * p[1] + m[8] * p[2],
];

/** The rotation back. */
export const transposed = ([a, b, c, d, e, f, g, h, i]: Mat3): Mat3 => [a, d, g, b, e, h, c, f, i];

/** The angles of a rotation, rounded to `stepsPerDegree`: engines may differ in the last bits of arcs. */
export function anglesOf(rotation: Mat3, stepsPerDegree: number): EulerDeg {
  const rounded = (angle: number): number => Math.round(angle * stepsPerDegree) / stepsPerDegree + 0;
  const { x, y, z } = fromMatrix(rotation);
  return normalise({ x: rounded(x), y: rounded(y), z: rounded(z) });
}

/** Equal for the same mesh in the same orientation: their outline need be worked out only once. */
export const turnKey = (meshHash: string, { x, y, z }: EulerDeg): string => [meshHash, x, y, z].join(" ");

/** Equal for the same mesh, turned and scaled the same way. */
export const stanceKey = (meshHash: string, { orientation, scale }: Pick<Pose, "orientation" | "scale">): string =>
  [turnKey(meshHash, orientation), scale].join(" ");

/** Equal for the same mesh in the same place. */
export const placeKey = (meshHash: string, pose: Pose): string => [stanceKey(meshHash, pose), ...pose.position].join(" ");
