import type { Progress } from "../../core/progress.ts";

/** A directed edge of a triangle, and its third corner. */
type Edge = readonly [from: number, to: number, apex: number];

/**
 * Refines triangles, three corners each, by longest-edge bisection until no edge is too long. `xy` holds x, y of each corner;
 * midpoints are appended. A triangle adjacent to a divided edge is divided too, at its longest edge first, so the mesh stays
 * conforming and no triangle becomes slender. The number of passes is not known beforehand: each counts as half of the remaining
 * progress. Source: M.-C. Rivara, "Algorithms for refining triangular grids suitable for adaptive and multigrid techniques" (1984).
 */
export function refineTriangles(
  xy: number[],
  triangles: Iterable<number>,
  isTooLong: (from: number, to: number) => boolean,
  progress: Progress,
): readonly number[] {
  const midpoints = new Map<number, number>();
  const shortEdges = new Set<number>();
  const midpointOf = (from: number, to: number): number => {
    const key = edgeKey(from, to);
    const known = midpoints.get(key);
    if (known !== undefined) return known;
    xy.push((xy[2 * from] + xy[2 * to]) / 2, (xy[2 * from + 1] + xy[2 * to + 1]) / 2);
    const midpoint = xy.length / 2 - 1;
    midpoints.set(key, midpoint);
    return midpoint;
  };
  const isDivided = ([from, to]: Edge): boolean => {
    const key = edgeKey(from, to);
    if (midpoints.has(key)) return true;
    if (shortEdges.has(key)) return false;
    if (isTooLong(from, to)) midpointOf(from, to);
    else shortEdges.add(key);
    return !shortEdges.has(key);
  };
  const bisect = ([from, to, apex]: Edge): number[] => {
    const midpoint = midpointOf(from, to);
    return [from, midpoint, apex, midpoint, to, apex];
  };

  let all: readonly number[] = [...triangles];
  for (let left = 1; ; left /= 2) {
    const next: number[] = [];
    for (let at = 0; at < all.length; at += 3) {
      progress.report(1 - left * (1 - at / all.length / 2));
      const [a, b, c] = [all[at], all[at + 1], all[at + 2]];
      const edges: readonly Edge[] = [
        [a, b, c],
        [b, c, a],
        [c, a, b],
      ];
      next.push(...(edges.some(isDivided) ? bisect(longestEdge(xy, edges)) : edges[0]));
    }
    if (next.length === all.length) return next;
    all = next;
  }
}

/** A number for each undirected edge, unique for up to 2²⁶ corners. */
const edgeKey = (from: number, to: number): number => Math.min(from, to) * 2 ** 26 + Math.max(from, to);

function longestEdge(xy: readonly number[], edges: readonly Edge[]): Edge {
  const squared = edges.map(([from, to]) => {
    const [x, y] = [xy[2 * to] - xy[2 * from], xy[2 * to + 1] - xy[2 * from + 1]];
    return x * x + y * y;
  });
  return edges[squared.indexOf(Math.max(...squared))];
}
