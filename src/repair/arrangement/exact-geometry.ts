import type { Axis, Vec3 } from "../../geometry/vector.ts";
import type { Surface } from "../../mesh/mesh.ts";

/** A grid on which all coordinates of a surface are integers. */
export interface IntegerGrid {
  /** A power of two. */
  readonly stepsPerMm: number;
}

/** Difference between the stored exponent of a single and the exponent of its last bit: the bias, and 23 fraction bits. */
const LAST_BIT_EXPONENT = 127 + 23;

/** The coarsest grid that contains all vertices of a surface, whose coordinates are single-precision numbers. */
export function integerGridOf({ vertices }: Surface): IntegerGrid {
  const bits = new Uint32Array(Float32Array.from(vertices).buffer);
  let least = 0;
  for (const single of bits) {
    const exponent = (single >>> 23) & 0xff;
    const digits = (single & 0x7f_ffff) | (exponent === 0 ? 0 : 0x80_0000);
    if (digits === 0) continue;
    const trailingZeros = 31 - Math.clz32(digits & -digits);
    least = Math.min(least, Math.max(exponent, 1) - LAST_BIT_EXPONENT + trailingZeros);
  }
  return { stepsPerMm: 2 ** -least };
}

/** An exact point in homogeneous coordinates: x / w, y / w, z / w in steps of a grid. `w` is positive. */
export interface ExactPoint {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly w: bigint;
  /** The rounded point, mm. The same for equal points. */
  readonly mm: Vec3;
}

/** Binary digits of the fraction of a step from which {@link ExactPoint.mm} is rounded. */
const FRACTION_BITS = 64n;
const FRACTION_SCALE = 2 ** -64;

/** The exact point of coordinates on the grid. */
export const gridPoint = (mm: Vec3, { stepsPerMm }: IntegerGrid): ExactPoint => ({
  x: BigInt(mm[0] * stepsPerMm),
  y: BigInt(mm[1] * stepsPerMm),
  z: BigInt(mm[2] * stepsPerMm),
  w: 1n,
  mm,
});

function exactPoint(x: bigint, y: bigint, z: bigint, w: bigint, { stepsPerMm }: IntegerGrid): ExactPoint {
  if (w < 0n) return exactPoint(-x, -y, -z, -w, { stepsPerMm });
  const toMm = (value: bigint): number => (Number((value << FRACTION_BITS) / w) * FRACTION_SCALE) / stepsPerMm;
  return { x, y, z, w, mm: [toMm(x), toMm(y), toMm(z)] };
}

const areEqual = (a: ExactPoint, b: ExactPoint): boolean =>
  a.x * b.w === b.x * a.w && a.y * b.w === b.y * a.w && a.z * b.w === b.z * a.w;

/** Distinct points, given by their indices. */
export interface PointSet {
  readonly all: readonly ExactPoint[];
  /** Adds a point, unless an equal one is in the set, and returns its index. */
  add(point: ExactPoint): number;
}

export function newPointSet(): PointSet {
  const all: ExactPoint[] = [];
  const byHash = new Map<number, number[]>();
  return {
    all,
    add(point) {
      const hash = hashCoordinates(point.mm);
      const bucket = byHash.get(hash);
      const known = bucket?.find((index) => areEqual(all[index], point));
      if (known !== undefined) return known;
      const index = all.push(point) - 1;
      if (bucket) bucket.push(index);
      else byHash.set(hash, [index]);
      return index;
    },
  };
}

/** An odd number with well-mixed bits: the first prime of xxHash32. */
const MIXER = 0x9e3779b1;
const doubles = new Float64Array(3);
const words = new Int32Array(doubles.buffer);

function hashCoordinates(mm: Vec3): number {
  doubles.set(mm);
  let hash = 0;
  for (let i = 0; i < words.length; i++) hash = Math.imul(hash ^ words[i], MIXER) ^ (hash >>> 15);
  return hash;
}

/** The plane of the points p with x · p.x + y · p.y + z · p.z = d · p.w. */
export interface ExactPlane {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly d: bigint;
}

/** The plane of three points of the grid. Seen from above it they are counter-clockwise. */
function exactPlane(a: ExactPoint, b: ExactPoint, c: ExactPoint): ExactPlane {
  const [ux, uy, uz] = [b.x - a.x, b.y - a.y, b.z - a.z];
  const [vx, vy, vz] = [c.x - a.x, c.y - a.y, c.z - a.z];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return { x, y, z, d: x * a.x + y * a.y + z * a.z };
}

/** Positive above the plane, 0 in it. For points of the grid it is proportional to their distance. */
const heightAbovePlane = (plane: ExactPlane, p: ExactPoint): bigint =>
  plane.x * p.x + plane.y * p.y + plane.z * p.z - plane.d * p.w;

/** A plane projected along an axis, seen from above: the coordinates that increase to the right and upward. */
export interface PlaneProjection {
  readonly plane: ExactPlane;
  readonly right: Axis;
  readonly up: Axis;
}

const AXES = ["x", "y", "z"] as const;
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** Projects a plane along the axis nearest to its normal. */
function projectionOf(plane: ExactPlane): PlaneProjection {
  const sizes = AXES.map((axis) => absolute(plane[axis]));
  const axis = sizes[0] >= sizes[1] && sizes[0] >= sizes[2] ? 0 : sizes[1] >= sizes[2] ? 1 : 2;
  const [next, last] = [((axis + 1) % 3) as Axis, ((axis + 2) % 3) as Axis];
  return plane[AXES[axis]] > 0n ? { plane, right: next, up: last } : { plane, right: last, up: next };
}

/** Relative error bound of a product of differences of rounded coordinates, with a margin. */
const ORIENTATION_ERROR = 2 ** -49;

/** {@link orient2d} from rounded coordinates; 0 if rounding may have changed the sign. */
export function roundedOrient2d(px: number, py: number, qx: number, qy: number, rx: number, ry: number): number {
  const ux = qx - px;
  const uy = qy - py;
  const vx = rx - px;
  const vy = ry - py;
  const rounded = ux * vy - uy * vx;
  const spans = Math.abs(ux) + Math.abs(uy) + Math.abs(vx) + Math.abs(vy);
  const sizes = Math.abs(px) + Math.abs(py) + spans;
  return Math.abs(rounded) > ORIENTATION_ERROR * sizes * spans ? rounded : 0;
}

/** Positive when p, q, r are counter-clockwise, 0 when they are collinear. Exact: floating point is only a filter. */
export function orient2d({ right, up }: PlaneProjection, p: ExactPoint, q: ExactPoint, r: ExactPoint): number {
  const rounded = roundedOrient2d(p.mm[right], p.mm[up], q.mm[right], q.mm[up], r.mm[right], r.mm[up]);
  if (rounded !== 0) return rounded;
  const [i, j] = [AXES[right], AXES[up]];
  const exact = p[i] * (q[j] * r.w - r[j] * q.w) - p[j] * (q[i] * r.w - r[i] * q.w) + p.w * (q[i] * r[j] - r[i] * q[j]);
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

/** The order of two points on a line: negative, 0 or positive. The same direction for all points of a line. */
export function compareAlongLine({ right, up }: PlaneProjection, p: ExactPoint, q: ExactPoint): number {
  // Rounding keeps the order of coordinates or makes them equal.
  if (p.mm[right] !== q.mm[right]) return p.mm[right] < q.mm[right] ? -1 : 1;
  const order = compareCoordinate(AXES[right], p, q);
  if (order !== 0) return order;
  if (p.mm[up] !== q.mm[up]) return p.mm[up] < q.mm[up] ? -1 : 1;
  return compareCoordinate(AXES[up], p, q);
}

function compareCoordinate(axis: "x" | "y" | "z", p: ExactPoint, q: ExactPoint): number {
  const order = p[axis] * q.w - q[axis] * p.w;
  return order < 0n ? -1 : order > 0n ? 1 : 0;
}

/**
 * The intersection of the lines through p, q and through r, s. All four are points of the grid in one plane. The lines must not be
 * parallel.
 */
export function lineIntersection(
  { plane, right, up }: PlaneProjection,
  [p, q]: readonly [ExactPoint, ExactPoint],
  [r, s]: readonly [ExactPoint, ExactPoint],
  grid: IntegerGrid,
): ExactPoint {
  const [i, j] = [AXES[right], AXES[up]];
  // In homogeneous coordinates a line through two points and the point on two lines are both cross products.
  const [a, b, c] = [p[j] - q[j], q[i] - p[i], p[i] * q[j] - q[i] * p[j]];
  const [d, e, f] = [r[j] - s[j], s[i] - r[i], r[i] * s[j] - s[i] * r[j]];
  const x = b * f - c * e;
  const y = c * d - a * f;
  const w = a * e - b * d;
  // The third coordinate follows from the plane. All are multiplied by its coefficient to remain integers.
  const third = AXES[3 - right - up];
  const scale = plane[third];
  const height = plane.d * w - plane[i] * x - plane[j] * y;
  const point = { x: 0n, y: 0n, z: 0n, [i]: x * scale, [j]: y * scale, [third]: height };
  return exactPoint(point.x, point.y, point.z, w * scale, grid);
}

/** A facet whose corners are points of the grid. */
export interface ExactFacet {
  readonly corners: readonly [ExactPoint, ExactPoint, ExactPoint];
  readonly plane: ExactPlane;
  readonly projection: PlaneProjection;
}

/**
 * Relative error bound of the volume of a tetrahedron with corners on the grid, from sums and products of six double-precision
 * numbers, with a margin.
 */
const VOLUME_ERROR = 2 ** -48;

/** The sign of the volume of a tetrahedron with corners on the grid; 0 if rounding may have changed it. */
function roundedOrient3d({ mm: p }: ExactPoint, { mm: q }: ExactPoint, { mm: r }: ExactPoint, s: ExactPoint): number {
  const [ux, uy, uz] = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
  const [vx, vy, vz] = [r[0] - p[0], r[1] - p[1], r[2] - p[2]];
  const [wx, wy, wz] = [s.mm[0] - p[0], s.mm[1] - p[1], s.mm[2] - p[2]];
  const [yz, zy, zx, xz, xy, yx] = [uy * vz, uz * vy, uz * vx, ux * vz, ux * vy, uy * vx];
  const volume = (yz - zy) * wx + (zx - xz) * wy + (xy - yx) * wz;
  const size =
    (Math.abs(yz) + Math.abs(zy)) * Math.abs(wx) +
    (Math.abs(zx) + Math.abs(xz)) * Math.abs(wy) +
    (Math.abs(xy) + Math.abs(yx)) * Math.abs(wz);
  return Math.abs(volume) > VOLUME_ERROR * size ? volume : 0;
}

/** Positive if a point of the grid is above the plane of a facet, 0 in it, negative below. */
function sideOfPlane({ corners: [a, b, c], plane }: ExactFacet, point: ExactPoint): number {
  const rounded = roundedOrient3d(a, b, c, point);
  if (rounded !== 0) return rounded;
  const height = heightAbovePlane(plane, point);
  return height > 0n ? 1 : height < 0n ? -1 : 0;
}

export function exactFacet(corners: readonly [ExactPoint, ExactPoint, ExactPoint]): ExactFacet {
  const plane = exactPlane(...corners);
  return { corners, plane, projection: projectionOf(plane) };
}

/** The intersection of two facets in different planes: the ends of a segment, one point, or nothing. A point may be repeated. */
export const facetIntersection = (a: ExactFacet, b: ExactFacet, grid: IntegerGrid): ExactPoint[] => [
  ...edgeIntersections(a, b, grid),
  ...edgeIntersections(b, a, grid),
];

export const areCoplanar = (a: ExactFacet, b: ExactFacet): boolean =>
  b.corners.every((corner) => sideOfPlane(a, corner) === 0);

/** The points where the edges of a facet, with their ends, meet another facet. */
function edgeIntersections({ corners }: ExactFacet, other: ExactFacet, grid: IntegerGrid): ExactPoint[] {
  const sides = corners.map((corner) => sideOfPlane(other, corner));
  const found: ExactPoint[] = [];
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3;
    const [p, q] = [corners[i], corners[j]];
    if (sides[i] === 0 && isInFacet(other, p)) found.push(p);
    if (!((sides[i] > 0 && sides[j] < 0) || (sides[i] < 0 && sides[j] > 0))) continue;
    const [a, b, c] = other.corners;
    const around = [roundedOrient3d(p, q, a, b), roundedOrient3d(p, q, b, c), roundedOrient3d(p, q, c, a)];
    if (around.some((side) => side > 0) && around.some((side) => side < 0)) continue;
    const point = pointOnLine(lineThrough(p, q), other.plane, grid);
    if (!around.includes(0) || isInFacet(other, point)) found.push(point);
  }
  return found;
}

/** A line in Plücker coordinates: its direction d, and the cross product of d and a point of the line. */
export interface ExactLine {
  readonly direction: readonly [bigint, bigint, bigint];
  readonly moment: readonly [bigint, bigint, bigint];
}

/** The line through two points of the grid. */
export const lineThrough = (p: ExactPoint, q: ExactPoint): ExactLine => ({
  direction: [q.x - p.x, q.y - p.y, q.z - p.z],
  moment: [q.y * p.z - q.z * p.y, q.z * p.x - q.x * p.z, q.x * p.y - q.y * p.x],
});

/** The common line of two planes. */
export const commonLine = (a: ExactPlane, b: ExactPlane): ExactLine => ({
  direction: [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x],
  moment: [a.d * b.x - b.d * a.x, a.d * b.y - b.d * a.y, a.d * b.z - b.d * a.z],
});

/** The point of a plane on a line that is not parallel to it. */
export function pointOnLine(
  { direction: [u, v, w], moment: [p, q, r] }: ExactLine,
  { x, y, z, d }: ExactPlane,
  grid: IntegerGrid,
): ExactPoint {
  return exactPoint(d * u + q * z - r * y, d * v + r * x - p * z, d * w + p * y - q * x, x * u + y * v + z * w, grid);
}

/** Whether a point of the facet's plane is in the facet or on its boundary. */
const isInFacet = ({ corners: [a, b, c], projection }: ExactFacet, point: ExactPoint): boolean =>
  orient2d(projection, a, b, point) >= 0 &&
  orient2d(projection, b, c, point) >= 0 &&
  orient2d(projection, c, a, point) >= 0;
