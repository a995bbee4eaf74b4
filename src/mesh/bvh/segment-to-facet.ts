import { pointToFacet } from "./point-to-facet.ts";

const unused = { v: 0, w: 0 };

/**
 * Squared distance between a segment and the facet whose corners start at `at`: 0 where they cross, otherwise it is
 * attained at an end of the segment or on an edge of the facet. At least `limit`, also squared, when it is no less.
 */
export function segmentToFacet(
  corners: Float32Array,
  at: number,
  px: number,
  py: number,
  pz: number,
  qx: number,
  qy: number,
  qz: number,
  limit: number,
): number {
  const ax = corners[at];
  const ay = corners[at + 1];
  const az = corners[at + 2];
  const ux = corners[at + 3] - ax;
  const uy = corners[at + 4] - ay;
  const uz = corners[at + 5] - az;
  const vx = corners[at + 6] - ax;
  const vy = corners[at + 7] - ay;
  const vz = corners[at + 8] - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  const p = nx * (px - ax) + ny * (py - ay) + nz * (pz - az);
  const q = nx * (qx - ax) + ny * (qy - ay) + nz * (qz - az);
  if (p * q > 0) {
    const nearer = Math.min(Math.abs(p), Math.abs(q));
    if (nearer * nearer >= limit * nn) return limit;
  } else if (p !== q && crosses(corners, at, px, py, pz, qx - px, qy - py, qz - pz, nx, ny, nz)) {
    return 0;
  }
  return Math.min(
    pointToFacet(corners, at, px, py, pz, unused),
    pointToFacet(corners, at, qx, qy, qz, unused),
    toEdge(corners, at, at + 3, px, py, pz, qx - px, qy - py, qz - pz),
    toEdge(corners, at + 3, at + 6, px, py, pz, qx - px, qy - py, qz - pz),
    toEdge(corners, at + 6, at, px, py, pz, qx - px, qy - py, qz - pz),
  );
}

/** Whether a segment that passes through the plane of a facet, of normal n, does so within the facet. */
function crosses(
  corners: Float32Array,
  at: number,
  px: number,
  py: number,
  pz: number,
  dx: number,
  dy: number,
  dz: number,
  nx: number,
  ny: number,
  nz: number,
): boolean {
  const facing = dx * nx + dy * ny + dz * nz;
  for (let edge = 0; edge < 9; edge += 3) {
    const a = at + edge;
    const b = at + (edge === 6 ? 0 : edge + 3);
    const ex = corners[b] - corners[a];
    const ey = corners[b + 1] - corners[a + 1];
    const ez = corners[b + 2] - corners[a + 2];
    const ox = px - corners[a];
    const oy = py - corners[a + 1];
    const oz = pz - corners[a + 2];
    const side = dx * (ey * oz - ez * oy) + dy * (ez * ox - ex * oz) + dz * (ex * oy - ey * ox);
    if (side * facing < 0) return false;
  }
  return true;
}

/** Squared distance between the segment from p by d and an edge. Source: Ericson, section 5.1.9. */
function toEdge(
  corners: Float32Array,
  from: number,
  to: number,
  px: number,
  py: number,
  pz: number,
  dx: number,
  dy: number,
  dz: number,
): number {
  const ex = corners[to] - corners[from];
  const ey = corners[to + 1] - corners[from + 1];
  const ez = corners[to + 2] - corners[from + 2];
  const rx = px - corners[from];
  const ry = py - corners[from + 1];
  const rz = pz - corners[from + 2];
  const dd = dx * dx + dy * dy + dz * dz;
  const ee = ex * ex + ey * ey + ez * ez;
  const de = dx * ex + dy * ey + dz * ez;
  const dr = dx * rx + dy * ry + dz * rz;
  const er = ex * rx + ey * ry + ez * rz;
  const determinant = dd * ee - de * de;
  let s = determinant > 0 ? clamp((de * er - dr * ee) / determinant) : 0;
  let t = ee > 0 ? (de * s + er) / ee : 0;
  if (t < 0 || t > 1) {
    t = clamp(t);
    s = dd > 0 ? clamp((de * t - dr) / dd) : 0;
  }
  const x = rx + s * dx - t * ex;
  const y = ry + s * dy - t * ey;
  const z = rz + s * dz - t * ez;
  return x * x + y * y + z * z;
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));
