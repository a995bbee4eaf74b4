import { forNearEdges } from "./near-edges.ts";
import { meet, nearestShare } from "./segment.ts";
import { overlapLimits } from "./overlaps.ts";
import type { Shape } from "./shape.ts";
import type { Limit } from "./least-move.ts";
import { holdsOther } from "./gap.ts";

/**
 * Overlaps are looked for this much aside: less than any two parts that are clear are apart, and enough that edges of equal
 * parts in a row do not lie on one another, where nothing tells inside from outside.
 */
const ASIDE_MM = [2.3e-7, 1.1e-7] as const;

/**
 * How `a` may move beside `b`, which stands at (dx, dy) as seen from it, so that they are `spacingMm` apart: one limit for each
 * place where they are less than `reachMm` apart or overlap. True to the first order of small moves.
 */
export function contactsOf(a: Shape, b: Shape, dx: number, dy: number, spacingMm: number, reachMm: number): Limit[] {
  if (areOverlapping(a, b, dx + ASIDE_MM[0], dy + ASIDE_MM[1])) {
    return overlapLimits(a, b, dx + ASIDE_MM[0], dy + ASIDE_MM[1], spacingMm);
  }
  const limits: Limit[] = [];
  const [p, q] = [a.edges, b.edges];
  forNearEdges(a, b, dx, dy, reachMm, (i, j) => {
    const [ax, ay, bx, by] = [p[i], p[i + 1], p[i + 2], p[i + 3]];
    const [cx, cy, ex, ey] = [q[j] + dx, q[j + 1] + dy, q[j + 2] + dx, q[j + 3] + dy];
    // Every edge begins with a corner, so the starts alone meet each corner once.
    apart(limits, ax, ay, cx, cy, ex, ey, 1, spacingMm, reachMm);
    apart(limits, cx, cy, ax, ay, bx, by, -1, spacingMm, reachMm);
  });
  return limits;
}

function areOverlapping(a: Shape, b: Shape, dx: number, dy: number): boolean {
  const [p, q] = [a.edges, b.edges];
  let meeting = false;
  forNearEdges(a, b, dx, dy, 0, (i, j) => {
    meeting ||= meet(p[i], p[i + 1], p[i + 2], p[i + 3], q[j] + dx, q[j + 1] + dy, q[j + 2] + dx, q[j + 3] + dy);
  });
  return meeting || holdsOther(a, b, dx, dy);
}

/** Adds the limit of a corner near an edge. `sign` is 1 for a corner of the shape that moves, −1 for one of the other. */
function apart(
  limits: Limit[],
  x: number,
  y: number,
  ax: number,
  ay: number,
  bx: number,
  by: number,
  sign: number,
  spacingMm: number,
  reachMm: number,
): void {
  const share = nearestShare(x, y, ax, ay, bx, by);
  const [fromX, fromY] = [x - (ax + share * (bx - ax)), y - (ay + share * (by - ay))];
  const distance = Math.sqrt(fromX * fromX + fromY * fromY);
  if (distance >= reachMm) return;
  if (distance > 0) {
    limits.push({ x: (sign * fromX) / distance, y: (sign * fromY) / distance, least: spacingMm - distance });
    return;
  }
  // On the edge itself: away from what is solid, which is to its left.
  const length = Math.sqrt((bx - ax) ** 2 + (by - ay) ** 2);
  if (length > 0) limits.push({ x: (sign * (by - ay)) / length, y: (-sign * (bx - ax)) / length, least: spacingMm });
}
