import { orient2d, orient3d } from "robust-predicates";

/** Corners of facets, x, y, z of each, as a {@link FacetTree} has them. */
type Corners = Float32Array;

/**
 * Whether two facets, whose corners start at `i` of `a` and at `j` of `b`, meet at a point that lies inside one of them
 * and not on its rim: where they pass through each other, where one stands on the other, where they overlap in one
 * plane. What touches along rims alone does not, so neighbours that share an edge or a corner need no telling: they
 * cross only where they overlap beyond it. Facets without area cross nothing. Exact.
 * Source: P. Guigue, O. Devillers, "Fast and Robust Triangle-Triangle Overlap Test Using Orientation Predicates" (2003).
 */
export function facetsCross(a: Corners, i: number, b: Corners, j: number): boolean {
  // Flat caps are fans of thousands, and the filter of the predicate fails for each two of them.
  const level = levelAxisOf(a, i, b, j);
  if (level !== NONE) return overlapSeenAlong(level, a, i, b, j);
  // Exact without work, where the filter of the predicate would fail.
  const isShared0 = isCornerOf(b, j, a, i);
  const isShared1 = isCornerOf(b, j, a, i + 3);
  const isShared2 = isCornerOf(b, j, a, i + 6);
  const a0 = isShared0 ? 0 : side(b, j, a, i);
  const a1 = isShared1 ? 0 : side(b, j, a, i + 3);
  const a2 = isShared2 ? 0 : side(b, j, a, i + 6);
  // On one side of the other's plane, with no more in it than the corners that they share: as most neighbours do.
  const isApart = (a0 !== 0 || isShared0) && (a1 !== 0 || isShared1) && (a2 !== 0 || isShared2);
  if (isApart && meetsByRim(a0, a1, a2) && (a0 !== 0 || a1 !== 0 || a2 !== 0)) return false;
  const b0 = isCornerOf(a, i, b, j) ? 0 : side(a, i, b, j);
  const b1 = isCornerOf(a, i, b, j + 3) ? 0 : side(a, i, b, j + 3);
  const b2 = isCornerOf(a, i, b, j + 6) ? 0 : side(a, i, b, j + 6);
  if ((b0 > 0 && b1 > 0 && b2 > 0) || (b0 < 0 && b1 < 0 && b2 < 0)) return false;
  const isFlatA = a0 === 0 && a1 === 0 && a2 === 0;
  const isFlatB = b0 === 0 && b1 === 0 && b2 === 0;
  // Of two facets that have area, both lie in the other's plane or neither does.
  if (isFlatA || isFlatB) return isFlatA && isFlatB && overlapInPlane(a, i, b, j);
  if (meetsByRim(a0, a1, a2) && meetsByRim(b0, b1, b2)) return false;

  // Each facet meets the line that the planes share between its two edges from the corner that is alone on its side.
  // What they have of it overlaps when the one starts before the other ends, and the other way round.
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
  return turnOf(a, p, q, b, u, v) > 0 && turnOf(a, p, r, b, w, u) > 0;
}

/** Positive for a corner above the plane of a facet, from where its corners run counter-clockwise; 0 in the plane. */
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

/** Whether a corner is one of the facet's own. */
const isCornerOf = (facets: Corners, at: number, others: Corners, corner: number): boolean =>
  isSame(facets, at, others, corner) ||
  isSame(facets, at + 3, others, corner) ||
  isSame(facets, at + 6, others, corner);

/** The sense in which the line from p to q of `a` passes the one from u to v of `b`; 0 where they meet. */
function turnOf(a: Corners, p: number, q: number, b: Corners, u: number, v: number): number {
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

/** Whether a facet, its corners on these sides of a plane, has no more than an edge or a corner in it. */
const meetsByRim = (x: number, y: number, z: number): boolean =>
  (x >= 0 && y >= 0 && z >= 0) || (x <= 0 && y <= 0 && z <= 0);

/** Where in its facet the corner begins from which both edges reach the plane or pass through it. */
function loneCorner(x: number, y: number, z: number): 0 | 3 | 6 {
  if (x * y > 0) return 6;
  if (x * z > 0) return 3;
  if (y * z > 0) return 0;
  return x !== 0 ? 0 : y !== 0 ? 3 : 6;
}

/** Whether the lone corner is above the others. */
const isAbove = (x: number, y: number, z: number, lone: 0 | 3 | 6): boolean => {
  const own = lone === 0 ? x : lone === 3 ? y : z;
  return own !== 0 ? own > 0 : (lone === 0 ? y : x) < 0;
};

const NONE = -1;

/** The axis along which two facets are level with each other, or {@link NONE}. */
function levelAxisOf(a: Corners, i: number, b: Corners, j: number): number {
  for (let axis = 0; axis < 3; axis++) {
    const level = a[i + axis];
    if (a[i + 3 + axis] !== level || a[i + 6 + axis] !== level) continue;
    if (b[j + axis] === level && b[j + 3 + axis] === level && b[j + 6 + axis] === level) return axis;
  }
  return NONE;
}

/** Whether two facets in one plane share area. Seen along an axis that leaves the first one an area. */
function overlapInPlane(a: Corners, i: number, b: Corners, j: number): boolean {
  for (let axis = 0; axis < 3; axis++) {
    if (turnInPlane(a, i, a, i + 3, a, i + 6, (axis + 1) % 3, (axis + 2) % 3) !== 0) {
      return overlapSeenAlong(axis, a, i, b, j);
    }
  }
  return false;
}

/** Whether two facets in one plane share area as they are seen along an axis. One without area there shares none. */
function overlapSeenAlong(axis: number, a: Corners, i: number, b: Corners, j: number): boolean {
  const k = (axis + 1) % 3;
  const l = (axis + 2) % 3;
  const turnA = turnInPlane(a, i, a, i + 3, a, i + 6, k, l);
  const turnB = turnInPlane(b, j, b, j + 3, b, j + 6, k, l);
  return !isParted(a, i, turnA, b, j, k, l) && !isParted(b, j, turnB, a, i, k, l);
}

/** Whether an edge of one facet has that facet on one side and the other on the other side. No turn, no side: then it has. */
function isParted(a: Corners, i: number, turn: number, b: Corners, j: number, k: number, l: number): boolean {
  for (let edge = 0; edge < 9; edge += 3) {
    const p = i + edge;
    const q = i + ((edge + 3) % 9);
    let beyond = 0;
    while (beyond < 9 && turnInPlane(a, p, a, q, b, j + beyond, k, l) * turn <= 0) beyond += 3;
    if (beyond === 9) return true;
  }
  return false;
}

const turnInPlane = (
  a: Corners,
  p: number,
  b: Corners,
  q: number,
  c: Corners,
  r: number,
  k: number,
  l: number,
): number => orient2d(a[p + k], a[p + l], b[q + k], b[q + l], c[r + k], c[r + l]);
