import { getOrInsert } from "../core/memoize.ts";
import { newIndexSet } from "../geometry/index-set.ts";
import { mostVisits, newPlanarTree } from "../geometry/planar-tree.ts";

const POLL_EARS = 256;

/**
 * Triangulates a polygon of at least three corners (x, y, z each): corner indices, in the orientation of the polygon. Ears are clipped
 * in the polygon's plane, so a planar polygon without self-intersections is covered exactly once, including corners on its straight
 * edges. A rest without ears (of a self-intersecting or collapsed polygon) becomes a fan, and so does the rest after a bounded search.
 * `poll` is called every 256 corners tried and throws to cancel. Source: Meisters, "Polygons have ears" (1975). Repair's `earClip`
 * chooses other ears, because it must avoid edges that the mesh already has.
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

/** Twice the signed area of three corners: positive if they turn left. */
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

/**
 * Clips ears around the polygon, each at the second corner after the last one or as soon as possible after it. A corner that is no
 * ear is tried again only when one of its neighbours or the corner inside its triangle is cut.
 */
function clipEars(flat: Float64Array, reflex: readonly number[], poll: () => void): number[] {
  const count = flat.length / 2;
  const xs = Float64Array.from({ length: count }, (_, i) => flat[2 * i]);
  const ys = Float64Array.from({ length: count }, (_, i) => flat[2 * i + 1]);
  const obstacles = newPlanarTree(xs, ys, reflex);
  const isReflex = new Uint8Array(count);
  for (const corner of reflex) isReflex[corner] = 1;
  const next = Uint32Array.from({ length: count }, (_, i) => (i + 1) % count);
  const previous = Uint32Array.from({ length: count }, (_, i) => (i + count - 1) % count);
  const untried = newIndexSet(count);
  /** The corners that wait for a corner to be cut. */
  const waiting = new Map<number, number[]>();
  const triangles: number[] = [];

  const isEar = (corner: number): boolean => {
    const [a, c] = [previous[corner], next[corner]];
    if (!(orient2d(flat, a, corner, c) > 0)) return false;
    const inside = obstacles.findInside([xs[a], ys[a], xs[corner], ys[corner], xs[c], ys[c]], (other) =>
      isInside(flat, other, a, corner, c),
    );
    if (inside >= 0) getOrInsert(waiting, inside, () => []).push(corner);
    return inside < 0;
  };

  let start = 0;
  let tried = 0;
  for (let left = count; left > 3;) {
    const corner = untried.firstFrom(start);
    if (corner === undefined || obstacles.visits() > mostVisits(count)) break;
    if (++tried % POLL_EARS === 0) poll();
    untried.remove(corner);
    if (!isEar(corner)) continue;
    const [a, c] = [previous[corner], next[corner]];
    triangles.push(a, corner, c);
    if (isReflex[corner] === 1) obstacles.remove(corner);
    next[a] = c;
    previous[c] = a;
    left--;
    for (const other of [a, c, ...(waiting.get(corner) ?? [])]) if (next[previous[other]] === other) untried.add(other);
    waiting.delete(corner);
    start = next[c];
  }
  const ring = [start];
  for (let i = next[start]; i !== start; i = next[i]) ring.push(i);
  return triangles.concat(fan(ring));
}

/** Whether a corner is in or on the triangle of three others, and at the position of none of them. */
function isInside(p: Float64Array, corner: number, a: number, b: number, c: number): boolean {
  if (isSame(p, corner, a) || isSame(p, corner, b) || isSame(p, corner, c)) return false;
  return orient2d(p, a, b, corner) >= 0 && orient2d(p, b, c, corner) >= 0 && orient2d(p, c, a, corner) >= 0;
}

const isSame = (p: Float64Array, a: number, b: number): boolean =>
  p[2 * a] === p[2 * b] && p[2 * a + 1] === p[2 * b + 1];
