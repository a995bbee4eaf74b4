import { cross, type Mat3, type Vec3 } from "../../core/geometry.ts";

/** Sweeps of Jacobi's method; it doubles the digits with each, and six give all of a 3 × 3 matrix. */
const SWEEPS = 8;

/** The eigenvectors of a symmetric 3 × 3 matrix as rows of a rotation, largest eigenvalue first, by Jacobi's method. */
export function principalAxes(matrix: Float64Array): Mat3 {
  const m = Float64Array.from(matrix);
  const axes: [number, number, number][] = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (const [p, q] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const)
      rotate(m, axes, p, q);
  }
  const order = [0, 1, 2].sort((a, b) => m[4 * b] - m[4 * a]);
  const [first, second]: Vec3[] = order.map((i) => axes[i]);
  return [...first, ...second, ...cross(first, second)] as unknown as Mat3;
}

/** Turns the axes p and q so that their entry off the diagonal is 0. */
function rotate(m: Float64Array, axes: [number, number, number][], p: number, q: number): void {
  const off = m[3 * p + q];
  if (off === 0) return;
  const theta = (m[4 * q] - m[4 * p]) / (2 * off);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < 3; k++) {
    const [kp, kq] = [m[3 * k + p], m[3 * k + q]];
    m[3 * k + p] = c * kp - s * kq;
    m[3 * k + q] = s * kp + c * kq;
  }
  for (let k = 0; k < 3; k++) {
    const [pk, qk] = [m[3 * p + k], m[3 * q + k]];
    m[3 * p + k] = c * pk - s * qk;
    m[3 * q + k] = s * pk + c * qk;
    const [a, b] = [axes[p][k], axes[q][k]];
    axes[p][k] = c * a - s * b;
    axes[q][k] = s * a + c * b;
  }
}
