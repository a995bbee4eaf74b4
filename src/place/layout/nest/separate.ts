import type { Watch } from "../../../core/watch.ts";
import { type Arrangement, copyOf, depthBetween, put } from "./arrangement.ts";
import { bestPlace, isWithin } from "./best-place.ts";
import type { Nesting } from "./nesting.ts";
import type { Random } from "./seeded.ts";

/** What a search may still do, and whom it tells. */
export interface Search {
  readonly random: Random;
  readonly watch: Watch;
  readonly mostMoves: number;
  moves: number;
}

export interface Separated {
  readonly arrangement: Arrangement;
  /** The sum of the depths of all pairs, in pixels: 0 where all stand apart. */
  readonly depth: number;
}

/** Weights grow by these factors, the first at no depth and the second at the greatest, and shrink by the last. */
const GROWTH = [1.2, 2] as const;
const DECAY = 0.95;
/** A total depth below this share of the least one yet counts as progress. */
const PROGRESS = 0.98;
/** So many rounds without progress are a strike. */
const PATIENCE = 20;
const STRIKES = 3;

/**
 * Moves pieces that reach beyond the floor or `frontMm` to where they are least in others, then those that are in one another until all stand apart, or patience or moves run out: the arrangement of least total depth
 * on the way. Guided local search: each piece goes where its weighted depths are least, and the weights of pairs that stay in
 * each other grow (Egeblad, Nielsen and Odgaard 2007; Umetani and others 2009; the numbers are those of Gardeyn, Vanden Berghe
 * and Wauters 2025).
 */
export function separate(nesting: Nesting, start: Arrangement, frontMm: number, search: Search): Separated {
  const count = nesting.pieces.length;
  const arrangement = copyOf(start);
  const weights = Array.from({ length: count }, () => new Float64Array(count).fill(1));
  for (let piece = 0; piece < nesting.movable; piece++) {
    if (isWithin(nesting, arrangement, piece, frontMm)) continue;
    const place = bestPlace(nesting, arrangement, piece, frontMm, weights[piece], search.random);
    if (!place) return { arrangement, depth: Infinity };
    put(arrangement, piece, place);
  }
  const depths = depthsOf(nesting, arrangement);
  let best: Separated = { arrangement: copyOf(arrangement), depth: totalOf(depths) };
  for (let strike = 0; strike < STRIKES && best.depth > 0; strike++) {
    const before = best.depth;
    let least = before;
    for (let idle = 0; idle < PATIENCE && best.depth > 0; idle++) {
      for (const piece of shuffled(overlapping(depths, nesting.movable), search.random)) {
        if (search.moves >= search.mostMoves) return best;
        if (depths[piece].every((depth) => depth === 0)) continue;
        search.moves++;
        search.watch.report(search.moves / search.mostMoves);
        const place = bestPlace(nesting, arrangement, piece, frontMm, weights[piece], search.random);
        if (!place) continue;
        put(arrangement, piece, place);
        for (let other = 0; other < count; other++) {
          if (other === piece) continue;
          depths[piece][other] = depthBetween(nesting, arrangement, piece, other);
          depths[other][piece] = depths[piece][other];
        }
      }
      const total = totalOf(depths);
      if (total < PROGRESS * least) {
        idle = -1;
        least = total;
      }
      if (total < best.depth) best = { arrangement: copyOf(arrangement), depth: total };
      reweigh(weights, depths);
    }
    if (best.depth < PROGRESS * before) strike = -1;
  }
  return best;
}

function depthsOf(nesting: Nesting, arrangement: Arrangement): Float64Array[] {
  const { length } = nesting.pieces;
  return Array.from({ length }, (_, a) =>
    // Two that stay are no matter of the search.
    Float64Array.from({ length }, (__, b) =>
      a === b || Math.min(a, b) >= nesting.movable ? 0 : depthBetween(nesting, arrangement, a, b),
    ),
  );
}

const totalOf = (depths: readonly Float64Array[]): number =>
  depths.reduce((sum, line) => line.reduce((total, depth) => total + depth, sum), 0) / 2;

const overlapping = (depths: readonly Float64Array[], movable: number): number[] =>
  depths.slice(0, movable).flatMap((line, piece) => (line.some((depth) => depth > 0) ? [piece] : []));

/** Fisher and Yates. */
function shuffled(list: number[], random: Random): number[] {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

function reweigh(weights: readonly Float64Array[], depths: readonly Float64Array[]): void {
  const deepest = depths.reduce((most, line) => line.reduce((a, b) => Math.max(a, b), most), 0);
  for (const [a, line] of depths.entries()) {
    for (const [b, depth] of line.entries()) {
      const factor = depth > 0 ? GROWTH[0] + ((GROWTH[1] - GROWTH[0]) * depth) / deepest : DECAY;
      weights[a][b] = Math.max(1, weights[a][b] * factor);
    }
  }
}
