import type { Progress } from "../../src/core/progress.ts";
import { type Random, seededRandom } from "../../src/core/random.ts";
import { SEED, type NestingSearch, separateOverlaps } from "../../src/layout/nest-on-floor.ts";
import {
  type Arrangement,
  type Nesting,
  type NestingRequest,
  copyArrangement,
  newNesting,
  placedPiece,
} from "../../src/layout/nesting.ts";
import type { PlacedPart } from "../../src/layout/part.ts";
import { MIN_SPACING_MM, slide } from "../../src/layout/resolve-overlaps.ts";

/** Shares by which the strip is shortened: from the first one, which is halved after failed searches, to the smallest. */
const FIRST_SHORTENING = 0.02;
const MIN_SHORTENING = 0.0005;
/** Number of failed searches until the share is halved. */
const MAX_FAILED_SEARCHES = 3;

/**
 * Strip packing: minimises how far the parts reach from the front edge of a floor. The strip is shortened again and
 * again, and the parts are separated within it. After a failed search, two pieces change places.
 *
 * @param start Positions of all parts without overlaps, each in one of its rotations.
 * @param maxMoves Number of moves after which the search ends. Equal arguments give equal layouts on every machine.
 */
export function nestStrip(
  request: NestingRequest,
  start: readonly PlacedPart[],
  maxMoves: number,
  progress: Progress,
): readonly PlacedPart[] {
  const { floor, spacingMm, obstacles } = request;
  const nesting = newNesting(request, () => progress.report(0));
  const search: NestingSearch = { random: seededRandom(SEED), progress: progress.part(0, 0.9), maxMoves, moves: 0 };
  let best = start;
  let [current, shortening, failures] = [toArrangement(nesting, start), FIRST_SHORTENING, 0];
  let apart = current;
  while (search.moves < maxMoves) {
    search.moves++;
    const frontMm = stripLength(nesting, best) * (1 - shortening);
    const { arrangement, depth } = separateOverlaps(nesting, current, frontMm, search);
    const placed = start.map((_, piece) => placedPiece(nesting, arrangement, piece));
    if (depth === 0 && stripLength(nesting, placed) < stripLength(nesting, best)) {
      [best, apart, current, failures] = [placed, arrangement, arrangement, 0];
      continue;
    }
    failures++;
    if (failures % MAX_FAILED_SEARCHES === 0) shortening = Math.max(MIN_SHORTENING, shortening / 2);
    current = swapTwoPieces(nesting, failures % MAX_FAILED_SEARCHES === 0 ? apart : arrangement, search.random);
  }
  return compactStrip(best, { floor, spacingMm, obstacles }, progress.part(0.9, 1));
}

/** How far parts reach from the front edge. */
const stripLength = ({ floor }: Nesting, placed: readonly PlacedPart[]): number =>
  Math.max(...placed.map(({ part, y }) => y + part.box.maxY)) - floor.bounds.minY;

function toArrangement({ floor, orientations, pieces, pixelMm }: Nesting, placed: readonly PlacedPart[]): Arrangement {
  const { minX, minY } = floor.bounds;
  const pixels = (mm: number): number => Math.round(mm / pixelMm);
  const fixed = pieces.slice(placed.length).map(([turn]) => turn);
  return {
    turns: Int32Array.of(...placed.map(({ part }) => orientations.findIndex((one) => one.part === part)), ...fixed),
    columns: Int32Array.of(
      ...placed.map(({ part, x }) => pixels(x + part.box.minX - minX)),
      ...fixed.map((turn) => orientations[turn].column),
    ),
    rows: Int32Array.of(
      ...placed.map(({ part, y }) => pixels(y + part.box.minY - minY)),
      ...fixed.map((turn) => orientations[turn].row),
    ),
  };
}

/** The arrangement with the positions of two random pieces exchanged. */
function swapTwoPieces({ movable }: Nesting, arrangement: Arrangement, random: Random): Arrangement {
  const { turns, columns, rows } = copyArrangement(arrangement);
  const [a, b] = [Math.floor(random() * movable), Math.floor(random() * movable)];
  [columns[a], columns[b]] = [columns[b], columns[a]];
  [rows[a], rows[b]] = [rows[b], rows[a]];
  return { turns, columns, rows };
}

const ROUNDS = 3;

/**
 * Pushes each of the separate parts to the front edge and to the left as far as it goes: the foremost first, in several rounds.
 */
function compactStrip(
  placed: readonly PlacedPart[],
  { floor, spacingMm, obstacles }: Pick<NestingRequest, "floor" | "spacingMm" | "obstacles">,
  progress: Progress,
): PlacedPart[] {
  const all = [...placed];
  const foreEdge = ({ part, y }: PlacedPart): number => y + part.box.minY;
  for (let round = 0; round < ROUNDS; round++) {
    const order = [...all.keys()].sort((a, b) => foreEdge(all[a]) - foreEdge(all[b]) || a - b);
    for (const [count, i] of order.entries()) {
      progress.report((round + count / order.length) / ROUNDS);
      const { part } = all[i];
      const around = {
        floor,
        spacingMm: Math.max(spacingMm, MIN_SPACING_MM),
        placed: [...all.toSpliced(i, 1), ...obstacles],
      };
      const front = slide(part, all[i], [0, -1], around);
      all[i] = { part, ...slide(part, front, [-1, 0], around, [0, -1]) };
    }
  }
  return all;
}
