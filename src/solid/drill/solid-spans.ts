/** A stretch of a line that lies in the material, mm along it. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

interface Crossing {
  readonly along: number;
  /** 1 where the line leaves a body, −1 where it enters one. */
  readonly turns: number;
}

/**
 * Where the line along s at (u, v) is inside a closed surface, in order; stretches nearer to each other than `seamMm` are
 * one. `facets` holds u, v, s of three corners each, at least of all facets that the line meets. Edges are half open and
 * their sides are always worked out the same way, so that a line through an edge or a corner crosses it once.
 */
export function solidSpans(facets: Float64Array, u: number, v: number, seamMm: number): Span[] {
  const crossings: Crossing[] = [];
  for (let at = 0; at < facets.length; at += 9) {
    const turns =
      passes(facets, at, at + 3, u, v) + passes(facets, at + 3, at + 6, u, v) + passes(facets, at + 6, at, u, v);
    if (turns !== 0) crossings.push({ along: heightOver(facets, at, u, v), turns });
  }
  crossings.sort((a, b) => a.along - b.along);
  const spans: { from: number; to: number }[] = [];
  let depth = 0;
  for (const { along, turns } of crossings) {
    const wasInside = depth > 0;
    depth -= turns;
    if (wasInside === depth > 0) continue;
    const last = spans.at(-1);
    if (wasInside) last!.to = along;
    else if (last && along - last.to <= seamMm) last.to = Infinity;
    else spans.push({ from: along, to: Infinity });
  }
  return spans.filter(({ to }) => to < Infinity);
}

/** 1 when the edge passes from below to above v on the side of greater u, −1 on its way back, else 0. */
function passes(facets: Float64Array, from: number, to: number, u: number, v: number): number {
  const isUp = facets[to + 1] > v;
  if (facets[from + 1] > v === isUp) return 0;
  const low = isUp ? from : to;
  const high = isUp ? to : from;
  const side =
    (facets[high] - facets[low]) * (v - facets[low + 1]) - (facets[high + 1] - facets[low + 1]) * (u - facets[low]);
  return side > 0 ? (isUp ? 1 : -1) : 0;
}

/** s of the facet's plane at (u, v), within the facet. */
function heightOver(facets: Float64Array, at: number, u: number, v: number): number {
  const bu = facets[at + 3] - facets[at];
  const bv = facets[at + 4] - facets[at + 1];
  const bs = facets[at + 5] - facets[at + 2];
  const cu = facets[at + 6] - facets[at];
  const cv = facets[at + 7] - facets[at + 1];
  const cs = facets[at + 8] - facets[at + 2];
  const area = bu * cv - bv * cu;
  const pu = u - facets[at];
  const pv = v - facets[at + 1];
  const lowest = Math.min(0, bs, cs);
  const highest = Math.max(0, bs, cs);
  const rise = area === 0 ? 0 : ((pu * cv - pv * cu) * bs + (bu * pv - bv * pu) * cs) / area;
  return facets[at + 2] + Math.min(highest, Math.max(lowest, rise));
}
