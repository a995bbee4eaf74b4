import type { Watch } from "../../core/watch.ts";
import { type Span, solidSpans } from "./solid-spans.ts";

/** The material that a hole meets first; places along its axis, from its position. */
export interface Wall {
  /** Where the axis enters it, or the line nearest to the axis that does. */
  readonly entryMm: number;
  /** Where the hole's first line enters. */
  readonly surfaceMm: number;
  /** Where its last line leaves. */
  readonly throughMm: number;
  /** Where the first line meets the material behind; Infinity where there is none. */
  readonly oppositeMm: number;
}

// The hole is felt along its axis and along lines on rings about it, the last of them its rim.
const RINGS = 12;
const SPOKES = 32;

/**
 * A surface that falls away more steeply between neighbouring lines than so many to one is not followed: it is the side
 * of something else, and a hole that followed it would be a groove. 79°.
 */
const STEEPEST = 5;

interface Line {
  readonly u: number;
  readonly v: number;
  readonly spans: readonly Span[];
}

/**
 * The wall at a hole's position: there the material begins within `reachMm` of it, or the position lies within. Surfaces
 * are followed from the line nearest to the axis on outward. `facets` are those along the hole, in its coordinates.
 */
export function wallAt(
  facets: Float64Array,
  radiusMm: number,
  reachMm: number,
  roundingMm: number,
  watch: Watch,
): Wall | undefined {
  const lines = linesOf(radiusMm, (u, v) => solidSpans(facets, u, v, roundingMm), watch);
  const isAtHand = ({ from, to }: Span): boolean => to > roundingMm && from <= reachMm;
  const seed = lines.findIndex(({ spans }) => spans.some(isAtHand));
  if (seed < 0) return undefined;
  const span = lines[seed]!.spans.find(isAtHand)!;
  const entries = followed(lines, seed, span.from, ({ from }) => from);
  const exits = followed(lines, seed, span.to, ({ to }) => to);
  const behind = lines.flatMap(({ spans }, i) => {
    const exit = exits[i];
    return exit === undefined ? [] : spans.map(({ from }) => from).filter((from) => from > exit);
  });
  return {
    entryMm: span.from,
    surfaceMm: Math.min(...entries.filter((along) => along !== undefined)),
    throughMm: Math.max(...exits.filter((along) => along !== undefined)),
    oppositeMm: Math.min(...behind, Infinity),
  };
}

/** The axis, then ring by ring. */
function linesOf(radiusMm: number, spansAt: (u: number, v: number) => Span[], watch: Watch): Line[] {
  const lines: Line[] = [{ u: 0, v: 0, spans: spansAt(0, 0) }];
  for (let ring = 1; ring <= RINGS; ring++) {
    for (let spoke = 0; spoke < SPOKES; spoke++) {
      watch.report((ring - 1 + spoke / SPOKES) / RINGS);
      const angle = (2 * Math.PI * spoke) / SPOKES;
      const away = (radiusMm * ring) / RINGS;
      // Rounded: engines may differ in the last bits of sines.
      const [u, v] = [away * Math.fround(Math.cos(angle)), away * Math.fround(Math.sin(angle))];
      lines.push({ u, v, spans: spansAt(u, v) });
    }
  }
  return lines;
}

/** Where each line meets the sheet that the line `seed` meets at `along`; undefined where the sheet does not lead. */
function followed(
  lines: readonly Line[],
  seed: number,
  along: number,
  endOf: (span: Span) => number,
): (number | undefined)[] {
  const met = lines.map((): number | undefined => undefined);
  met[seed] = along;
  const queue = [seed];
  for (const line of queue) {
    const here = met[line]!;
    for (const next of neighboursOf(line)) {
      if (met[next] !== undefined) continue;
      const [a, b] = [lines[line]!, lines[next]!];
      const apart = Math.sqrt((a.u - b.u) ** 2 + (a.v - b.v) ** 2);
      const [nearest] = b.spans.map(endOf).sort((p, q) => Math.abs(p - here) - Math.abs(q - here));
      if (nearest === undefined || Math.abs(nearest - here) > STEEPEST * apart) continue;
      met[next] = nearest;
      queue.push(next);
    }
  }
  return met;
}

const numberOf = (ring: number, spoke: number): number => 1 + (ring - 1) * SPOKES + ((spoke + SPOKES) % SPOKES);

function neighboursOf(line: number): number[] {
  if (line === 0) return Array.from({ length: SPOKES }, (_, spoke) => numberOf(1, spoke));
  const spoke = (line - 1) % SPOKES;
  const ring = 1 + (line - 1 - spoke) / SPOKES;
  const beside = [numberOf(ring, spoke - 1), numberOf(ring, spoke + 1)];
  const inward = ring === 1 ? 0 : numberOf(ring - 1, spoke);
  return ring === RINGS ? [inward, ...beside] : [inward, ...beside, numberOf(ring + 1, spoke)];
}
