/** How far along a segment, from 0 to 1, its point nearest to (x, y) lies. */
export function nearestShare(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const [ux, uy] = [bx - ax, by - ay];
  const square = ux * ux + uy * uy;
  if (square === 0) return 0;
  return Math.min(1, Math.max(0, ((x - ax) * ux + (y - ay) * uy) / square));
}

export function distanceToSegment(x: number, y: number, ax: number, ay: number, bx: number, by: number): number {
  const share = nearestShare(x, y, ax, ay, bx, by);
  // Not Math.hypot: engines differ in its last bit.
  return Math.sqrt((ax + share * (bx - ax) - x) ** 2 + (ay + share * (by - ay) - y) ** 2);
}

/** Whether two segments cross or touch. */
export function meet(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  const side = (px: number, py: number, qx: number, qy: number, x: number, y: number): number =>
    (qx - px) * (y - py) - (qy - py) * (x - px);
  const [c, d] = [side(ax, ay, bx, by, cx, cy), side(ax, ay, bx, by, dx, dy)];
  const [a, b] = [side(cx, cy, dx, dy, ax, ay), side(cx, cy, dx, dy, bx, by)];
  return ((c > 0 && d < 0) || (c < 0 && d > 0)) && ((a > 0 && b < 0) || (a < 0 && b > 0));
}
