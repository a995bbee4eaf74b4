import type { Watch } from "../../core/watch.ts";

/**
 * Triangles of which no edge is too long, made of those given by halving edges: three corners each. `xy` holds x, y of each
 * corner; the middles are added. Triangles go on sharing their edges, for those beside a halved edge are halved with it, and
 * each at its longest edge first, so that none becomes slender. Nobody knows how often they will be: each time all are gone
 * through counts as half of the work that is left.
 * Source: M.-C. Rivara, "Algorithms for refining triangular grids suitable for adaptive and multigrid techniques" (1984).
 */
export function refined(
  xy: number[],
  triangles: Iterable<number>,
  isTooLong: (from: number, to: number) => boolean,
  watch: Watch,
): readonly number[] {
  /** The middle of each edge that is halved. */
  const middles = new Map<number, number>();
  const fine = new Set<number>();
  const isHalved = ([from, to]: Edge): boolean => {
    const key = keyOf(from, to);
    if (middles.has(key)) return true;
    if (fine.has(key)) return false;
    if (!isTooLong(from, to)) fine.add(key);
    else middles.set(key, addMiddle(xy, from, to));
    return !fine.has(key);
  };
  const halve = ([from, to, apex]: Edge): number[] => {
    const key = keyOf(from, to);
    const middle = middles.get(key) ?? addMiddle(xy, from, to);
    middles.set(key, middle);
    return [from, middle, apex, middle, to, apex];
  };

  let all: readonly number[] = [...triangles];
  for (let left = 1; ; left /= 2) {
    const next: number[] = [];
    for (let at = 0; at < all.length; at += 3) {
      watch.report(1 - left * (1 - at / all.length / 2));
      const [a, b, c] = [all[at], all[at + 1], all[at + 2]];
      const edges: readonly Edge[] = [
        [a, b, c],
        [b, c, a],
        [c, a, b],
      ];
      next.push(...(edges.some(isHalved) ? halve(longestOf(xy, edges)) : edges[0]));
    }
    if (next.length === all.length) return next;
    all = next;
  }
}

/** From a corner of a triangle to the next, and the third. */
type Edge = readonly [from: number, to: number, apex: number];

/** One number for each edge, which no other has as long as there are no more than 2²⁶ corners. */
const keyOf = (from: number, to: number): number => Math.min(from, to) * 2 ** 26 + Math.max(from, to);

function addMiddle(xy: number[], from: number, to: number): number {
  xy.push((xy[2 * from] + xy[2 * to]) / 2, (xy[2 * from + 1] + xy[2 * to + 1]) / 2);
  return xy.length / 2 - 1;
}

function longestOf(xy: readonly number[], edges: readonly Edge[]): Edge {
  const squared = edges.map(([from, to]) => {
    const [x, y] = [xy[2 * to] - xy[2 * from], xy[2 * to + 1] - xy[2 * from + 1]];
    return x * x + y * y;
  });
  return edges[squared.indexOf(Math.max(...squared))];
}
