import type { ExactPlace, Places } from "./exact-place.ts";
import { type ExactFacet, isInside } from "./facet-pair.ts";
import { meetingOf, orderOf, turnOf, type View } from "./in-plane.ts";
import type { Lattice } from "./lattice.ts";
import { triangulate } from "./triangulate.ts";

/** Facets in one plane that overlap, most often a single one, and what cuts them. Numbers are those of places. */
export interface Cluster {
  readonly facets: readonly ClusterFacet[];
  readonly view: View;
  /** Places in the plane that must be corners. */
  readonly points: Set<number>;
  /** Segments in the plane that must be edges, the edges of the facets among them. */
  readonly segments: [number, number][];
}

export interface ClusterFacet {
  readonly exact: ExactFacet;
  /** Of the surface. */
  readonly facet: number;
  /** 1 where it faces the way the view does, −1 where it faces away. */
  readonly facing: 1 | -1;
}

/** A piece of a cluster, its corners counter-clockwise in the view. */
export interface Piece {
  readonly corners: readonly [number, number, number];
  /** How many facets lie there and face up, less those that face down. */
  readonly sheets: number;
}

/** Adds the places where segments of the cluster cross, and cuts every segment at the points on it. */
export function cutSegments({ view, points, segments }: Cluster, places: Places, lattice: Lattice): void {
  const at = (number: number): ExactPlace => places.all[number]!;
  const leftOf = (number: number): number => at(number).mm[view.right];
  for (const [a, b] of segments) points.add(a).add(b);
  const boxed = segments.map((ends) => ({ ends, box: boxOf(view, at(ends[0]), at(ends[1])) }));
  boxed.sort((one, other) => one.box[0] - other.box[0]);
  boxed.forEach(({ ends: [a, b], box }, i) => {
    for (let j = i + 1; j < boxed.length && boxed[j]!.box[0] <= box[2]; j++) {
      const [c, d] = boxed[j]!.ends;
      if (!meet(box, boxed[j]!.box) || a === c || a === d || b === c || b === d) continue;
      const [p, q, r, s] = [at(a), at(b), at(c), at(d)];
      if (!areOpposite(turnOf(view, p, q, r), turnOf(view, p, q, s))) continue;
      if (!areOpposite(turnOf(view, r, s, p), turnOf(view, r, s, q))) continue;
      points.add(places.numberOf(meetingOf(view, [p, q], [r, s], lattice)));
    }
  });
  const fromLeft = [...points].sort((a, b) => leftOf(a) - leftOf(b));
  const lefts = Float64Array.from(fromLeft, leftOf);
  const cut = new Map<string, [number, number]>();
  for (const { ends, box } of boxed) {
    const chain = pointsOn(view, ends, between(fromLeft, lefts, box[0], box[2]), places);
    for (let k = 0; k + 1 < chain.length; k++) {
      const piece: [number, number] = [Math.min(chain[k]!, chain[k + 1]!), Math.max(chain[k]!, chain[k + 1]!)];
      cut.set(piece.join(" "), piece);
    }
  }
  segments.splice(0, segments.length, ...cut.values());
}

const areOpposite = (a: number, b: number): boolean => (a < 0 && b > 0) || (a > 0 && b < 0);

/** Of numbers in the order of their values, those with values from `least` to `most`. */
function between(numbers: readonly number[], values: Float64Array, least: number, most: number): number[] {
  const firstOver = (isOver: (value: number) => boolean): number => {
    let [from, to] = [0, values.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isOver(values[middle]!)) to = middle;
      else from = middle + 1;
    }
    return from;
  };
  return numbers.slice(
    firstOver((value) => value >= least),
    firstOver((value) => value > most),
  );
}

/** The points on a segment, its ends included, from one to the other. */
export function pointsOn(
  view: View,
  [a, b]: readonly [number, number],
  points: Iterable<number>,
  { all }: Places,
): number[] {
  const [p, q] = [all[a]!, all[b]!];
  const box = boxOf(view, p, q);
  const found: number[] = [];
  for (const number of points) {
    if (number === a || number === b) continue;
    const place = all[number]!;
    if (!meet(box, boxOf(view, place, place)) || turnOf(view, p, q, place) !== 0) continue;
    if (orderOf(view, p, place) * orderOf(view, place, q) > 0) found.push(number);
  }
  const way = orderOf(view, p, q);
  found.sort((one, other) => -way * orderOf(view, all[one]!, all[other]!));
  return [a, ...found, b];
}

/** The pieces that the points and segments, cut already, leave of the facets of a cluster. */
export function piecesOf({ facets, view, points, segments }: Cluster, places: Places, lattice: Lattice): Piece[] {
  const numbers = [...points].sort((a, b) => a - b);
  const indexOf = new Map(numbers.map((number, i) => [number, i]));
  const local = numbers.map((number) => places.all[number]!);
  const edges = segments.map(([a, b]) => [indexOf.get(a)!, indexOf.get(b)!] as const);
  const seen = facets.map((facet) => ({ facing: facet.facing, exact: seenBy(view, facet.exact) }));
  return triangulate(view, local, edges, lattice).flatMap(([a, b, c]): Piece[] => {
    // All that is in the plane of a single facet lies in the facet.
    const covering =
      facets.length === 1
        ? facets
        : seen.filter(({ exact }) => [a, b, c].every((corner) => isInside(exact, local[corner]!)));
    if (covering.length === 0) return [];
    const sheets = covering.reduce((sum, { facing }) => sum + facing, 0);
    return [{ corners: [numbers[a]!, numbers[b]!, numbers[c]!], sheets }];
  });
}

/** The facet as the view of its cluster shows it: from the other side its corners run the other way. */
function seenBy(view: View, exact: ExactFacet): ExactFacet {
  const [a, b, c] = exact.corners;
  return turnOf(view, a, b, c) > 0 ? { ...exact, view } : { ...exact, corners: [a, c, b], view };
}

type Box = readonly [left: number, bottom: number, right: number, top: number];

const boxOf = ({ right, up }: View, { mm: p }: ExactPlace, { mm: q }: ExactPlace): Box => [
  Math.min(p[right], q[right]),
  Math.min(p[up], q[up]),
  Math.max(p[right], q[right]),
  Math.max(p[up], q[up]),
];

/** Rounded coordinates keep their order, so boxes that are apart hold places that are. */
const meet = (a: Box, b: Box): boolean => a[0] <= b[2] && b[0] <= a[2] && a[1] <= b[3] && b[1] <= a[3];
