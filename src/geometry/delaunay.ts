import { nextHalfedge } from "./halfedge.ts";

const NONE = -1;

/** Relative tolerance of the comparisons, so that rounding cannot make two triangles flip forever. */
const TOLERANCE = 1e-9;

/**
 * Makes a triangulation constrained Delaunay: flips inner edges until no corner is in the circumcircle of an adjacent triangle. `xy`
 * are x, y of each corner, `triangles` three corner indices each, counter-clockwise. Source: C. L. Lawson, "Software for C¹ surface
 * interpolation" (1977).
 */
export function flipToDelaunay(xy: Float64Array, triangles: Uint32Array): Uint32Array {
  const corners = triangles.slice();
  const opposite = oppositeHalfedges(corners);
  const open = Array.from(corners, (_, halfedge) => halfedge);
  for (let halfedge = open.pop(); halfedge !== undefined; halfedge = open.pop()) {
    const other = opposite[halfedge];
    if (other === NONE || !isInCircumcircle(xy, corners, halfedge, other)) continue;
    flipEdge(corners, opposite, halfedge, other);
    open.push(halfedge, nextHalfedge(halfedge), other, nextHalfedge(other));
  }
  return corners;
}

/** For each halfedge the opposite halfedge, in the adjacent triangle; {@link NONE} on the boundary. */
function oppositeHalfedges(corners: Uint32Array): Int32Array {
  const opposite = new Int32Array(corners.length).fill(NONE);
  const known = new Map<number, number>();
  const count = corners.reduce((most, corner) => Math.max(most, corner), 0) + 1;
  corners.forEach((from, halfedge) => {
    const to = corners[nextHalfedge(halfedge)];
    const other = known.get(to * count + from);
    if (other === undefined) known.set(from * count + to, halfedge);
    else {
      opposite[halfedge] = other;
      opposite[other] = halfedge;
    }
  });
  return opposite;
}

/** Whether the corner opposite to `other` is in the circumcircle of the triangle of `halfedge`. */
function isInCircumcircle(xy: Float64Array, corners: Uint32Array, halfedge: number, other: number): boolean {
  const a = 2 * corners[halfedge];
  const b = 2 * corners[nextHalfedge(halfedge)];
  const c = 2 * corners[nextHalfedge(nextHalfedge(halfedge))];
  const d = 2 * corners[nextHalfedge(nextHalfedge(other))];
  const ax = xy[a] - xy[d];
  const ay = xy[a + 1] - xy[d + 1];
  const bx = xy[b] - xy[d];
  const by = xy[b + 1] - xy[d + 1];
  const cx = xy[c] - xy[d];
  const cy = xy[c + 1] - xy[d + 1];
  const aa = ax * ax + ay * ay;
  const bb = bx * bx + by * by;
  const cc = cx * cx + cy * cy;
  // Both new triangles must have an area; degenerate triangles would be no better than the present ones.
  const one = cx * ay - cy * ax;
  const two = bx * cy - by * cx;
  if (!(one > TOLERANCE * (aa + cc) && two > TOLERANCE * (bb + cc))) return false;
  return aa * two + bb * one + cc * (ax * by - ay * bx) > TOLERANCE * (aa + bb) * cc;
}

/** Flips the edge between two triangles: it then joins the two corners opposite to it. */
function flipEdge(corners: Uint32Array, opposite: Int32Array, halfedge: number, other: number): void {
  const [last, lastOther] = [nextHalfedge(nextHalfedge(halfedge)), nextHalfedge(nextHalfedge(other))];
  corners[halfedge] = corners[lastOther];
  corners[other] = corners[last];
  join(opposite, halfedge, opposite[lastOther]);
  join(opposite, other, opposite[last]);
  join(opposite, last, lastOther);
}

function join(opposite: Int32Array, halfedge: number, other: number): void {
  opposite[halfedge] = other;
  if (other !== NONE) opposite[other] = halfedge;
}
