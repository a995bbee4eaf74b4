import { type Box, boxCentre } from "./box.ts";
import { type Mat3, ORIGIN, type Vec3, add, cross, dot, subtract, times, unit } from "./vector.ts";

/** Rotations in degrees, applied z first, then x, then y. */
export interface EulerDeg {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

/**
 * The pose of a model: scene point = position + R · (scale · (mesh point − origin)), where the origin is the centre of the bounding
 * box of the mesh (interface supplement, section 4).
 */
export interface Pose {
  /** The model's origin in scene coordinates, mm. */
  readonly position: Vec3;
  readonly orientation: EulerDeg;
  readonly scale: number;
}

export const UPRIGHT: EulerDeg = { x: 0, y: 0, z: 0 };
export const IDENTITY_POSE: Pose = { position: ORIGIN, orientation: UPRIGHT, scale: 1 };

const RADIANS = Math.PI / 180;

/** Sine and cosine of an angle in degrees, exact at multiples of 90°. */
function sinCosDeg(angle: number): readonly [sin: number, cos: number] {
  const positive = ((angle % 360) + 360) % 360;
  if (positive % 90 === 0) return RIGHT_ANGLES[positive / 90];
  return [Math.sin(positive * RADIANS), Math.cos(positive * RADIANS)];
}

const RIGHT_ANGLES = [
  [0, 1],
  [1, 0],
  [0, -1],
  [-1, 0],
] as const;

/** The rotation Ry · Rx · Rz. */
export function rotationMatrix({ x, y, z }: EulerDeg): Mat3 {
  const [sx, cx] = sinCosDeg(x);
  const [sy, cy] = sinCosDeg(y);
  const [sz, cz] = sinCosDeg(z);
  return [
    cy * cz + sy * sx * sz,
    sy * sx * cz - cy * sz,
    sy * cx,
    cx * sz,
    cx * cz,
    -sx,
    cy * sx * sz - sy * cz,
    sy * sz + cy * sx * cz,
    cy * cx,
  ];
}

/** From this |sin x| on the y and z rotations have the same axis: gimbal lock, where y is set to 0. */
const GIMBAL_SIN = 1 - 1e-12;

/** The angles of a rotation matrix: x in [−90, 90], y and z in (−180, 180]; in gimbal lock y is 0. */
export function eulerAngles(m: Mat3): EulerDeg {
  const sx = Math.min(1, Math.max(-1, -m[5]));
  const x = Math.asin(sx) / RADIANS + 0;
  if (Math.abs(sx) >= GIMBAL_SIN) return { x: sx > 0 ? 90 : -90, y: 0, z: halfTurnDeg(Math.atan2(-m[1], m[0])) };
  return { x, y: halfTurnDeg(Math.atan2(m[2], m[8])), z: halfTurnDeg(Math.atan2(m[3], m[4])) };
}

function halfTurnDeg(angle: number): number {
  const degrees = angle / RADIANS;
  return degrees <= -180 ? 180 : degrees + 0;
}

/** Angles are rounded to 1 / this: engines differ in the last bits of arcs. */
export const STEPS_PER_DEGREE = 1e9;

/** The same rotation with its angles in the ranges of {@link eulerAngles}, rounded. Angles in these ranges are not changed. */
export function normaliseAngles(euler: EulerDeg): EulerDeg {
  const inHalfTurn = (angle: number): boolean => angle > -180 && angle <= 180;
  const locked = Math.abs(euler.x) === 90 && euler.y !== 0;
  if (Math.abs(euler.x) <= 90 && inHalfTurn(euler.y) && inHalfTurn(euler.z) && !locked) {
    return { x: euler.x + 0, y: euler.y + 0, z: euler.z + 0 };
  }
  return roundedAngles(rotationMatrix(euler), STEPS_PER_DEGREE);
}

/** The product of a matrix and a vector. */
export const rotateVector = (m: Mat3, p: Vec3): Vec3 => [
  m[0] * p[0] + m[1] * p[1] + m[2] * p[2],
  m[3] * p[0] + m[4] * p[1] + m[5] * p[2],
  m[6] * p[0] + m[7] * p[1] + m[8] * p[2],
];

/** The product of two matrices: as a rotation, `b` first. */
export function product(a: Mat3, [b0, b1, b2, b3, b4, b5, b6, b7, b8]: Mat3): Mat3 {
  const x = rotateVector(a, [b0, b3, b6]);
  const y = rotateVector(a, [b1, b4, b7]);
  const z = rotateVector(a, [b2, b5, b8]);
  return [x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]];
}

/** The shortest rotation that turns one unit vector to another; a half turn about an axis across them if they are opposite. */
export function shortestRotation(from: Vec3, to: Vec3): Mat3 {
  const cos = dot(from, to);
  const [x, y, z] = cos > -1 + OPPOSITE ? cross(from, to) : acrossOf(from);
  // Rodrigues' formula, R = I + K + K² / (1 + cos), where K is the matrix of the cross product with the axis; a half turn is 2aaᵀ − I.
  if (cos <= -1 + OPPOSITE)
    return [
      2 * x * x - 1,
      2 * x * y,
      2 * x * z,
      2 * x * y,
      2 * y * y - 1,
      2 * y * z,
      2 * x * z,
      2 * y * z,
      2 * z * z - 1,
    ];
  const k = 1 / (1 + cos);
  return [
    1 - k * (y * y + z * z),
    k * x * y - z,
    k * x * z + y,
    k * x * y + z,
    1 - k * (x * x + z * z),
    k * y * z - x,
    k * x * z - y,
    k * y * z + x,
    1 - k * (x * x + y * y),
  ];
}

/** Vectors whose cosine is nearer to −1 are opposite: their cross product has lost its digits. */
const OPPOSITE = 1e-9;

/** A unit vector across another one: horizontal, and along x where that is possible. */
const acrossOf = ([x, y]: Vec3): Vec3 =>
  // The squares of the smallest numbers are 0.
  x * x + y * y === 0 ? [1, 0, 0] : unit([-y, x, 0]);

/** The transposed matrix: the inverse of a rotation. */
export const transpose = ([a, b, c, d, e, f, g, h, i]: Mat3): Mat3 => [a, d, g, b, e, h, c, f, i];

/** The angles of a rotation, rounded to `1 / stepsPerDegree` degrees, since engines differ in the last bits of `Math.asin`. */
export function roundedAngles(rotation: Mat3, stepsPerDegree: number): EulerDeg {
  const rounded = (angle: number): number => Math.round(angle * stepsPerDegree) / stepsPerDegree + 0;
  const { x, y, z } = eulerAngles(rotation);
  return normaliseAngles({ x: rounded(x), y: rounded(y), z: rounded(z) });
}

/** A cache key of a mesh in an orientation. */
export const orientationKey = (meshHash: string, { x, y, z }: EulerDeg): string => [meshHash, x, y, z].join(" ");

/** A cache key of a mesh in an orientation and scale. */
export const orientationScaleKey = (
  meshHash: string,
  { orientation, scale }: Pick<Pose, "orientation" | "scale">,
): string => [orientationKey(meshHash, orientation), scale].join(" ");

/** A cache key of a mesh in a pose. */
export const poseKey = (meshHash: string, pose: Pose): string =>
  [orientationScaleKey(meshHash, pose), ...pose.position].join(" ");

/** The data of a mesh and its pose that the conversions need. */
export interface PlacedBox {
  readonly mesh: { readonly box: Box };
  readonly pose: Pose;
}

/** From mesh coordinates to scene coordinates. */
export const toSceneSpace = ({ mesh, pose }: PlacedBox, point: Vec3): Vec3 =>
  add(
    pose.position,
    rotateVector(rotationMatrix(pose.orientation), times(subtract(point, boxCentre(mesh.box)), pose.scale)),
  );

/** From scene coordinates to mesh coordinates. */
export const toModelSpace = ({ mesh, pose }: PlacedBox, point: Vec3): Vec3 =>
  add(
    boxCentre(mesh.box),
    times(rotateVector(transpose(rotationMatrix(pose.orientation)), subtract(point, pose.position)), 1 / pose.scale),
  );

/** A scene direction as a unit vector in mesh coordinates, rounded, since engines differ in the last bits of sines. */
export function directionToModelSpace({ orientation }: Pose, direction: Vec3): Vec3 {
  const [x, y, z] = rotateVector(transpose(rotationMatrix(orientation)), direction);
  return unit([Math.fround(x), Math.fround(y), Math.fround(z)]);
}
