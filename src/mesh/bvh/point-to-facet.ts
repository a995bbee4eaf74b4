/** A place on a facet: of its corners a, b, c it is a + v · (b − a) + w · (c − a). */
export interface Barycentric {
  v: number;
  w: number;
}

/** Facets of less area than this share of the square on their sides are lines but for rounding: 2 seconds of arc. */
const SLIVER = 1e-10;

/**
 * Squared distance from a point to the facet whose corners start at `at`; `out` tells its nearest place.
 * Source: C. Ericson, "Real-Time Collision Detection" (2005), section 5.1.5.
 */
export function pointToFacet(
  corners: Float32Array,
  at: number,
  x: number,
  y: number,
  z: number,
  out: Barycentric,
): number {
  const px = x - corners[at];
  const py = y - corners[at + 1];
  const pz = z - corners[at + 2];
  const bx = corners[at + 3] - corners[at];
  const by = corners[at + 4] - corners[at + 1];
  const bz = corners[at + 5] - corners[at + 2];
  const cx = corners[at + 6] - corners[at];
  const cy = corners[at + 7] - corners[at + 1];
  const cz = corners[at + 8] - corners[at + 2];
  const bb = bx * bx + by * by + bz * bz;
  const bc = bx * cx + by * cy + bz * cz;
  const cc = cx * cx + cy * cy + cz * cz;
  const pb = px * bx + py * by + pz * bz;
  const pc = px * cx + py * cy + pz * cz;
  const determinant = bb * cc - bc * bc;
  let v = pb * cc - pc * bc;
  let w = pc * bb - pb * bc;
  if (determinant > SLIVER * bb * cc && v >= 0 && w >= 0 && v + w <= determinant) {
    v /= determinant;
    w /= determinant;
  } else {
    // Outside, or a facet without area: the nearest of its three edges.
    let t = bb > 0 ? Math.min(1, Math.max(0, pb / bb)) : 0;
    v = t;
    w = 0;
    let best = squared(px - t * bx, py - t * by, pz - t * bz);
    t = cc > 0 ? Math.min(1, Math.max(0, pc / cc)) : 0;
    const alongC = squared(px - t * cx, py - t * cy, pz - t * cz);
    if (alongC < best) {
      best = alongC;
      v = 0;
      w = t;
    }
    const ee = bb - 2 * bc + cc;
    t = ee > 0 ? Math.min(1, Math.max(0, (pc - pb - bc + bb) / ee)) : 0;
    const across = squared(px - (1 - t) * bx - t * cx, py - (1 - t) * by - t * cy, pz - (1 - t) * bz - t * cz);
    if (across < best) {
      v = 1 - t;
      w = t;
    }
  }
  out.v = v;
  out.w = w;
  return squared(px - v * bx - w * cx, py - v * by - w * cy, pz - v * bz - w * cz);
}

const squared = (x: number, y: number, z: number): number => x * x + y * y + z * z;
