import type { Vec3 } from "../../geometry/vector.ts";
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

/** Binary digits of a fraction of a step that {@link ExactPoint.mm} is rounded from. */
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

/** Distinct points by index. */
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
  for (const word of words) hash = Math.imul(hash ^ word, MIXER) ^ (hash >>> 15);
  return hash;
}

/** The plane of the points p with x · p.x + y · p.y + z · p.z = d · p.w. */
interface ExactPlane {
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly d: bigint;
}

/** The plane of three points of the grid. They are counter-clockwise seen from above it. */
function exactPlane(a: ExactPoint, b: ExactPoint, c: ExactPoint): ExactPlane {
  const [ux, uy, uz] = [b.x - a.x, b.y - a.y, b.z - a.z];
  const [vx, vy, vz] = [c.x - a.x, c.y - a.y, c.z - a.z];
  const x = uy * vz - uz * vy;
  const y = uz * vx - ux * vz;
  const z = ux * vy - uy * vx;
  return { x, y, z, d: x * a.x + y * a.y + z * a.z };
}

/** Positive above the plane, 0 in it; for points of the grid proportional to their distance. */
const heightAbovePlane = (plane: ExactPlane, p: ExactPoint): bigint =>
  plane.x * p.x + plane.y * p.y + plane.z * p.z - plane.d * p.w;

/** A plane projected along an axis, seen from above: the coordinates that increase to the right and upward. */
export interface PlaneProjection {
  readonly plane: ExactPlane;
  readonly right: 0 | 1 | 2;
  readonly up: 0 | 1 | 2;
}

const AXES = ["x", "y", "z"] as const;
const absolute = (value: bigint): bigint => (value < 0n ? -value : value);

/** Projects a plane along the axis nearest to its normal. */
function projectionOf(plane: ExactPlane): PlaneProjection {
  const sizes = AXES.map((axis) => absolute(plane[axis]));
  const axis = sizes[0] >= sizes[1] && sizes[0] >= sizes[2] ? 0 : sizes[1] >= sizes[2] ? 1 : 2;
  const [next, last] = [((axis + 1) % 3) as 0 | 1 | 2, ((axis + 2) % 3) as 0 | 1 | 2];
  return plane[AXES[axis]] > 0n ? { plane, right: next, up: last } : { plane, right: last, up: next };
}

/** Relative error bound of a product of differences of rounded coordinates, with a margin. */
const ORIENTATION_ERROR = 2 ** -49;

/** Positive when p, q, r are counter-clockwise, 0 when they are collinear. Exact: floating point is only a filter. */
export function orient2d({ right, up }: PlaneProjection, p: ExactPoint, q: ExactPoint, r: ExactPoint): number {
  const [px, py] = [p.mm[right], p.mm[up]];
  const ux = q.mm[right] - px;
  const uy = q.mm[up] - py;
  const vx = r.mm[right] - px;
  const vy = r.mm[up] - py;
  const rounded = ux * vy - uy * vx;
  const sizes = Math.abs(px) + Math.abs(py) + Math.abs(ux) + Math.abs(uy) + Math.abs(vx) + Math.abs(vy);
  const spans = Math.abs(ux) + Math.abs(uy) + Math.abs(vx) + Math.abs(vy);
  if (Math.abs(rounded) > ORIENTATION_ERROR * sizes * spans) return rounded;
  const [i, j] = [AXES[right], AXES[up]];
  const exact = p[i] * (q[j] * r.w - r[j] * q.w) - p[j] * (q[i] * r.w - r[i] * q.w) + p.w * (q[i] * r[j] - r[i] * q[j]);
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

/** Negative, 0 or positive: the order of two points on a line, the same for all points of that line. */
export function compareAlongLine({ right, up }: PlaneProjection, p: ExactPoint, q: ExactPoint): number {
  for (const axis of [AXES[right], AXES[up]]) {
    const order = p[axis] * q.w - q[axis] * p.w;
    if (order !== 0n) return order < 0n ? -1 : 1;
  }
  return 0;
}

/** The intersection of the lines through p, q and through r, s of one plane, which are not parallel. */
export function lineIntersection(
  { plane, right, up }: PlaneProjection,
  [p, q]: readonly [ExactPoint, ExactPoint],
  [r, s]: readonly [ExactPoint, ExactPoint],
  grid: IntegerGrid,
): ExactPoint {
  const [i, j] = [AXES[right], AXES[up]];
  // In homogeneous coordinates a line through two points and the point on two lines are both cross products.
  const [a, b, c] = [p[j] * q.w - q[j] * p.w, p.w * q[i] - q.w * p[i], p[i] * q[j] - q[i] * p[j]];
  const [d, e, f] = [r[j] * s.w - s[j] * r.w, r.w * s[i] - s.w * r[i], r[i] * s[j] - s[i] * r[j]];
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

export function exactFacet(corners: readonly [ExactPoint, ExactPoint, ExactPoint]): ExactFacet {
  const plane = exactPlane(...corners);
  return { corners, plane, projection: projectionOf(plane) };
}

/** The intersection of two facets in different planes: the ends of a segment, one point, or nothing. Points may come twice. */
export const facetIntersection = (a: ExactFacet, b: ExactFacet, grid: IntegerGrid): ExactPoint[] => [
  ...edgeIntersections(a, b, grid),
  ...edgeIntersections(b, a, grid),
];

export const areCoplanar = (a: ExactFacet, b: ExactFacet): boolean =>
  b.corners.every((corner) => heightAbovePlane(a.plane, corner) === 0n);

/** The points where the edges of a facet, including their ends, meet another facet. */
function edgeIntersections({ corners }: ExactFacet, other: ExactFacet, grid: IntegerGrid): ExactPoint[] {
  const heights = corners.map((corner) => heightAbovePlane(other.plane, corner));
  const found: ExactPoint[] = [];
  for (let i = 0; i < 3; i++) {
    const j = (i + 1) % 3;
    if (heights[i] === 0n) found.push(corners[i]);
    if ((heights[i] > 0n && heights[j] < 0n) || (heights[i] < 0n && heights[j] > 0n)) {
      found.push(zeroHeightPoint(corners[i], heights[i], corners[j], heights[j], grid));
    }
  }
  return found.filter((point) => isInFacet(other, point));
}

/** The point of a segment at height 0, from the heights of its ends. */
function zeroHeightPoint(
  p: ExactPoint,
  heightOfP: bigint,
  q: ExactPoint,
  heightOfQ: bigint,
  grid: IntegerGrid,
): ExactPoint {
  const weightP = heightOfQ;
  const weightQ = -heightOfP;
  return exactPoint(
    p.x * weightP + q.x * weightQ,
    p.y * weightP + q.y * weightQ,
    p.z * weightP + q.z * weightQ,
    weightP + weightQ,
    grid,
  );
}

/** Whether a point of the facet's plane is in the facet or on its boundary. */
export const isInFacet = ({ corners: [a, b, c], projection }: ExactFacet, point: ExactPoint): boolean =>
  orient2d(projection, a, b, point) >= 0 &&
  orient2d(projection, b, c, point) >= 0 &&
  orient2d(projection, c, a, point) >= 0;
