import type { Watch } from "../../../core/watch.ts";
import type { Standing } from "../part.ts";
import { type Arrangement, copyOf, standingOf } from "./arrangement.ts";
import { type Nesting, nestingOf, type NestingRequest } from "./nesting.ts";
import { type Random, SEED, seeded } from "./seeded.ts";
import { type Search, separate } from "./separate.ts";
import { tightened } from "./tighten.ts";

/** Shares of the strip that it is made shorter by: the first while that goes, halved where it does not. */
const FIRST_CUT = 0.02;
const LEAST_CUT = 0.0005;
/** So many searches in vain halve the cut. */
const VAIN_SEARCHES = 3;

/**
 * Parts that reach less far from the front edge of a floor than they do at the start, or as far: again and again the strip is made
 * shorter, and the parts are separated within it. After a search in vain, two pieces change places.
 *
 * @param start Places for all parts, apart from one another, each turned one of its ways.
 * @param mostMoves When to end. Equal requests with equal ones give equal layouts on every machine.
 */
export function nestStrip(
  request: NestingRequest,
  start: readonly Standing[],
  mostMoves: number,
  watch: Watch,
): readonly Standing[] {
  const { floor, spacingMm, obstacles } = request;
  const nesting = nestingOf(request, () => watch.report(0));
  const search: Search = { random: seeded(SEED), watch: watch.part(0, 0.9), mostMoves, moves: 0 };
  let best = start;
  let [current, cut, vain] = [onPixels(nesting, start), FIRST_CUT, 0];
  let apart = current;
  while (search.moves < mostMoves) {
    search.moves++;
    const frontMm = reachOf(nesting, best) * (1 - cut);
    const { arrangement, depth } = separate(nesting, current, frontMm, search);
    const standing = start.map((_, piece) => standingOf(nesting, arrangement, piece));
    if (depth === 0 && reachOf(nesting, standing) < reachOf(nesting, best)) {
      [best, apart, current, vain] = [standing, arrangement, arrangement, 0];
      continue;
    }
    vain++;
    if (vain % VAIN_SEARCHES === 0) cut = Math.max(LEAST_CUT, cut / 2);
    current = disturbed(nesting, vain % VAIN_SEARCHES === 0 ? apart : arrangement, search.random);
  }
  return tightened(best, { floor, spacingMm, obstacles }, watch.part(0.9, 1));
}

/** How far parts reach from the front edge. */
const reachOf = ({ floor }: Nesting, standing: readonly Standing[]): number =>
  Math.max(...standing.map(({ part, y }) => y + part.box.maxY)) - floor.bounds.minY;

function onPixels({ floor, orientations, pieces, pixelMm }: Nesting, standing: readonly Standing[]): Arrangement {
  const { minX, minY } = floor.bounds;
  const pixels = (mm: number): number => Math.round(mm / pixelMm);
  const fixed = pieces.slice(standing.length).map(([turn]) => turn);
  return {
    turns: Int32Array.of(...standing.map(({ part }) => orientations.findIndex((one) => one.part === part)), ...fixed),
    columns: Int32Array.of(
      ...standing.map(({ part, x }) => pixels(x + part.box.minX - minX)),
      ...fixed.map((turn) => orientations[turn].column),
    ),
    rows: Int32Array.of(
      ...standing.map(({ part, y }) => pixels(y + part.box.minY - minY)),
      ...fixed.map((turn) => orientations[turn].row),
    ),
  };
}

/** The arrangement with two pieces in each other's places. */
function disturbed({ movable }: Nesting, arrangement: Arrangement, random: Random): Arrangement {
  const { turns, columns, rows } = copyOf(arrangement);
  const [a, b] = [Math.floor(random() * movable), Math.floor(random() * movable)];
  [columns[a], columns[b]] = [columns[b], columns[a]];
  [rows[a], rows[b]] = [rows[b], rows[a]];
  return { turns, columns, rows };
}
