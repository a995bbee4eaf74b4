import type { ExactPlace } from "./exact-place.ts";
import { exactPlace } from "./exact-place.ts";
import type { ExactPlane } from "./exact-plane.ts";
import type { Lattice } from "./lattice.ts";

/** A plane seen along an axis from above its normal: which coordinates run to the right and upward. */
export interface View {
  readonly plane: ExactPlane;
  readonly right: 0 | 1 | 2;
  readonly up: 0 | 1 | 2;
}

const AXES = ["x", "y", "z"] as const;
const sizeOf = (value: bigint): bigint => (value < 0n ? -value : value);

/** Sees the plane along the axis that its normal is nearest to. */
export function viewOf(plane: ExactPlane): View {
  const sizes = AXES.map((axis) => sizeOf(plane[axis]));
  const axis = sizes[0] >= sizes[1] && sizes[0] >= sizes[2] ? 0 : sizes[1] >= sizes[2] ? 1 : 2;
  const [next, last] = [((axis + 1) % 3) as 0 | 1 | 2, ((axis + 2) % 3) as 0 | 1 | 2];
  return plane[AXES[axis]] > 0n ? { plane, right: next, up: last } : { plane, right: last, up: next };
}

/** A few times the rounding of a product of differences of rounded coordinates. */
const ROUNDING = 2 ** -49;

/** Positive when p, q, r run counter-clockwise, 0 when they lie on a line. Exact. */
export function turnOf({ right, up }: View, p: ExactPlace, q: ExactPlace, r: ExactPlace): number {
  const [px, py] = [p.mm[right], p.mm[up]];
  const ux = q.mm[right] - px;
  const uy = q.mm[up] - py;
  const vx = r.mm[right] - px;
  const vy = r.mm[up] - py;
  const turn = ux * vy - uy * vx;
  const sizes = Math.abs(px) + Math.abs(py) + Math.abs(ux) + Math.abs(uy) + Math.abs(vx) + Math.abs(vy);
  const spans = Math.abs(ux) + Math.abs(uy) + Math.abs(vx) + Math.abs(vy);
  if (Math.abs(turn) > ROUNDING * sizes * spans) return turn;
  const [i, j] = [AXES[right], AXES[up]];
  const exact = p[i] * (q[j] * r.w - r[j] * q.w) - p[j] * (q[i] * r.w - r[i] * q.w) + p.w * (q[i] * r[j] - r[i] * q[j]);
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

/** Negative, 0 or positive: whether p comes before q along a line that both lie on. */
export function orderOf({ right, up }: View, p: ExactPlace, q: ExactPlace): number {
  for (const axis of [AXES[right], AXES[up]]) {
    const order = p[axis] * q.w - q[axis] * p.w;
    if (order !== 0n) return order < 0n ? -1 : 1;
  }
  return 0;
}

/** Where the lines through p, q and through r, s meet, which are not parallel. */
export function meetingOf(
  { plane, right, up }: View,
  [p, q]: readonly [ExactPlace, ExactPlace],
  [r, s]: readonly [ExactPlace, ExactPlace],
  lattice: Lattice,
): ExactPlace {
  const [i, j] = [AXES[right], AXES[up]];
  // Homogeneous: the line through two points and the point on two lines are both cross products.
  const [a, b, c] = [p[j] * q.w - q[j] * p.w, p.w * q[i] - q.w * p[i], p[i] * q[j] - q[i] * p[j]];
  const [d, e, f] = [r[j] * s.w - s[j] * r.w, r.w * s[i] - s.w * r[i], r[i] * s[j] - s[i] * r[j]];
  const x = b * f - c * e;
  const y = c * d - a * f;
  const w = a * e - b * d;
  const third = AXES[3 - right - up];
  // The third coordinate is the plane's there; its own factor makes all four whole.
  const over = plane[third];
  const height = plane.d * w - plane[i] * x - plane[j] * y;
  const place = { x: 0n, y: 0n, z: 0n, [i]: x * over, [j]: y * over, [third]: height };
  return exactPlace(place.x, place.y, place.z, w * over, lattice);
}
