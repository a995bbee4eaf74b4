import { squaredTriangleDistance } from "./segment-distance.ts";

/** Most cases are decided after two of these steps. */
const GILBERT_STEPS = 6;

/**
 * Whether two triangles, whose corners start at `i` of `a` and at `j` of `b`, are nearer than the root of `limit`. A few steps of Gilbert's
 * algorithm give a point of their Minkowski difference near the origin, which proves that they are near, or a direction along which they are
 * apart; else the exact distance is computed.
 * Source: E. Gilbert, "An iterative procedure for computing the minimum of a quadratic form on a convex set" (1966).
 */
export function areTrianglesNearer(a: Float32Array, i: number, b: Float32Array, j: number, limit: number): boolean {
  let x = (b[j] + b[j + 3] + b[j + 6] - (a[i] + a[i + 3] + a[i + 6])) / 3;
  let y = (b[j + 1] + b[j + 4] + b[j + 7] - (a[i + 1] + a[i + 4] + a[i + 7])) / 3;
  let z = (b[j + 2] + b[j + 5] + b[j + 8] - (a[i + 2] + a[i + 5] + a[i + 8])) / 3;
  for (let step = 0; step < GILBERT_STEPS; step++) {
    const squared = x * x + y * y + z * z;
    if (squared < limit) return true;
    let p = i;
    let most = x * a[i] + y * a[i + 1] + z * a[i + 2];
    for (let at = i + 3; at < i + 9; at += 3) {
      const along = x * a[at] + y * a[at + 1] + z * a[at + 2];
      if (along > most) {
        most = along;
        p = at;
      }
    }
    let q = j;
    let least = x * b[j] + y * b[j + 1] + z * b[j + 2];
    for (let at = j + 3; at < j + 9; at += 3) {
      const along = x * b[at] + y * b[at + 1] + z * b[at + 2];
      if (along < least) {
        least = along;
        q = at;
      }
    }
    const gap = least - most;
    if (gap > 0 && gap * gap >= limit * squared) return false;
    const u = b[q] - a[p] - x;
    const v = b[q + 1] - a[p + 1] - y;
    const w = b[q + 2] - a[p + 2] - z;
    const toCorner = u * u + v * v + w * w;
    if (toCorner === 0) break;
    const share = Math.min(1, -(x * u + y * v + z * w) / toCorner);
    if (!(share > 0)) break;
    x += share * u;
    y += share * v;
    z += share * w;
  }
  return squaredTriangleDistance(a, i, b, j, limit) < limit;
}
