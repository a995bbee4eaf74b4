import type { Progress } from "../core/progress.ts";
import { arrangeInRows } from "./arrange-in-rows.ts";
import {
  type OccupancyGrid,
  type PartPositions,
  type PlacementOrder,
  type Strategy,
  firstFit,
  newOccupancyGrid,
  partPositions,
} from "./first-fit.ts";
import type { Floor } from "./floor.ts";
import {
  FINE_TURNS,
  type LayoutPart,
  UNROTATED,
  type PlacedPart,
  QUARTER_TURNS,
  minimumRectangleTurn,
  rotatePart,
} from "./part.ts";
import { areAllClear, searchedSpacingMm } from "./resolve-overlaps.ts";

/** A part to be copied. */
export interface CopySource {
  readonly part: LayoutPart;
  /** Its present position, mm. */
  readonly x: number;
  readonly y: number;
  /** Whether its copies may be rotated about z. */
  readonly turns: boolean;
  /** Whether the part itself may be moved. */
  readonly moves: boolean;
}

export interface FloorRequest {
  readonly floor: Floor;
  readonly spacingMm: number;
  readonly sources: readonly CopySource[];
  readonly obstacles: readonly PlacedPart[];
  /** Maximum number of copies. */
  readonly maxCopies: number;
}

export interface FilledFloor {
  /** The sources, in the order of the request. */
  readonly sources: readonly PlacedPart[];
  /** The copies of each source. */
  readonly copies: readonly (readonly PlacedPart[])[];
}

const withHalfTurn = (turn: number): readonly number[] => [turn, turn + 180];
const TURNS: readonly Strategy["turnsOf"][] = [
  () => UNROTATED,
  () => QUARTER_TURNS,
  (part) => withHalfTurn(minimumRectangleTurn(part)),
  (part) => withHalfTurn(minimumRectangleTurn(part) + 90),
  ...[15, 30, 45, 60, 75].map((turn) => (part: LayoutPart) => withHalfTurn(minimumRectangleTurn(part) + turn)),
];
const STRATEGIES: readonly Strategy[] = TURNS.flatMap((turnsOf) => [
  { turnsOf, order: "front" },
  { turnsOf, order: "left" },
]);

/**
 * No further strategy is tried once this many parts have been placed: with many small copies it gains little for its
 * time.
 */
const MAX_PLACED = 1000;

/**
 * Adds copies of the sources in rotation until no more fit. The sources keep their positions unless more copies fit when they move, or
 * their positions are not clear; then all are put in rows if as many fit there. Obstacles never move.
 */
export function fillFloor(request: FloorRequest, progress: Progress): FilledFloor {
  const fixedFilling = bestFilling(request, false, progress.part(0, 0.4));
  const movedFilling = request.sources.some(({ moves }) => moves)
    ? bestFilling(request, true, progress.part(0.4, 0.8))
    : undefined;
  const { floor, spacingMm, sources, obstacles } = request;
  const mayStay = (): boolean => areAllClear(floor, spacingMm, sources.map(placedSource), obstacles);
  const better =
    movedFilling && (copyCount(movedFilling) > copyCount(fixedFilling) || !mayStay()) ? movedFilling : fixedFilling;
  const filled = fillWithFineTurns(request, better, progress.part(0.8, 0.9));
  const rows = better === movedFilling ? inRows(request, filled, progress.silent()) : undefined;
  // There may be room for more copies next to the rows.
  return rows ? fillWithFineTurns(request, rows, progress.part(0.9, 1)) : filled;
}

/** The same number of copies in rows. Undefined if they do not fit in rows, or a source must stay. */
function inRows(
  { sources, ...site }: FloorRequest,
  { copies }: FilledFloor,
  progress: Progress,
): FilledFloor | undefined {
  if (!sources.every(({ moves }) => moves)) return undefined;
  const parts = sources.flatMap(({ part, turns }, i) =>
    Array.from({ length: 1 + copies[i].length }, () => ({ part, turns })),
  );
  const placed = arrangeInRows({ ...site, parts, dental: false }, progress);
  if (!placed) return undefined;
  let next = 0;
  const groups = copies.map(({ length }) => placed.slice(next, (next += 1 + length)));
  return { sources: groups.map(([source]) => source), copies: groups.map(([, ...others]) => others) };
}

const copyCount = ({ copies }: FilledFloor): number => copies.reduce((sum, list) => sum + list.length, 0);

const placedSource = ({ part, x, y }: CopySource): PlacedPart => ({ part: rotatePart(part, 0), x, y });

/**
 * The result of the strategy that fits most copies. Undefined where the sources may move and no strategy places all of
 * them.
 */
function bestFilling(request: FloorRequest, mayMove: false, progress: Progress): FilledFloor;
function bestFilling(request: FloorRequest, mayMove: true, progress: Progress): FilledFloor | undefined;
function bestFilling(request: FloorRequest, mayMove: boolean, progress: Progress): FilledFloor | undefined {
  const strategies = request.sources.some(({ turns }) => turns) ? STRATEGIES : STRATEGIES.slice(0, 2);
  let best: FilledFloor | undefined;
  let placedCount = 0;
  for (const [i, { turnsOf, order }] of strategies.entries()) {
    const grid = gridFor(request, mayMove);
    const positions = request.sources.map((source) =>
      positionsFor(source, source.turns ? turnsOf(source.part) : UNROTATED, grid),
    );
    const filling = addCopies(
      request,
      initialFilling(request, mayMove),
      positions,
      grid,
      order,
      progress.part(i / strategies.length, (i + 1) / strategies.length),
    );
    if (filling && (!best || copyCount(filling) > copyCount(best))) best = filling;
    placedCount += grid.placed.length;
    if (placedCount > MAX_PLACED) break;
  }
  return best;
}

const positionsFor = ({ part }: CopySource, turns: readonly number[], grid: OccupancyGrid): PartPositions[] =>
  turns.map((turn) => partPositions(rotatePart(part, turn), grid));

/** A filling in which sources that are not yet placed are undefined. */
type PartialFilling = Omit<FilledFloor, "sources"> & { readonly sources: readonly (PlacedPart | undefined)[] };

const initialFilling = ({ sources }: FloorRequest, mayMove: boolean): PartialFilling => ({
  sources: sources.map((source) => (mayMove && source.moves ? undefined : placedSource(source))),
  copies: sources.map(() => []),
});

function gridFor(request: FloorRequest, mayMove: boolean): OccupancyGrid {
  const fixed = initialFilling(request, mayMove).sources.filter((one) => one !== undefined);
  return newOccupancyGrid(request.floor, searchedSpacingMm(request.spacingMm), [...request.obstacles, ...fixed]);
}

/** Adds copies in rotation while any fits; undefined if a source that must be placed does not fit. */
function addCopies(
  { sources, maxCopies, floor }: FloorRequest,
  start: PartialFilling,
  positions: readonly (readonly PartPositions[])[],
  grid: OccupancyGrid,
  order: PlacementOrder,
  progress: Progress,
): FilledFloor | undefined {
  const placedSources: (PlacedPart | undefined)[] = [...start.sources];
  const copies = start.copies.map((list) => [...list]);
  const isExhausted = sources.map(() => false);
  const { minX, minY, maxX, maxY } = floor.bounds;
  const occupiedShare = (): number =>
    grid.placed.length === 0 ? 0 : Math.min(1, occupiedArea(grid) / ((maxX - minX) * (maxY - minY)));
  let count = copies.reduce((sum, list) => sum + list.length, 0);
  while (isExhausted.includes(false) && count < maxCopies) {
    for (const i of sources.keys()) {
      if (isExhausted[i] || count >= maxCopies) continue;
      const done = occupiedShare();
      const placed = firstFit(positions[i], grid, order, () => progress.report(done));
      if (!placed) {
        if (!placedSources[i]) return undefined;
        isExhausted[i] = true;
      } else if (placedSources[i]) {
        copies[i].push(placed);
        count++;
      } else placedSources[i] = placed;
    }
  }
  return { sources: placedSources as PlacedPart[], copies };
}

/** The area of the bounding boxes of all placed parts, mm². */
const occupiedArea = ({ placed }: OccupancyGrid): number =>
  placed.reduce((sum, { part: { box } }) => sum + (box.maxX - box.minX) * (box.maxY - box.minY), 0);

/** The filling with the copies that also fit when all rotations are tried. */
function fillWithFineTurns(request: FloorRequest, filling: FilledFloor, progress: Progress): FilledFloor {
  const placed = [...request.obstacles, ...filling.sources, ...filling.copies.flat()];
  const grid = newOccupancyGrid(request.floor, searchedSpacingMm(request.spacingMm), placed);
  const positions = request.sources.map((source) => positionsFor(source, source.turns ? FINE_TURNS : UNROTATED, grid));
  // All sources of a filling are placed, so the result is never undefined.
  return addCopies(request, filling, positions, grid, "front", progress)!;
}
