/** Tells about every 65,536 steps that the work goes on, and throws when it should not. */
export type Poll = () => void;

const POLL_STEPS = 65_536;

/**
 * The triangles of a polygon with at least three corners (x, y, z each), as numbers of its corners, in its own turning
 * direction. Ears are cut off in the polygon's plane, so a planar polygon without crossings is covered exactly once,
 * with the corners on its straight edges. What has no ear left (crossing or collapsed polygons) becomes a fan.
 * Source: Meisters, "Polygons have ears" (1975).
 */
export function triangulatePolygon(corners: Float32Array, poll: Poll): readonly number[] {
  if (corners.length === 12) return facesOneWay(corners) ? CUT_FROM_FIRST : CUT_FROM_SECOND;
  const flat = flatten(corners);
  const count = flat.length / 2;
  const dents = dentsOf(flat);
  return dents.length === 0 ? fan(Array.from({ length: count }, (_, i) => i)) : cutEars(flat, dents, poll);
}

const CUT_FROM_FIRST = [0, 1, 2, 0, 2, 3];
const CUT_FROM_SECOND = [1, 2, 3, 1, 3, 0];

/** Whether the triangles that the diagonal of corners 0 and 2 makes of a quad face one way: not if 1 or 3 is a dent. */
function facesOneWay(q: Float32Array): boolean {
  const [bx, by, bz] = [q[3] - q[0], q[4] - q[1], q[5] - q[2]];
  const [cx, cy, cz] = [q[6] - q[0], q[7] - q[1], q[8] - q[2]];
  const [dx, dy, dz] = [q[9] - q[0], q[10] - q[1], q[11] - q[2]];
  const alongX = (by * cz - bz * cy) * (cy * dz - cz * dy);
  const alongY = (bz * cx - bx * cz) * (cz * dx - cx * dz);
  const alongZ = (bx * cy - by * cx) * (cx * dy - cy * dx);
  return alongX + alongY + alongZ > 0;
}

/** u, v of each corner along the axis nearest to the polygon's normal (Newell), seen from where it turns left. */
function flatten(corners: Float32Array): Float64Array {
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

/** Twice the signed area of three corners: above 0 where they turn left. */
const turn = (p: Float64Array, a: number, b: number, c: number): number =>
  (p[2 * b] - p[2 * a]) * (p[2 * c + 1] - p[2 * a + 1]) - (p[2 * c] - p[2 * a]) * (p[2 * b + 1] - p[2 * a + 1]);

/** The corners that do not turn left. */
function dentsOf(flat: Float64Array): number[] {
  const count = flat.length / 2;
  const dents: number[] = [];
  for (let i = 0; i < count; i++) if (!(turn(flat, (i + count - 1) % count, i, (i + 1) % count) > 0)) dents.push(i);
  return dents;
}

function fan(ring: readonly number[]): number[] {
  const triangles: number[] = [];
  for (let i = 2; i < ring.length; i++) triangles.push(ring[0], ring[i - 1], ring[i]);
  return triangles;
}

function cutEars(flat: Float64Array, dents: readonly number[], poll: Poll): number[] {
  const count = flat.length / 2;
  const next = Uint32Array.from({ length: count }, (_, i) => (i + 1) % count);
  const previous = Uint32Array.from({ length: count }, (_, i) => (i + count - 1) % count);
  const isCut = new Uint8Array(count);
  const triangles: number[] = [];
  let steps = 0;

  const isEar = (corner: number): boolean => {
    const [a, c] = [previous[corner], next[corner]];
    if (!(turn(flat, a, corner, c) > 0)) return false;
    steps += dents.length;
    if (steps > POLL_STEPS) {
      steps = 0;
      poll();
    }
    return !dents.some((dent) => isCut[dent] === 0 && isInside(flat, dent, a, corner, c));
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

/** Whether a corner lies in or on the triangle of three others. One at the same place as one of them does not count. */
function isInside(p: Float64Array, corner: number, a: number, b: number, c: number): boolean {
  if (isSame(p, corner, a) || isSame(p, corner, b) || isSame(p, corner, c)) return false;
  return turn(p, a, b, corner) >= 0 && turn(p, b, c, corner) >= 0 && turn(p, c, a, corner) >= 0;
}

const isSame = (p: Float64Array, a: number, b: number): boolean =>
  p[2 * a] === p[2 * b] && p[2 * a + 1] === p[2 * b + 1];
