import { type Vec3, add, cross, dot, length, subtract, times, unit } from "../../geometry/vector.ts";

export interface Circle {
  readonly centre: Vec3;
  /** Unit normal of its plane. */
  readonly normal: Vec3;
  readonly radius: number;
}

/** How far corners may be from a circle. */
export interface CircleTolerance {
  readonly absolute: number;
  /** As a fraction of the radius. */
  readonly relative: number;
}

/** A polygon of fewer corners is no circle: nuts have six, and some parts eight. With room for rounding. */
const FEWEST_PIECES = 12;
const WIDEST_PIECE = (2 * Math.PI * 1.01) / FEWEST_PIECES;

/** Corners nearer to the line between their neighbours, as a fraction of its length, only divide a straight side. Circles of 10,000 pieces bend more. */
const STRAIGHT = 2e-5;

/**
 * The circle through the corners of a closed loop in a plane: the least squares fit (Kåsa 1976), if the corners are on it within the
 * tolerance and run around it once. `rounding` is the precision of coordinates.
 */
export function fittedCircle(
  loop: readonly Vec3[],
  normal: Vec3,
  tolerance: CircleTolerance,
  rounding: number,
): Circle | undefined {
  const corners = withoutStraightOnes(loop, rounding);
  if (corners.length < FEWEST_PIECES) return undefined;
  const middle = times(corners.reduce(add), 1 / corners.length);
  const u = unit(cross(normal, Math.abs(normal[0]) < 0.5 ? [1, 0, 0] : [0, 1, 0]));
  const v = cross(normal, u);
  const flat = corners.map((corner): readonly [number, number] => {
    const arm = subtract(corner, middle);
    return [dot(arm, u), dot(arm, v)];
  });
  const [x, y] = centreOf(flat);
  const arms = flat.map(([a, b]): readonly [number, number] => [a - x, b - y]);
  const radii = arms.map(([a, b]) => Math.hypot(a, b));
  const radius = radii.reduce((sum, one) => sum + one, 0) / radii.length;
  const most = tolerance.absolute + tolerance.relative * radius;
  if (!radii.every((one) => Math.abs(one - radius) <= most) || !goesAroundOnce(arms)) return undefined;
  return { centre: add(middle, add(times(u, x), times(v, y))), normal, radius };
}

function withoutStraightOnes(loop: readonly Vec3[], rounding: number): readonly Vec3[] {
  const kept: Vec3[] = [];
  for (const [i, corner] of loop.entries()) {
    const before = kept.at(-1) ?? loop.at(-1)!;
    const along = subtract(loop[(i + 1) % loop.length]!, before);
    const offLine = length(cross(along, subtract(corner, before))) / (length(along) || 1);
    if (offLine > rounding + STRAIGHT * length(along)) kept.push(corner);
  }
  return kept;
}

/** Centre of the circle that fits points around the origin best. */
function centreOf(points: readonly (readonly [number, number])[]): [number, number] {
  let [uu, uv, vv, toU, toV] = [0, 0, 0, 0, 0];
  for (const [a, b] of points) {
    const square = a * a + b * b;
    uu += a * a;
    uv += a * b;
    vv += b * b;
    toU += (a * square) / 2;
    toV += (b * square) / 2;
  }
  const determinant = uu * vv - uv * uv;
  return [(toU * vv - toV * uv) / determinant, (toV * uu - toU * uv) / determinant];
}

function goesAroundOnce(arms: readonly (readonly [number, number])[]): boolean {
  const turns = arms.map(([a, b], i) => {
    const [c, d] = arms[(i + 1) % arms.length]!;
    return Math.atan2(a * d - b * c, a * c + b * d);
  });
  const total = Math.abs(turns.reduce((sum, turn) => sum + turn, 0));
  return Math.abs(total - 2 * Math.PI) < 1e-6 && turns.every((turn) => Math.abs(turn) <= WIDEST_PIECE);
}
