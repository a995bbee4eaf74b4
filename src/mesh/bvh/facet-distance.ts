import { segmentToFacet } from "./segment-to-facet.ts";

/**
 * Squared distance between two facets whose corners start at `i` of `a` and at `j` of `b`, 0 where they meet: between an
 * edge of one and the other. At least `limit`, also squared, when it is no less.
 */
export function facetDistance(a: Float32Array, i: number, b: Float32Array, j: number, limit: number): number {
  if (isBeyond(a, i, b, j, limit) || isBeyond(b, j, a, i, limit)) return limit;
  return edgesToFacet(a, i, b, j, edgesToFacet(b, j, a, i, limit));
}

/** Whether the second facet lies on one side of the first one's plane, and so far from it. */
function isBeyond(a: Float32Array, i: number, b: Float32Array, j: number, limit: number): boolean {
  const ux = a[i + 3] - a[i];
  const uy = a[i + 4] - a[i + 1];
  const uz = a[i + 5] - a[i + 2];
  const vx = a[i + 6] - a[i];
  const vy = a[i + 7] - a[i + 1];
  const vz = a[i + 8] - a[i + 2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const base = nx * a[i] + ny * a[i + 1] + nz * a[i + 2];
  const p = nx * b[j] + ny * b[j + 1] + nz * b[j + 2] - base;
  const q = nx * b[j + 3] + ny * b[j + 4] + nz * b[j + 5] - base;
  const r = nx * b[j + 6] + ny * b[j + 7] + nz * b[j + 8] - base;
  const nearest = p > 0 ? Math.min(p, q, r) : -Math.max(p, q, r);
  return nearest > 0 && nearest * nearest >= limit * (nx * nx + ny * ny + nz * nz);
}

function edgesToFacet(a: Float32Array, i: number, b: Float32Array, j: number, limit: number): number {
  let least = limit;
  for (let edge = 0; edge < 9; edge += 3) {
    const p = i + edge;
    const q = i + ((edge + 3) % 9);
    const squared = segmentToFacet(b, j, a[p], a[p + 1], a[p + 2], a[q], a[q + 1], a[q + 2], least);
    if (squared < least) least = squared;
  }
  return least;
}
