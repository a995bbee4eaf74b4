import type { Watch } from "../core/watch.ts";
import { sortTriples } from "./sort-triples.ts";

/** Facets that start at one vertex: up to so many, an insertion sort is the fastest. */
const FEW = 32;
const WATCH_STEPS = 65_536;

/**
 * The facets with the ranks of their corners, each in the least of its three rotations, in ascending order and in shared
 * memory. They are dealt out by their first corner, which leaves a handful to sort at each vertex.
 */
export function sortFacets(triangles: Uint32Array, rankOf: Uint32Array, vertexCount: number, watch: Watch): Uint32Array {
  const turned = turn(triangles, rankOf);
  const dealt = deal(turned, vertexCount);
  watch.report(0.6);
  const sorted = new Uint32Array(new SharedArrayBuffer(turned.byteLength));
  let from = 0;
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    if (vertex % WATCH_STEPS === 0) watch.report(0.6 + (0.4 * vertex) / vertexCount);
    const to = dealt.ends[vertex];
    if (to - from > FEW) sortMany(dealt.pairs, from, to, watch);
    else sortFew(dealt.pairs, from, to);
    for (; from < to; from++) {
      sorted[3 * from] = vertex;
      sorted[3 * from + 1] = dealt.pairs[2 * from];
      sorted[3 * from + 2] = dealt.pairs[2 * from + 1];
    }
  }
  return sorted;
}

function turn(triangles: Uint32Array, rankOf: Uint32Array): Uint32Array {
  const turned = new Uint32Array(triangles.length);
  for (let at = 0; at < triangles.length; at += 3) {
    const a = rankOf[triangles[at]];
    const b = rankOf[triangles[at + 1]];
    const c = rankOf[triangles[at + 2]];
    const startsAtA = a <= b && a < c;
    const startsAtB = !startsAtA && b <= c;
    turned[at] = startsAtA ? a : startsAtB ? b : c;
    turned[at + 1] = startsAtA ? b : startsAtB ? c : a;
    turned[at + 2] = startsAtA ? c : startsAtB ? a : b;
  }
  return turned;
}

/** Second and third corners of the facets by their first one, and where the facets of each vertex end. */
function deal(turned: Uint32Array, vertexCount: number): { pairs: Uint32Array; ends: Uint32Array } {
  const ends = new Uint32Array(vertexCount);
  for (let at = 0; at < turned.length; at += 3) ends[turned[at]]++;
  let start = 0;
  for (let vertex = 0; vertex < vertexCount; vertex++) {
    const count = ends[vertex];
    ends[vertex] = start;
    start += count;
  }
  const pairs = new Uint32Array((2 * turned.length) / 3);
  for (let at = 0; at < turned.length; at += 3) {
    const place = 2 * ends[turned[at]]++;
    pairs[place] = turned[at + 1];
    pairs[place + 1] = turned[at + 2];
  }
  return { pairs, ends };
}

function sortFew(pairs: Uint32Array, from: number, to: number): void {
  for (let i = from + 1; i < to; i++) {
    const second = pairs[2 * i];
    const third = pairs[2 * i + 1];
    let hole = i;
    for (; hole > from; hole--) {
      const before = pairs[2 * hole - 2];
      if (before < second || (before === second && pairs[2 * hole - 1] <= third)) break;
      pairs[2 * hole] = before;
      pairs[2 * hole + 1] = pairs[2 * hole - 1];
    }
    pairs[2 * hole] = second;
    pairs[2 * hole + 1] = third;
  }
}

function sortMany(pairs: Uint32Array, from: number, to: number, watch: Watch): void {
  const triples = new Uint32Array(3 * (to - from));
  for (let i = 0; i < to - from; i++) triples.set(pairs.subarray(2 * (from + i), 2 * (from + i) + 2), 3 * i);
  const order = Uint32Array.from({ length: to - from }, (_, i) => i);
  sortTriples(triples, order, watch.part(0, 0));
  order.forEach((triple, i) => pairs.set(triples.subarray(3 * triple, 3 * triple + 2), 2 * (from + i)));
}
