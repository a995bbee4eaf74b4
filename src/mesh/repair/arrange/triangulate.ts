import { type ExactPlace, latticePlace } from "./exact-place.ts";
import { turnOf, type View } from "./in-plane.ts";
import type { Lattice } from "./lattice.ts";
import { newTriangleNet, next, NONE, previous } from "./triangle-net.ts";

/** The corners of the triangle around all places lie so many times as far out as the places reach. */
const FAR = 16;
/** Flips for the shape of triangles, for each place: rounding might let them go round and round. */
const FLIPS_PER_PLACE = 32;

/**
 * A triangulation of places in a plane in which every one of the given segments is an edge, as triples of numbers of
 * places, counter-clockwise; beyond the segments it covers as much as it happens to. Segments meet each other and other
 * places at their ends alone. Delaunay but for rounding, where the segments let it.
 * Source: S. W. Sloan, "A Fast Algorithm for Generating Constrained Delaunay Triangulations" (1993).
 */
export function triangulate(
  view: View,
  places: readonly ExactPlace[],
  segments: readonly (readonly [number, number])[],
  lattice: Lattice,
): [number, number, number][] {
  const count = places.length;
  const all = [...places, ...cornersAround(view, places, lattice)];
  const turn = (a: number, b: number, c: number): number => turnOf(view, all[a]!, all[b]!, all[c]!);
  const net = newTriangleNet([count, count + 1, count + 2], turn);
  const { corners } = net;
  const isFixed = new Set<number>();
  const keyOf = (a: number, b: number): number => Math.min(a, b) * all.length + Math.max(a, b);
  let flips = 0;

  /** Flips edges whose circles hold the corner beyond, beginning with those of the given triangles. */
  const improve = (triangles: number[]): void => {
    for (let t = triangles.pop(); t !== undefined; t = triangles.pop()) {
      for (let edge = 3 * t; edge < 3 * t + 3; edge++) {
        const d = net.beyond(edge);
        if (d === NONE || flips > FLIPS_PER_PLACE * all.length) continue;
        const [a, b, c] = [corners[edge]!, corners[next(edge)]!, corners[previous(edge)]!];
        if (isFixed.has(keyOf(a, b)) || !isInCircle(view, all[a]!, all[b]!, all[c]!, all[d]!)) continue;
        if (!net.isConvex(edge)) continue;
        flips++;
        triangles.push(...net.flip(edge));
        break;
      }
    }
  };

  /** Flips the edges that a segment crosses until it is one itself. */
  const force = (a: number, b: number): void => {
    const crossed = crossedBy(a, b);
    for (let ends = crossed.shift(); ends !== undefined; ends = crossed.shift()) {
      const edge = net.edgeBetween(ends[0], ends[1]);
      if (!net.isConvex(edge)) {
        crossed.push(ends);
        continue;
      }
      const [c, d] = [corners[previous(edge)]!, net.beyond(edge)];
      net.flip(edge);
      const isEnd = c === a || c === b || d === a || d === b;
      if (!isEnd && turn(a, b, c) * turn(a, b, d) < 0) crossed.push([c, d]);
    }
  };
  /** The edges that a segment between two corners crosses, in order, each from its right to its left. */
  const crossedBy = (a: number, b: number): [number, number][] => {
    let edge = next(net.edgeFrom(a));
    while (!(turn(a, b, corners[edge]!) < 0 && turn(a, b, corners[next(edge)]!) > 0)) edge = next(net.twin(next(edge)));
    const crossed: [number, number][] = [];
    for (let apex = NONE; apex !== b;) {
      crossed.push([corners[edge]!, corners[next(edge)]!]);
      const twin = net.twin(edge);
      apex = corners[previous(twin)]!;
      edge = turn(a, b, apex) > 0 ? next(twin) : previous(twin);
    }
    return crossed;
  };

  for (let p = 0; p < count; p++) improve(net.insert(p));
  for (const [a, b] of segments) {
    if (net.edgeBetween(a, b) === NONE) force(a, b);
    isFixed.add(keyOf(a, b));
  }
  improve(Array.from({ length: corners.length / 3 }, (_, t) => t));
  const found: [number, number, number][] = [];
  for (let at = 0; at < corners.length; at += 3) {
    const [a, b, c] = [corners[at]!, corners[at + 1]!, corners[at + 2]!];
    if (a < count && b < count && c < count) found.push([a, b, c]);
  }
  return found;
}

/** Three places on the lattice, counter-clockwise, far around all others. The third coordinate does not matter. */
function cornersAround({ right, up }: View, places: readonly ExactPlace[], lattice: Lattice): ExactPlace[] {
  const reach = places.reduce((most, { mm }) => Math.max(most, Math.abs(mm[right]), Math.abs(mm[up])), 0);
  const far = FAR * 2 ** Math.ceil(Math.log2(Math.max(reach, 1 / lattice.stepsPerMm)));
  const corners = [
    [-far, -far],
    [far, -far],
    [0, far],
  ] as const;
  return corners.map(([x, y]) => {
    const mm: [number, number, number] = [0, 0, 0];
    mm[right] = x;
    mm[up] = y;
    return latticePlace(mm, lattice);
  });
}

/** Whether d lies in the circle through a, b and c, as rounded. */
function isInCircle({ right, up }: View, a: ExactPlace, b: ExactPlace, c: ExactPlace, d: ExactPlace): boolean {
  const [ax, ay] = [a.mm[right] - d.mm[right], a.mm[up] - d.mm[up]];
  const [bx, by] = [b.mm[right] - d.mm[right], b.mm[up] - d.mm[up]];
  const [cx, cy] = [c.mm[right] - d.mm[right], c.mm[up] - d.mm[up]];
  const [aa, bb, cc] = [ax * ax + ay * ay, bx * bx + by * by, cx * cx + cy * cy];
  return aa * (bx * cy - cx * by) - bb * (ax * cy - cx * ay) + cc * (ax * by - bx * ay) > 0;
}
