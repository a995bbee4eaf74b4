const POLL_STEPS = 65_536;

/**
 * Triangulates a polygon of at least three corners (x, y, z each): corner indices, in the orientation of the polygon.
 * Ears are clipped in the polygon's plane, so a planar polygon without self-intersections is covered exactly once,
 * including corners on its straight edges. What has no ear left (a self-intersecting or collapsed polygon) becomes a fan.
 * `poll` is called about every 65,536 steps and throws to cancel. Source: Meisters, "Polygons have ears" (1975).
 * Repair's `earClip` chooses other ears, because it must avoid edges that the mesh already has.
 */
export function triangulatePolygon(corners: Float32Array, poll: () => void): readonly number[] {
  if (corners.length === 12) return isFirstDiagonalInside(corners) ? CUT_FROM_FIRST : CUT_FROM_SECOND;
  const flat = project(corners);
  const count = flat.length / 2;
  const reflex = reflexCorners(flat);
  return reflex.length === 0 ? fan(Array.from({ length: count }, (_, i) => i)) : clipEars(flat, reflex, poll);
}

const CUT_FROM_FIRST = [0, 1, 2, 0, 2, 3];
const CUT_FROM_SECOND = [1, 2, 3, 1, 3, 0];

/** Whether both triangles of a quad at the diagonal of corners 0 and 2 face the same way: not if 1 or 3 is reflex. */
function isFirstDiagonalInside(q: Float32Array): boolean {
  const [bx, by, bz] = [q[3] - q[0], q[4] - q[1], q[5] - q[2]];
  const [cx, cy, cz] = [q[6] - q[0], q[7] - q[1], q[8] - q[2]];
  const [dx, dy, dz] = [q[9] - q[0], q[10] - q[1], q[11] - q[2]];
  const alongX = (by * cz - bz * cy) * (cy * dz - cz * dy);
  const alongY = (bz * cx - bx * cz) * (cz * dx - cx * dz);
  const alongZ = (bx * cy - by * cx) * (cx * dy - cy * dx);
  return alongX + alongY + alongZ > 0;
}

/** Projects the corners along the axis nearest to the polygon's normal (Newell): u, v of each, counter-clockwise. */
function project(corners: Float32Array): Float64Array {
  const count = corners.length / 3;
  const normal = [0, 0, 0];
  for (let i = 0, j = count - 1; i < count; j = i++) {
    for (let axis = 0; axis < 3; axis++) {
      const u = (axis + 1) % 3;
      const v = (axis + 2) % 3;
      normal[axis] += (corners[3 * j + u] - corners[3 * i + u]) * (corners[3 * j + v] + corners[3 * i + v]);
    }
  }
  const sizes = normal.map(Math.abs);
  const axis = sizes.indexOf(Math.max(...sizes));
  const [u, v] = normal[axis] < 0 ? [(axis + 2) % 3, (axis + 1) % 3] : [(axis + 1) % 3, (axis + 2) % 3];
  const flat = new Float64Array(2 * count);
  for (let i = 0; i < count; i++) {
    flat[2 * i] = corners[3 * i + u];
    flat[2 * i + 1] = corners[3 * i + v];
  }
  return flat;
}

/** Twice the signed area of three corners: positive where they turn left. */
const orient2d = (p: Float64Array, a: number, b: number, c: number): number =>
  (p[2 * b] - p[2 * a]) * (p[2 * c + 1] - p[2 * a + 1]) - (p[2 * c] - p[2 * a]) * (p[2 * b + 1] - p[2 * a + 1]);

/** The reflex and straight corners. */
function reflexCorners(flat: Float64Array): number[] {
  const count = flat.length / 2;
  const reflex: number[] = [];
  for (let i = 0; i < count; i++)
    if (!(orient2d(flat, (i + count - 1) % count, i, (i + 1) % count) > 0)) reflex.push(i);
  return reflex;
}

function fan(ring: readonly number[]): number[] {
  const triangles: number[] = [];
  for (let i = 2; i < ring.length; i++) triangles.push(ring[0], ring[i - 1], ring[i]);
  return triangles;
}

function clipEars(flat: Float64Array, reflex: readonly number[], poll: () => void): number[] {
  const count = flat.length / 2;
  const next = Uint32Array.from({ length: count }, (_, i) => (i + 1) % count);
  const previous = Uint32Array.from({ length: count }, (_, i) => (i + count - 1) % count);
  const isCut = new Uint8Array(count);
  const triangles: number[] = [];
  let steps = 0;

  const isEar = (corner: number): boolean => {
    const [a, c] = [previous[corner], next[corner]];
    if (!(orient2d(flat, a, corner, c) > 0)) return false;
    steps += reflex.length;
    if (steps > POLL_STEPS) {
      steps = 0;
      poll();
    }
    return !reflex.some((other) => isCut[other] === 0 && isInside(flat, other, a, corner, c));
  };

  let corner = 0;
  let left = count;
  let tries = 0;
  while (left > 3 && tries < left) {
    tries++;
    if (isEar(corner)) {
      triangles.push(previous[corner], corner, next[corner]);
      isCut[corner] = 1;
      next[previous[corner]] = next[corner];
      previous[next[corner]] = previous[corner];
      left--;
      tries = 0;
      corner = next[corner];
    }
    corner = next[corner];
  }
  const ring = [corner];
  for (let i = next[corner]; i !== corner; i = next[i]) ring.push(i);
  return triangles.concat(fan(ring));
}

/** Whether a corner is in or on the triangle of three others, and at the position of none of them. */
function isInside(p: Float64Array, corner: number, a: number, b: number, c: number): boolean {
  if (isSame(p, corner, a) || isSame(p, corner, b) || isSame(p, corner, c)) return false;
  return orient2d(p, a, b, corner) >= 0 && orient2d(p, b, c, corner) >= 0 && orient2d(p, c, a, corner) >= 0;
}

const isSame = (p: Float64Array, a: number, b: number): boolean =>
  p[2 * a] === p[2 * b] && p[2 * a + 1] === p[2 * b + 1];
