/** A point or direction: x, y, z. Points are in millimetres. */
export type Vec3 = readonly [x: number, y: number, z: number];

/** Row-major 3×3 matrix. */
export type Mat3 = readonly [number, number, number, number, number, number, number, number, number];

/** Index of an axis: x, y, z. */
export type Axis = 0 | 1 | 2;
export const AXIS_INDICES = [0, 1, 2] as const;

export const ORIGIN: Vec3 = [0, 0, 0];
export const IDENTITY: Mat3 = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** The vector with this coordinate along each axis (0 to 2). */
export const vec3Of = (coordinateOf: (axis: Axis) => number): Vec3 => [
  coordinateOf(0),
  coordinateOf(1),
  coordinateOf(2),
];

/** `map` of a vector, whose type keeps its length. */
export const mapVec3 = (vector: Vec3, toValue: (value: number, axis: Axis) => number): Vec3 =>
  vec3Of((axis) => toValue(vector[axis], axis));

/** `map` of a matrix, whose type keeps its length. */
export const mapMat3 = ([a, b, c, d, e, f, g, h, i]: Mat3, toValue: (value: number) => number): Mat3 => [
  toValue(a),
  toValue(b),
  toValue(c),
  toValue(d),
  toValue(e),
  toValue(f),
  toValue(g),
  toValue(h),
  toValue(i),
];

/** The vector with another coordinate along one axis. */
export const withCoordinate = (vector: Vec3, axis: number, coordinate: number): Vec3 =>
  mapVec3(vector, (value, other) => (other === axis ? coordinate : value));

export const add = (a: Vec3, b: Vec3): Vec3 => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
export const subtract = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
export const times = (a: Vec3, s: number): Vec3 => [a[0] * s, a[1] * s, a[2] * s];
export const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];
/** May differ between engines in its last bit, as `Math.hypot` does; does not overflow. See {@link exactLength}. */
export const length = (a: Vec3): number => Math.hypot(a[0], a[1], a[2]);

/** The length, the same to the last bit in every engine: square roots are correctly rounded, `Math.hypot` is not. */
export const exactLength = (a: Vec3): number => Math.sqrt(dot(a, a));

/** The same direction at length 1; the vector must not be zero. */
export function unit(a: Vec3): Vec3 {
  const size = exactLength(a);
  return [a[0] / size, a[1] / size, a[2] / size];
}

/** The same direction at length 1; a vector too short to have a length stays as it is. */
export function unitOrZero(a: Vec3): Vec3 {
  const size = exactLength(a) || 1;
  return [a[0] / size, a[1] / size, a[2] / size];
}

/** The normal of a triangle whose corners run counter-clockwise seen from its front. Its length is twice the area. */
export const triangleNormal = (a: Vec3, b: Vec3, c: Vec3): Vec3 => cross(subtract(b, a), subtract(c, a));

export const triangleCentroid = (a: Vec3, b: Vec3, c: Vec3): Vec3 => [
  (a[0] + b[0] + c[0]) / 3,
  (a[1] + b[1] + c[1]) / 3,
  (a[2] + b[2] + c[2]) / 3,
];

/** The distance between two points, the same to the last bit in every engine. */
export const distance = (a: Vec3, b: Vec3): number =>
  Math.sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]));

/** The horizontal distance between two points, the same to the last bit in every engine. */
export const distanceXy = (a: readonly number[], b: readonly number[]): number =>
  Math.sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]));

/** The point at `share` (0 to 1) of the way from a to b. */
export const lerp = (a: Vec3, b: Vec3, share: number): Vec3 => [
  a[0] + share * (b[0] - a[0]),
  a[1] + share * (b[1] - a[1]),
  a[2] + share * (b[2] - a[2]),
];

/**
 * Cosine and sine of an angle in radians, rounded to single precision: engines differ in the last bits of the functions of `Math`,
 * and results must not.
 */
export const cosSin = (angle: number): [cos: number, sin: number] => [
  Math.fround(Math.cos(angle)),
  Math.fround(Math.sin(angle)),
];

/** A ball. */
export interface Ball {
  readonly centre: Vec3;
  readonly radiusMm: number;
}

/** Row i of a matrix; of a rotation, the direction that it turns to axis i. */
export const matrixRow = (matrix: Mat3, i: number): Vec3 => [matrix[3 * i], matrix[3 * i + 1], matrix[3 * i + 2]];
