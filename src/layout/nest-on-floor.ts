import type { Progress } from "../core/progress.ts";
import { type Random, seededRandom } from "../core/random.ts";
import { bestPosition, isFeasible } from "./best-place.ts";
import {
  type Arrangement,
  type Nesting,
  type NestingRequest,
  copyArrangement,
  depthBetween,
  newNesting,
  placedPiece,
  setPlace,
} from "./nesting.ts";
import type { PlacedPart } from "./part.ts";

/**
 * Places all parts on a floor: lets them overlap, in the given order, and separates them. Undefined where `maxMoves`
 * moves, or the rounds without improvement that the search allows, do not suffice.
 */
export function nestOnFloor(request: NestingRequest, maxMoves: number, progress: Progress): PlacedPart[] | undefined {
  const nesting = newNesting(request, () => progress.report(0));
  const search: NestingSearch = { random: seededRandom(SEED), progress, maxMoves, moves: 0 };
  const { minY, maxY } = request.floor.bounds;
  const start = insertionStart(nesting, maxY - minY, search.random);
  if (!start) return undefined;
  const { arrangement, depth } = separateOverlaps(nesting, start, maxY - minY, search);
  return depth === 0 ? request.parts.map((_, piece) => placedPiece(nesting, arrangement, piece)) : undefined;
}

/** Puts each piece where it overlaps the earlier pieces least; undefined if a piece does not fit the floor at all. */
function insertionStart(nesting: Nesting, frontMm: number, random: Random): Arrangement | undefined {
  const { pieces, orientations, movable } = nesting;
  const arrangement: Arrangement = {
    turns: Int32Array.from(pieces, ([turn]) => turn),
    columns: Int32Array.from(pieces, ([turn]) => orientations[turn].column),
    rows: Int32Array.from(pieces, ([turn]) => orientations[turn].row),
  };
  const weights = Float64Array.from(pieces, (_, i) => (i < movable ? 0 : 1));
  for (let piece = 0; piece < movable; piece++) {
    const place = bestPosition(nesting, arrangement, piece, frontMm, weights, random);
    if (!place) return undefined;
    setPlace(arrangement, piece, place);
    weights[piece] = 1;
  }
  return arrangement;
}

/** The random numbers, progress and remaining budget of a search. */
export interface NestingSearch {
  readonly random: Random;
  readonly progress: Progress;
  readonly maxMoves: number;
  moves: number;
}

export interface SeparationResult {
  readonly arrangement: Arrangement;
  /** Sum of the penetration depths of all pairs, in pixels: 0 where none overlap. */
  readonly depth: number;
}

/** The weight of an overlapping pair grows by a factor between these, by its depth; that of other pairs decays. */
const WEIGHT_GROWTH = [1.2, 2] as const;
const WEIGHT_DECAY = 0.95;
/** The total depth must fall below this share of the least so far to count as an improvement. */
const PROGRESS_SHARE = 0.98;
/** Rounds without an improvement until a strike, and strikes until the search ends. */
const PATIENCE = 20;
const MAX_STRIKES = 3;

/**
 * Moves pieces until none overlap, or until patience or moves run out, and returns the arrangement of least total depth
 * so far. Pieces beyond the floor or farther than `frontMm` from its front edge are moved first. Guided local search:
 * each piece moves to where the weighted sum of its penetration depths is least, and the weights of pairs that remain
 * overlapping grow (Egeblad, Nielsen and Odgaard 2007; Umetani and others 2009; constants from Gardeyn, Vanden Berghe
 * and Wauters 2025).
 */
export function separateOverlaps(
  nesting: Nesting,
  start: Arrangement,
  frontMm: number,
  search: NestingSearch,
): SeparationResult {
  const count = nesting.pieces.length;
  const arrangement = copyArrangement(start);
  const weights = Array.from({ length: count }, () => new Float64Array(count).fill(1));
  for (let piece = 0; piece < nesting.movable; piece++) {
    if (isFeasible(nesting, arrangement, piece, frontMm)) continue;
    const place = bestPosition(nesting, arrangement, piece, frontMm, weights[piece], search.random);
    if (!place) return { arrangement, depth: Infinity };
    setPlace(arrangement, piece, place);
  }
  const depths = pairDepths(nesting, arrangement);
  let best: SeparationResult = { arrangement: copyArrangement(arrangement), depth: totalDepth(depths) };
  for (let strikes = 0; strikes < MAX_STRIKES && best.depth > 0; strikes++) {
    const before = best.depth;
    let least = before;
    for (let idleRounds = 0; idleRounds < PATIENCE && best.depth > 0; idleRounds++) {
      for (const piece of shuffle(overlappingPieces(depths, nesting.movable), search.random)) {
        if (search.moves >= search.maxMoves) return best;
        if (depths[piece].every((depth) => depth === 0)) continue;
        search.moves++;
        search.progress.report(search.moves / search.maxMoves);
        const place = bestPosition(nesting, arrangement, piece, frontMm, weights[piece], search.random);
        if (!place) continue;
        setPlace(arrangement, piece, place);
        for (let other = 0; other < count; other++) {
          if (other === piece) continue;
          depths[piece][other] = depthBetween(nesting, arrangement, piece, other);
          depths[other][piece] = depths[piece][other];
        }
      }
      const total = totalDepth(depths);
      if (total < PROGRESS_SHARE * least) {
        idleRounds = -1;
        least = total;
      }
      if (total < best.depth) best = { arrangement: copyArrangement(arrangement), depth: total };
      updateWeights(weights, depths);
    }
    if (best.depth < PROGRESS_SHARE * before) strikes = -1;
  }
  return best;
}

function pairDepths(nesting: Nesting, arrangement: Arrangement): Float64Array[] {
  const { length } = nesting.pieces;
  return Array.from({ length }, (_, a) =>
    // Two obstacles may overlap: the search cannot move them.
    Float64Array.from({ length }, (__, b) =>
      a === b || Math.min(a, b) >= nesting.movable ? 0 : depthBetween(nesting, arrangement, a, b),
    ),
  );
}

const totalDepth = (depths: readonly Float64Array[]): number =>
  depths.reduce((sum, row) => row.reduce((total, depth) => total + depth, sum), 0) / 2;

const overlappingPieces = (depths: readonly Float64Array[], movable: number): number[] =>
  depths.slice(0, movable).flatMap((row, piece) => (row.some((depth) => depth > 0) ? [piece] : []));

/** Fisher–Yates shuffle, in place. */
function shuffle(list: number[], random: Random): number[] {
  for (let i = list.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [list[i], list[j]] = [list[j], list[i]];
  }
  return list;
}

function updateWeights(weights: readonly Float64Array[], depths: readonly Float64Array[]): void {
  const deepest = depths.reduce((most, row) => row.reduce((a, b) => Math.max(a, b), most), 0);
  for (const [a, row] of depths.entries()) {
    for (const [b, depth] of row.entries()) {
      const factor =
        depth > 0 ? WEIGHT_GROWTH[0] + ((WEIGHT_GROWTH[1] - WEIGHT_GROWTH[0]) * depth) / deepest : WEIGHT_DECAY;
      weights[a][b] = Math.max(1, weights[a][b] * factor);
    }
  }
}

/** A fixed seed, so that equal requests give equal layouts. */
export const SEED = 1;
