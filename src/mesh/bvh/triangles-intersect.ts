import { orient2d, orient3d } from "robust-predicates";

/** Corners of triangles, x, y, z of each, as in a {@link Bvh}. */
type Corners = Float32Array;

/**
 * Whether two triangles, whose corners start at `i` of `a` and at `j` of `b`, meet at a point in the interior of one of
 * them: they pass through each other, one stands on the other, or they overlap in one plane. Contact of boundaries does
 * not count, so neighbours that share an edge or a corner need no special case: they intersect only where they overlap
 * beyond it. Triangles without area intersect nothing. Exact.
 * Source: P. Guigue, O. Devillers, "Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates" (2003).
 */
export function trianglesIntersect(a: Corners, i: number, b: Corners, j: number): boolean {
  // A flat cap can be a fan of thousands of triangles, and the filter of the exact predicate fails for all their pairs.
  const level = commonFlatAxis(a, i, b, j);
  if (level !== NONE) return overlapInProjection(level, a, i, b, j);
  // Shared corners are exactly in the plane; the filter of the predicate would fail for them.
  const isShared0 = isCornerOf(b, j, a, i);
  const isShared1 = isCornerOf(b, j, a, i + 3);
  const isShared2 = isCornerOf(b, j, a, i + 6);
  const a0 = isShared0 ? 0 : side(b, j, a, i);
  const a1 = isShared1 ? 0 : side(b, j, a, i + 3);
  const a2 = isShared2 ? 0 : side(b, j, a, i + 6);
  // Most neighbours: all other corners are on one side of the other triangle's plane.
  const isApart = (a0 !== 0 || isShared0) && (a1 !== 0 || isShared1) && (a2 !== 0 || isShared2);
  if (isApart && touchesByBoundary(a0, a1, a2) && (a0 !== 0 || a1 !== 0 || a2 !== 0)) return false;
  const b0 = isCornerOf(a, i, b, j) ? 0 : side(a, i, b, j);
  const b1 = isCornerOf(a, i, b, j + 3) ? 0 : side(a, i, b, j + 3);
  const b2 = isCornerOf(a, i, b, j + 6) ? 0 : side(a, i, b, j + 6);
  if ((b0 > 0 && b1 > 0 && b2 > 0) || (b0 < 0 && b1 < 0 && b2 < 0)) return false;
  const isFlatA = a0 === 0 && a1 === 0 && a2 === 0;
  const isFlatB = b0 === 0 && b1 === 0 && b2 === 0;
  // For two triangles with area, either both are in the plane of the other one or neither is.
  if (isFlatA || isFlatB) return isFlatA && isFlatB && overlapInPlane(a, i, b, j);
  if (touchesByBoundary(a0, a1, a2) && touchesByBoundary(b0, b1, b2)) return false;

  // Each triangle intersects the common line of the planes in an interval between the two edges at the corner that is
  // alone on its side. The intervals overlap when each one starts before the other ends.
  const m = loneCorner(a0, a1, a2);
  const n = loneCorner(b0, b1, b2);
  const isAboveA = isAbove(a0, a1, a2, m);
  const isAboveB = isAbove(b0, b1, b2, n);
  const p = i + m;
  const q = i + ((m + (isAboveB ? 3 : 6)) % 9);
  const r = i + ((m + (isAboveB ? 6 : 3)) % 9);
  const u = j + n;
  const v = j + ((n + (isAboveA ? 3 : 6)) % 9);
  const w = j + ((n + (isAboveA ? 6 : 3)) % 9);
  return orientLines(a, p, q, b, u, v) > 0 && orientLines(a, p, r, b, w, u) > 0;
}

/** Positive for a corner above the plane of a triangle, the side from which it is counter-clockwise; 0 in the plane. */
function side(facets: Corners, at: number, others: Corners, corner: number): number {
  return -orient3d(
    facets[at],
    facets[at + 1],
    facets[at + 2],
    facets[at + 3],
    facets[at + 4],
    facets[at + 5],
    facets[at + 6],
    facets[at + 7],
    facets[at + 8],
    others[corner],
    others[corner + 1],
    others[corner + 2],
  );
}

/** Whether a corner is equal to one of the triangle's corners. */
const isCornerOf = (facets: Corners, at: number, others: Corners, corner: number): boolean =>
  isSame(facets, at, others, corner) ||
  isSame(facets, at + 3, others, corner) ||
  isSame(facets, at + 6, others, corner);

/** The orientation of the line from p to q of `a` relative to the line from u to v of `b`; 0 where they meet. */
function orientLines(a: Corners, p: number, q: number, b: Corners, u: number, v: number): number {
  if (isSame(a, p, b, u) || isSame(a, p, b, v) || isSame(a, q, b, u) || isSame(a, q, b, v)) return 0;
  return orient3d(
    a[p],
    a[p + 1],
    a[p + 2],
    a[q],
    a[q + 1],
    a[q + 2],
    b[u],
    b[u + 1],
    b[u + 2],
    b[v],
    b[v + 1],
    b[v + 2],
  );
}

const isSame = (a: Corners, p: number, b: Corners, u: number): boolean =>
  a[p] === b[u] && a[p + 1] === b[u + 1] && a[p + 2] === b[u + 2];

/** Whether a triangle with corners on these sides of a plane has at most an edge or a corner in the plane. */
const touchesByBoundary = (x: number, y: number, z: number): boolean =>
  (x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0);

/** The offset of the corner whose two edges reach the plane or cross it. */
function loneCorner(x: number, y: number, z: number): 0 | 3 | 6 {
  if (x * y > 0) return 6;
  if (x * z > 0) return 3;
  if (y * z > 0) return 0;
  return x !== 0 ? 0 : y !== 0 ? 3 : 6;
}

/** Whether the lone corner is above the other two. */
const isAbove = (x: number, y: number, z: number, lone: 0 | 3 | 6): boolean => {
  const own = lone === 0 ? x : lone === 3 ? y : z;
  return own !== 0 ? own > 0 : (lone === 0 ? y : x) < 0;
};

const NONE = -1;

/** The axis on which all six corners have the same coordinate, or {@link NONE}. */
function commonFlatAxis(a: Corners, i: number, b: Corners, j: number): number {
  for (let axis = 0; axis < 3; axis++) {
    const level = a[i + axis];
    if (a[i + 3 + axis] !== level || a[i + 6 + axis] !== level) continue;
    if (b[j + axis] === level && b[j + 3 + axis] === level && b[j + 6 + axis] === level) return axis;
  }
  return NONE;
}

/** Whether two triangles in one plane overlap, in the projection along an axis that keeps the first one an area. */
function overlapInPlane(a: Corners, i: number, b: Corners, j: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (orientInPlane(a, i, a, i + 3, a, i + 6, (axis + 1) % 3, (axis + 2) % 3) !== 0) {
      return overlapInProjection(axis, a, i, b, j);
    }
  }
  return false;
}

/** Whether the projections of two coplanar triangles along an axis overlap; not where one has no area there. */
function overlapInProjection(axis: number, a: Corners, i: number, b: Corners, j: number): boolean {
  const k = (axis + 1) % 3;
  const l = (axis + 2) % 3;
  const turnA = orientInPlane(a, i, a, i + 3, a, i + 6, k, l);
  const turnB = orientInPlane(b, j, b, j + 3, b, j + 6, k, l);
  return !isSeparated(a, i, turnA, b, j, k, l) && !isSeparated(b, j, turnB, a, i, k, l);
}

/** Whether an edge of one triangle separates the two. A triangle without area (`turn` is 0) is always separated. */
function isSeparated(a: Corners, i: number, turn: number, b: Corners, j: number, k: number, l: number): boolean {
  for (let edge = 0; edge < 9; edge += 3) {
    const p = i + edge;
    const q = i + ((edge + 3) % 9);
    let beyond = 0;
    while (beyond < 9 && orientInPlane(a, p, a, q, b, j + beyond, k, l) * turn <= 0) beyond += 3;
    if (beyond === 9) return true;
  }
  return false;
}

const orientInPlane = (
  a: Corners,
  p: number,
  b: Corners,
  q: number,
  c: Corners,
  r: number,
  k: number,
  l: number,
): number => orient2d(a[p + k], a[p + l], b[q + k], b[q + l], c[r + k], c[r + l]);

/** Whether the boxes of two triangles, with corners from `i` of `a` and `j` of `b`, are over `reachMm` apart on an axis. */
export function triangleBoxesApart(a: Float32Array, i: number, b: Float32Array, j: number, reachMm: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (least(a, i + axis) - most(b, j + axis) > reachMm || least(b, j + axis) - most(a, i + axis) > reachMm)
      return true;
  }
  return false;
}

function least(corners: Float32Array, at: number): number {
  const p = corners[at];
  const q = corners[at + 3];
  const r = corners[at + 6];
  return p < q ? (p < r ? p : r) : q < r ? q : r;
}

function most(corners: Float32Array, at: number): number {
  const p = corners[at];
  const q = corners[at + 3];
  const r = corners[at + 6];
  return p > q ? (p > r ? p : r) : q > r ? q : r;
}
