import type { Watch } from "../../../core/watch.ts";
import type { Standing } from "../part.ts";
import { type Arrangement, put, standingOf } from "./arrangement.ts";
import { bestPlace } from "./best-place.ts";
import { type Nesting, nestingOf, type NestingRequest } from "./nesting.ts";
import { type Random, SEED, seeded } from "./seeded.ts";
import { type Search, separate } from "./separate.ts";

/**
 * Places for all parts on a floor, the largest first, found by letting them overlap and separating them again; undefined where
 * `mostMoves` moves, or the search's patience, do not do.
 */
export function nestOnFloor(request: NestingRequest, mostMoves: number, watch: Watch): Standing[] | undefined {
  const nesting = nestingOf(request, () => watch.report(0));
  const search: Search = { random: seeded(SEED), watch, mostMoves, moves: 0 };
  const { minY, maxY } = request.floor.bounds;
  const start = inserted(nesting, maxY - minY, search.random);
  if (!start) return undefined;
  const { arrangement, depth } = separate(nesting, start, maxY - minY, search);
  return depth === 0 ? request.parts.map((_, piece) => standingOf(nesting, arrangement, piece)) : undefined;
}

/** Each piece where it is least in those before it; undefined where one reaches beyond the floor everywhere. */
function inserted(nesting: Nesting, frontMm: number, random: Random): Arrangement | undefined {
  const { pieces, orientations, movable } = nesting;
  const arrangement: Arrangement = {
    turns: Int32Array.from(pieces, ([turn]) => turn),
    columns: Int32Array.from(pieces, ([turn]) => orientations[turn].column),
    rows: Int32Array.from(pieces, ([turn]) => orientations[turn].row),
  };
  const weights = Float64Array.from(pieces, (_, i) => (i < movable ? 0 : 1));
  for (let piece = 0; piece < movable; piece++) {
    const place = bestPlace(nesting, arrangement, piece, frontMm, weights, random);
    if (!place) return undefined;
    put(arrangement, piece, place);
    weights[piece] = 1;
  }
  return arrangement;
}
