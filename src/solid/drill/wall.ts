import type { Progress } from "../../core/progress.ts";
import { cosSin } from "../../geometry/vector.ts";

/** The material that a hole meets first. Positions along its axis, from the position of the hole. */
export interface Wall {
  /** Where the axis enters, or else the closest probe line to the axis that enters. */
  readonly entryMm: number;
  /** Where the first probe line enters. */
  readonly surfaceMm: number;
  /** Where the last probe line leaves. */
  readonly throughMm: number;
  /** Where the first probe line meets the next material beyond the wall; Infinity if there is none. */
  readonly oppositeMm: number;
}

/** A section of a line inside the material, mm along it. */
interface SolidSpan {
  readonly from: number;
  readonly to: number;
}

/** A line parallel to the axis of the hole. */
interface ProbeLine {
  readonly u: number;
  readonly v: number;
  readonly spans: readonly SolidSpan[];
}

// The wall is probed along the axis and along lines on rings around it; the last ring is the rim of the hole.
const RINGS = 12;
const SPOKES = 32;

/**
 * A surface is not followed to a neighbouring line if it falls away with a steeper slope than this (79°): that is
 * the side of another part, and following it would make the hole a groove.
 */
const MAX_SLOPE = 5;

/**
 * The wall at the position of a hole: its material begins within `reachMm` of the position, or contains it. Its surfaces are followed
 * outward from the line closest to the axis. `facets` is the result of `facetsNearAxis`.
 */
export function findWall(
  facets: Float64Array,
  radiusMm: number,
  reachMm: number,
  roundingMm: number,
  progress: Progress,
): Wall | undefined {
  const lines = probeLines(radiusMm, (u, v) => solidSpans(facets, u, v, roundingMm), progress);
  const isAtHole = ({ from, to }: SolidSpan): boolean => to > roundingMm && from <= reachMm;
  const seed = lines.findIndex(({ spans }) => spans.some(isAtHole));
  if (seed < 0) return undefined;
  const span = lines[seed].spans.find(isAtHole)!;
  const entries = followSurface(lines, seed, span.from, ({ from }) => from);
  const exits = followSurface(lines, seed, span.to, ({ to }) => to);
  const opposite = lines.flatMap(({ spans }, i) => {
    const exit = exits[i];
    return exit === undefined ? [] : spans.map(({ from }) => from).filter((from) => from > exit);
  });
  return {
    entryMm: span.from,
    surfaceMm: Math.min(...entries.filter((entry) => entry !== undefined)),
    throughMm: Math.max(...exits.filter((exit) => exit !== undefined)),
    oppositeMm: Math.min(...opposite, Infinity),
  };
}

/** The axis, then ring by ring. */
function probeLines(radiusMm: number, spansAt: (u: number, v: number) => SolidSpan[], progress: Progress): ProbeLine[] {
  const lines: ProbeLine[] = [{ u: 0, v: 0, spans: spansAt(0, 0) }];
  for (let ring = 1; ring <= RINGS; ring++) {
    for (let spoke = 0; spoke < SPOKES; spoke++) {
      progress.report((ring - 1 + spoke / SPOKES) / RINGS);
      const [cos, sin] = cosSin((2 * Math.PI * spoke) / SPOKES);
      const ringRadius = (radiusMm * ring) / RINGS;
      const [u, v] = [ringRadius * cos, ringRadius * sin];
      lines.push({ u, v, spans: spansAt(u, v) });
    }
  }
  return lines;
}

/**
 * Position at which each line meets the surface that the line `seed` meets at `start`; undefined if the surface does not reach
 * the line. `endOf` selects which end of a span is on that surface.
 */
function followSurface(
  lines: readonly ProbeLine[],
  seed: number,
  start: number,
  endOf: (span: SolidSpan) => number,
): (number | undefined)[] {
  const met = lines.map((): number | undefined => undefined);
  met[seed] = start;
  const queue: [line: number, at: number][] = [[seed, start]];
  for (const [line, at] of queue) {
    for (const next of neighbourLines(line)) {
      if (met[next] !== undefined) continue;
      const [a, b] = [lines[line], lines[next]];
      const distanceMm = Math.sqrt((a.u - b.u) ** 2 + (a.v - b.v) ** 2);
      const [nearest] = b.spans.map(endOf).sort((p, q) => Math.abs(p - at) - Math.abs(q - at));
      if (nearest === undefined || Math.abs(nearest - at) > MAX_SLOPE * distanceMm) continue;
      met[next] = nearest;
      queue.push([next, nearest]);
    }
  }
  return met;
}

const lineIndex = (ring: number, spoke: number): number => 1 + (ring - 1) * SPOKES + ((spoke + SPOKES) % SPOKES);

function neighbourLines(line: number): number[] {
  if (line === 0) return Array.from({ length: SPOKES }, (_, spoke) => lineIndex(1, spoke));
  const spoke = (line - 1) % SPOKES;
  const ring = 1 + (line - 1 - spoke) / SPOKES;
  const beside = [lineIndex(ring, spoke - 1), lineIndex(ring, spoke + 1)];
  const inward = ring === 1 ? 0 : lineIndex(ring - 1, spoke);
  return ring === RINGS ? [inward, ...beside] : [inward, ...beside, lineIndex(ring + 1, spoke)];
}

interface Crossing {
  readonly along: number;
  /** 1 where the line leaves a body, −1 where it enters one. */
  readonly direction: number;
}

/**
 * The sections of the line along s at (u, v) inside a closed surface, in order. Sections less than `seamMm` apart are
 * joined. `facets` are nine numbers each, as in the result of `facetsNearAxis`, at least of all facets that the line
 * meets. Edges are half open and their sides are always computed in the same order, so that a line through an edge or a
 * vertex crosses it once.
 */
export function solidSpans(facets: Float64Array, u: number, v: number, seamMm: number): SolidSpan[] {
  const crossings: Crossing[] = [];
  for (let at = 0; at < facets.length; at += 9) {
    const direction =
      edgeCrossing(facets, at, at + 3, u, v) +
      edgeCrossing(facets, at + 3, at + 6, u, v) +
      edgeCrossing(facets, at + 6, at, u, v);
    if (direction !== 0) crossings.push({ along: heightOnFacet(facets, at, u, v), direction });
  }
  crossings.sort((a, b) => a.along - b.along);
  const spans: { from: number; to: number }[] = [];
  let depth = 0;
  for (const { along, direction } of crossings) {
    const wasInside = depth > 0;
    depth -= direction;
    if (wasInside === depth > 0) continue;
    const last = spans.at(-1);
    if (wasInside) last!.to = along;
    else if (last && along - last.to <= seamMm) last.to = Infinity;
    else spans.push({ from: along, to: Infinity });
  }
  return spans.filter(({ to }) => to < Infinity);
}

/** 1 when the edge passes v upward on the side of greater u, −1 when it does so downward, else 0. */
function edgeCrossing(facets: Float64Array, from: number, to: number, u: number, v: number): number {
  const isUp = facets[to + 1] > v;
  if (facets[from + 1] > v === isUp) return 0;
  const low = isUp ? from : to;
  const high = isUp ? to : from;
  const side =
    (facets[high] - facets[low]) * (v - facets[low + 1]) - (facets[high + 1] - facets[low + 1]) * (u - facets[low]);
  return side > 0 ? (isUp ? 1 : -1) : 0;
}

/** s of the facet's plane at (u, v), clamped to the range of its corners. */
function heightOnFacet(facets: Float64Array, at: number, u: number, v: number): number {
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
