const NONE = -1;

/** Rounding may not make two triangles change places for ever: a share of what is compared. */
const ROUNDING = 1e-9;

/**
 * The triangulation of a part of the plane whose triangles are as little slender as its corners allow: edges inside are
 * turned until no corner lies within the circle around a triangle beside it. `xy` holds x, y of each corner, `triangles`
 * three corners each, counter-clockwise.
 * Source: C. L. Lawson, "Software for C¹ surface interpolation" (1977).
 */
export function evened(xy: Float64Array, triangles: Uint32Array): Uint32Array {
  const corners = triangles.slice();
  const opposite = oppositeSides(corners);
  const open = Array.from(corners, (_, side) => side);
  for (let side = open.pop(); side !== undefined; side = open.pop()) {
    const other = opposite[side];
    if (other === NONE || !isWithinCircle(xy, corners, side, other)) continue;
    turnEdge(corners, opposite, side, other);
    open.push(side, nextSide(side), other, nextSide(other));
  }
  return corners;
}

/** Side s of a triangle leads from corner s to the next. */
const nextSide = (side: number): number => (side % 3 === 2 ? side - 2 : side + 1);

/** For each side the same edge as a side of the triangle beyond it, none on the rim. */
function oppositeSides(corners: Uint32Array): Int32Array {
  const opposite = new Int32Array(corners.length).fill(NONE);
  const sides = new Map<number, number>();
  const count = corners.reduce((most, corner) => Math.max(most, corner), 0) + 1;
  corners.forEach((from, side) => {
    const to = corners[nextSide(side)];
    const other = sides.get(to * count + from);
    if (other === undefined) sides.set(from * count + to, side);
    else {
      opposite[side] = other;
      opposite[other] = side;
    }
  });
  return opposite;
}

/** Whether the corner beyond `other` lies within the circle around the triangle of `side`. */
function isWithinCircle(xy: Float64Array, corners: Uint32Array, side: number, other: number): boolean {
  const a = 2 * corners[side];
  const b = 2 * corners[nextSide(side)];
  const c = 2 * corners[nextSide(nextSide(side))];
  const d = 2 * corners[nextSide(nextSide(other))];
  const ax = xy[a] - xy[d];
  const ay = xy[a + 1] - xy[d + 1];
  const bx = xy[b] - xy[d];
  const by = xy[b + 1] - xy[d + 1];
  const cx = xy[c] - xy[d];
  const cy = xy[c + 1] - xy[d + 1];
  const aa = ax * ax + ay * ay;
  const bb = bx * bx + by * by;
  const cc = cx * cx + cy * cy;
  // Triangles of no area are no better than what they would replace: both new ones must have some.
  const one = cx * ay - cy * ax;
  const two = bx * cy - by * cx;
  if (!(one > ROUNDING * (aa + cc) && two > ROUNDING * (bb + cc))) return false;
  return aa * two + bb * one + cc * (ax * by - ay * bx) > ROUNDING * (aa + bb) * cc;
}

/** Turns the edge between two triangles: it then joins the corners that lay beyond it. */
function turnEdge(corners: Uint32Array, opposite: Int32Array, side: number, other: number): void {
  const [last, lastOther] = [nextSide(nextSide(side)), nextSide(nextSide(other))];
  corners[side] = corners[lastOther];
  corners[other] = corners[last];
  join(opposite, side, opposite[lastOther]);
  join(opposite, other, opposite[last]);
  join(opposite, last, lastOther);
}

function join(opposite: Int32Array, side: number, other: number): void {
  opposite[side] = other;
  if (other !== NONE) opposite[other] = side;
}
