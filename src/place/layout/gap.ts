import { forNearEdges } from "./near-edges.ts";
import { meet, distanceToSegment } from "./segment.ts";
import { type Shape, windingAt } from "./shape.ts";

/**
 * The exact distance between two shapes, `b` moved by (dx, dy) as seen from `a`: 0 where they overlap, `mostMm` where they are
 * farther apart than that.
 */
export function gapBetween(a: Shape, b: Shape, dx: number, dy: number, mostMm: number): number {
  let least = mostMm;
  const [p, q] = [a.edges, b.edges];
  forNearEdges(a, b, dx, dy, mostMm, (i, j) => {
    if (least > 0) least = Math.min(least, edgeGap(p, i, q, j, dx, dy));
  });
  return least > 0 && holdsOther(a, b, dx, dy) ? 0 : least;
}

function edgeGap(p: Float64Array, i: number, q: Float64Array, j: number, dx: number, dy: number): number {
  const [ax, ay, bx, by] = [p[i], p[i + 1], p[i + 2], p[i + 3]];
  const [cx, cy, ex, ey] = [q[j] + dx, q[j + 1] + dy, q[j + 2] + dx, q[j + 3] + dy];
  if (meet(ax, ay, bx, by, cx, cy, ex, ey)) return 0;
  return Math.min(
    distanceToSegment(ax, ay, cx, cy, ex, ey),
    distanceToSegment(bx, by, cx, cy, ex, ey),
    distanceToSegment(cx, cy, ax, ay, bx, by),
    distanceToSegment(ex, ey, ax, ay, bx, by),
  );
}

/** Whether a ring of one shape, none of whose edges meet, lies in the other. */
export function holdsOther(a: Shape, b: Shape, dx: number, dy: number): boolean {
  const apart =
    b.box.minX + dx > a.box.maxX ||
    b.box.maxX + dx < a.box.minX ||
    b.box.minY + dy > a.box.maxY ||
    b.box.maxY + dy < a.box.minY;
  if (apart) return false;
  return (
    b.ringStarts.some((start) => windingAt(a, b.edges[4 * start] + dx, b.edges[4 * start + 1] + dy) > 0) ||
    a.ringStarts.some((start) => windingAt(b, a.edges[4 * start] - dx, a.edges[4 * start + 1] - dy) > 0)
  );
}
