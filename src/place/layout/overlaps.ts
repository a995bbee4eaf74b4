import { newDisjointSets } from "../../mesh/disjoint-sets.ts";
import type { Limit } from "./least-move.ts";
import { forNearEdges } from "./near-edges.ts";
import { meet } from "./segment.ts";
import { type Shape, windingAt } from "./shape.ts";

/** A corner of a piece that two shapes share. */
interface Corner {
  readonly x: number;
  readonly y: number;
}

/** Pieces less wide than this have no width. */
const FLAT_MM = 1e-9;

/** A corner on an edge, at `share` of its length. */
interface OnEdge {
  readonly corner: number;
  readonly share: number;
}

/**
 * How `a` must move so that it leaves `b`, which stands at (dx, dy) as seen from it: for each piece that they share, away by the
 * width of the piece across the edge where it is narrowest, and by `spacingMm` more. True for shallow pieces.
 */
export function overlapLimits(a: Shape, b: Shape, dx: number, dy: number, spacingMm: number): Limit[] {
  const corners: Corner[] = [];
  const onA = new Map<number, OnEdge[]>();
  const onB = new Map<number, OnEdge[]>();
  addCrossings(a, b, dx, dy, corners, onA, onB);
  addCornersInside(a, 0, 0, b, dx, dy, corners, onA);
  addCornersInside(b, dx, dy, a, 0, 0, corners, onB);
  const sets = newDisjointSets(corners.length);
  const join = (on: Map<number, OnEdge[]>, other: Shape, fromX: number, fromY: number): void => {
    for (const list of on.values()) {
      list.sort((p, q) => p.share - q.share);
      for (let i = 1; i < list.length; i++) {
        const [p, q] = [corners[list[i - 1].corner], corners[list[i].corner]];
        const inside = windingAt(other, (p.x + q.x) / 2 - fromX, (p.y + q.y) / 2 - fromY) > 0;
        if (inside) sets.join(list[i - 1].corner, list[i].corner);
      }
    }
  };
  join(onA, b, dx, dy);
  join(onB, a, 0, 0);
  const pieces = Map.groupBy(corners.keys(), (corner) => sets.find(corner));
  const ways = Map.groupBy([...waysOut(a, onA, -1), ...waysOut(b, onB, 1)], ({ corner }) => sets.find(corner));
  return [...pieces].flatMap(([piece, members]) => {
    const shared = members.map((i) => corners[i]);
    const narrowest = (ways.get(piece) ?? [])
      .map(({ x, y }) => ({ x, y, width: widthOf(shared, x, y) }))
      // Where edges lie on one another, a piece shows one of its sides alone: its length is then the width.
      .filter(({ width }) => width > FLAT_MM)
      .toSorted((p, q) => p.width - q.width)[0];
    return narrowest ? [{ x: narrowest.x, y: narrowest.y, least: narrowest.width + spacingMm }] : [];
  });
}

function addCrossings(
  a: Shape,
  b: Shape,
  dx: number,
  dy: number,
  corners: Corner[],
  onA: Map<number, OnEdge[]>,
  onB: Map<number, OnEdge[]>,
): void {
  const [p, q] = [a.edges, b.edges];
  forNearEdges(a, b, dx, dy, 0, (i, j) => {
    const [ax, ay, bx, by] = [p[i], p[i + 1], p[i + 2], p[i + 3]];
    const [cx, cy, ex, ey] = [q[j] + dx, q[j + 1] + dy, q[j + 2] + dx, q[j + 3] + dy];
    if (!meet(ax, ay, bx, by, cx, cy, ex, ey)) return;
    const across = (bx - ax) * (ey - cy) - (by - ay) * (ex - cx);
    const share = ((cx - ax) * (ey - cy) - (cy - ay) * (ex - cx)) / across;
    const other = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / across;
    const corner = corners.push({ x: ax + share * (bx - ax), y: ay + share * (by - ay) }) - 1;
    put(onA, i, { corner, share });
    put(onB, j, { corner, share: other });
  });
}

/** Adds the corners of one shape, at (ax, ay), that lie in the other, at (bx, by). */
function addCornersInside(
  a: Shape,
  ax: number,
  ay: number,
  b: Shape,
  bx: number,
  by: number,
  corners: Corner[],
  on: Map<number, OnEdge[]>,
): void {
  const { minX, minY, maxX, maxY } = b.box;
  for (const [ring, start] of a.ringStarts.entries()) {
    const end = a.ringStarts[ring + 1] ?? a.edges.length / 4;
    for (let edge = start; edge < end; edge++) {
      const [x, y] = [a.edges[4 * edge] + ax, a.edges[4 * edge + 1] + ay];
      if (x - bx < minX || x - bx > maxX || y - by < minY || y - by > maxY) continue;
      if (windingAt(b, x - bx, y - by) <= 0) continue;
      const corner = corners.push({ x, y }) - 1;
      put(on, 4 * edge, { corner, share: 0 });
      put(on, 4 * (edge === start ? end - 1 : edge - 1), { corner, share: 1 });
    }
  }
}

function put(on: Map<number, OnEdge[]>, edge: number, entry: OnEdge): void {
  const list = on.get(edge);
  if (list) list.push(entry);
  else on.set(edge, [entry]);
}

/** The directions square to the edges of pieces: outward for `sign` 1, inward for −1. */
function* waysOut({ edges }: Shape, on: Map<number, OnEdge[]>, sign: number): Generator<Corner & { corner: number }> {
  for (const [i, list] of on) {
    const [ux, uy] = [edges[i + 2] - edges[i], edges[i + 3] - edges[i + 1]];
    const length = Math.sqrt(ux * ux + uy * uy);
    for (const { corner } of length > 0 ? list : [])
      yield { corner, x: (sign * uy) / length, y: (-sign * ux) / length };
  }
}

function widthOf(corners: readonly Corner[], x: number, y: number): number {
  const along = corners.map((corner) => corner.x * x + corner.y * y);
  return Math.max(...along) - Math.min(...along);
}
