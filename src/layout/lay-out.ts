import { getOrInsert } from "../core/memoize.ts";
import type { Progress } from "../core/progress.ts";
import { unionRectangles } from "../geometry/box.ts";
import type { Polygons } from "../geometry/polygon.ts";
import { arrangeInRows } from "./arrange-in-rows.ts";
import {
  type PartPositions,
  type PlacementOrder,
  type Strategy,
  firstFit,
  newOccupancyGrid,
  partPositions,
} from "./first-fit.ts";
import { distanceBeyondFloor } from "./floor.ts";
import type { LayoutRequest, MovablePart } from "./layout-request.ts";
import { nestOnFloor } from "./nest-on-floor.ts";
import {
  FINE_TURNS,
  UNROTATED,
  type PlacedPart,
  QUARTER_TURNS,
  type RotatedPart,
  alignedQuarterTurns,
  boundingRectangleArea,
  dentalArchTurns,
  footprintArea,
  rotatePart,
} from "./part.ts";
import { TOLERANCE_MM, searchedSpacingMm } from "./resolve-overlaps.ts";

export interface Layout {
  /** The parts in the order of the request; undefined for a part that does not fit. */
  readonly placed: readonly (PlacedPart | undefined)[];
}

const newStrategy = (order: PlacementOrder, turnsOf: Strategy["turnsOf"]): Strategy => ({ order, turnsOf });

/** The tidiest first: around the middle of the floor, rotated by multiples of 90° only. */
const STRATEGIES: readonly Strategy[] = [
  newStrategy("middle", () => QUARTER_TURNS),
  ...(["front", "left"] as const).flatMap((order) => [
    newStrategy(order, () => QUARTER_TURNS),
    newStrategy(order, alignedQuarterTurns),
  ]),
  ...(["front", "left"] as const).map((order) => newStrategy(order, () => FINE_TURNS)),
];

/** First with all arches in the same direction, then in either direction, whichever nests better. */
const DENTAL_STRATEGIES: readonly Strategy[] = [
  ...(["left", "front"] as const).map((order) => newStrategy(order, (part) => dentalArchTurns(part).slice(0, 1))),
  ...(["left", "front"] as const).map((order) => newStrategy(order, dentalArchTurns)),
];

/**
 * All strategies are tried twice, the second time with the parts that did not fit placed first; nesting is tried
 * between.
 */
const ROUNDS = 2;
/** Share of the progress for placing parts one after the other; the rest is for nesting. */
const PLACEMENT_SHARE = 0.5;
/** Limits of the searches beyond the first, so that they take a few seconds: number of parts, number of moves, pixel size. */
const MAX_NESTED = 60;
const NESTING_MOVES = 3000;
const NESTING_PIXEL_MM = 0.5;

/**
 * Places all parts on the floor with the spacing between them and to the obstacles, by exact distances: in rows if they fit in rows. If not
 * all fit, the result is that of the strategy that placed most. The largest parts are placed first. Equal requests give equal layouts.
 */
export function layOutParts(request: LayoutRequest, progress: Progress): Layout {
  const rows = request.dental ? undefined : arrangeInRows(request, progress.silent());
  if (rows) return { placed: rows };
  // Only one strategy if the parts cannot all fit.
  const strategies = canFitByArea(request) ? allStrategies(request) : allStrategies(request).slice(-1);
  let best: (PlacedPart | undefined)[] = request.parts.map(() => undefined);
  let order = bySize(request.parts);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, strategy] of strategies.entries()) {
      const progressAt = (n: number): number =>
        round * (1 - PLACEMENT_SHARE / ROUNDS) + (PLACEMENT_SHARE * n) / (ROUNDS * strategies.length);
      const placed = placeInSequence(request, strategy, order, progress.part(progressAt(i), progressAt(i + 1)));
      if (placedCount(placed) > placedCount(best)) best = placed;
      if (placedCount(best) === request.parts.length) return { placed: centredLayout(best as PlacedPart[], request) };
      order = unplacedFirst(order, placed);
    }
    if (!canFitByArea(request)) break;
    const nested =
      round === 0
        ? nestParts(request, progress.part(PLACEMENT_SHARE / ROUNDS, 1 - PLACEMENT_SHARE / ROUNDS))
        : undefined;
    if (nested) return { placed: centredLayout(nested, request) };
  }
  return { placed: mostOf(request, best, progress) };
}

/**
 * The attempt that places most parts, for the message about a layout that fails: `best`, or one with the smallest parts first, in rows or
 * one after the other.
 */
function mostOf(
  request: LayoutRequest,
  best: readonly (PlacedPart | undefined)[],
  progress: Progress,
): readonly (PlacedPart | undefined)[] {
  const order = bySize(request.parts).toReversed();
  const attempts = [best];
  const isQuick = request.parts.length <= MAX_NESTED;
  for (const strategy of isQuick ? allStrategies(request) : allStrategies(request).slice(-1)) {
    attempts.push(placeInSequence(request, strategy, order, progress.silent()));
  }
  let most = attempts.reduce((a, b) => (placedCount(b) > placedCount(a) ? b : a));
  for (let count = placedCount(most) + 1; !request.dental && count < order.length; count++) {
    const smallest = order.slice(0, count);
    const rows = arrangeInRows({ ...request, parts: smallest.map((i) => request.parts[i]) }, progress.silent());
    if (!rows) break;
    most = request.parts.map((_, i) => rows[smallest.indexOf(i)]);
  }
  return most;
}

/** Places all parts together, after placing them one by one has failed. Undefined if that fails too. */
function nestParts(request: LayoutRequest, progress: Progress): PlacedPart[] | undefined {
  const { floor, spacingMm, parts, obstacles, dental } = request;
  if (dental || parts.length > MAX_NESTED || !canFitByArea(request)) return undefined;
  const knownByRotation = [true, false].map(() => new Map<Polygons, RotatedPart[]>());
  const sequence = bySize(parts);
  const turned = sequence.map((i) => {
    const { part, turns } = parts[i];
    return getOrInsert(knownByRotation[turns ? 0 : 1], part.body, () =>
      (turns ? alignedQuarterTurns(part) : UNROTATED).map((turn) => rotatePart(part, turn)),
    );
  });
  const nested = nestOnFloor(
    { floor, spacingMm: searchedSpacingMm(spacingMm), parts: turned, obstacles, pixelMm: NESTING_PIXEL_MM },
    NESTING_MOVES,
    progress,
  );
  return nested && parts.map((_, i) => nested[sequence.indexOf(i)]);
}

/** The strategies that can give different results: one of each order where no part may rotate. */
function allStrategies({ dental, parts }: LayoutRequest): readonly Strategy[] {
  const all = dental ? DENTAL_STRATEGIES : STRATEGIES;
  return parts.some(({ turns }) => turns)
    ? all
    : all.filter(({ order }, i) => all.findIndex((other) => other.order === order) === i);
}

function canFitByArea({ floor: { bounds }, parts }: LayoutRequest): boolean {
  const room = (bounds.maxX - bounds.minX) * (bounds.maxY - bounds.minY);
  return parts.reduce((sum, { part }) => sum + footprintArea(part), 0) <= room;
}

const placedCount = (placed: readonly unknown[]): number => placed.filter((one) => one !== undefined).length;

/** Indices of the parts by size, the largest first. */
function bySize(parts: readonly MovablePart[]): number[] {
  const sizes = parts.map(({ part }) => boundingRectangleArea(part));
  return parts.map((_, i) => i).sort((a, b) => sizes[b] - sizes[a] || a - b);
}

const unplacedFirst = (order: readonly number[], placed: readonly unknown[]): number[] => [
  ...order.filter((i) => placed[i] === undefined),
  ...order.filter((i) => placed[i] !== undefined),
];

function placeInSequence(
  { floor, spacingMm, parts, obstacles }: LayoutRequest,
  { turnsOf, order }: Strategy,
  sequence: readonly number[],
  progress: Progress,
): (PlacedPart | undefined)[] {
  const grid = newOccupancyGrid(floor, searchedSpacingMm(spacingMm), obstacles);
  const placed: (PlacedPart | undefined)[] = parts.map(() => undefined);
  // Copies have the same polygons, and share the positions that are found to be blocked.
  const knownByRotation = [true, false].map(() => new Map<Polygons, PartPositions[]>());
  for (const [count, i] of sequence.entries()) {
    const { part, turns } = parts[i];
    const positions = getOrInsert(knownByRotation[turns ? 0 : 1], part.body, () =>
      (turns ? turnsOf(part) : UNROTATED).map((turn) => partPositions(rotatePart(part, turn), grid)),
    );
    placed[i] = firstFit(positions, grid, order, () => progress.report(count / sequence.length));
  }
  return placed;
}

/** Moves all parts together to the middle of the floor, where there are no obstacles. */
function centredLayout(placed: readonly PlacedPart[], { floor, obstacles }: LayoutRequest): readonly PlacedPart[] {
  if (obstacles.length > 0 || placed.length === 0) return placed;
  const { minX, minY, maxX, maxY } = floor.bounds;
  const around = placed
    .map(({ part: { box }, x, y }) => ({
      minX: x + box.minX,
      minY: y + box.minY,
      maxX: x + box.maxX,
      maxY: y + box.maxY,
    }))
    .reduce(unionRectangles);
  const x = (minX + maxX - around.minX - around.maxX) / 2;
  const y = (minY + maxY - around.minY - around.maxY) / 2;
  for (const [dx, dy] of [
    [x, y],
    [x, 0],
    [0, y],
  ]) {
    const moved = placed.map((one) => ({ ...one, x: one.x + dx, y: one.y + dy }));
    if (moved.every(({ part, x, y }) => distanceBeyondFloor(floor, part.hull, part.box, x, y) <= TOLERANCE_MM))
      return moved;
  }
  return placed;
}
