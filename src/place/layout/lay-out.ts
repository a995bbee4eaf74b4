import type { Watch } from "../../core/watch.ts";
import { type Attempt, firstFit, type Order } from "./first-fit.ts";
import { beyondMm, type Floor } from "./floor.ts";
import { nestOnFloor } from "./nest/nest-on-floor.ts";
import { type Part, type Standing, type TurnedPart, turnedPart } from "./part.ts";
import { TOLERANCE_MM } from "./settle.ts";
import { newSite, type Places, placesOf } from "./site.ts";
import type { Region } from "./region.ts";
import { alignedQuarters, archTurns, AS_IT_IS, bodyArea, FINE_TURNS, QUARTER_TURNS, sizeOf } from "./turns.ts";

export interface Movable {
  readonly part: Part;
  /** Whether it may be turned about z. */
  readonly turns: boolean;
}

export interface LayoutRequest {
  readonly floor: Floor;
  /** Least distance of parts from one another. Parts may stand at the very rim of the floor. */
  readonly spacingMm: number;
  readonly parts: readonly Movable[];
  /** What stays where it is. */
  readonly obstacles: readonly Standing[];
  /** Arches parallel to the front edge, nested into one another. */
  readonly dental: boolean;
}

export interface Layout {
  /** Of each part, in the order given; undefined for one that found no place. */
  readonly standing: readonly (Standing | undefined)[];
}

const attempt = (order: Order, turnsOf: Attempt["turnsOf"]): Attempt => ({ order, turnsOf });

/** The tidy ones first: around the middle, with quarter turns alone. */
const ATTEMPTS: readonly Attempt[] = [
  attempt("middle", () => QUARTER_TURNS),
  ...(["front", "left"] as const).flatMap((order) => [
    attempt(order, () => QUARTER_TURNS),
    attempt(order, alignedQuarters),
  ]),
  ...(["front", "left"] as const).map((order) => attempt(order, () => FINE_TURNS)),
];

/** All the same way round first; then in turn, by what nests better. */
const DENTAL_ATTEMPTS: readonly Attempt[] = [
  ...(["left", "front"] as const).map((order) => attempt(order, (part) => archTurns(part).slice(0, 1))),
  ...(["left", "front"] as const).map((order) => attempt(order, archTurns)),
];

/** How often the attempts are made, each time with what found no place before put first; a search goes between. */
const ROUNDS = 2;
/** Share of the progress at which the attempts are made. */
const PUT = 0.5;
/** What a search of a few seconds can do: so many parts, by so many moves, on pixels of this size. */
const MOST_NESTED = 60;
const NESTING_MOVES = 3000;
const NESTING_PIXEL_MM = 0.5;

/**
 * Places for all parts on the floor, apart from one another and from the obstacles by exact distances; where not all find
 * one, the places of the attempt that placed most. The largest parts come first; the same request gives the same layout.
 */
export function layOut(request: LayoutRequest, watch: Watch): Layout {
  const attempts = attemptsFor(request);
  let best: (Standing | undefined)[] = request.parts.map(() => undefined);
  let order = bySize(request.parts);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, one] of attempts.entries()) {
      const part = (n: number): number => round * (1 - PUT / ROUNDS) + (PUT * n) / (ROUNDS * attempts.length);
      const standing = place(request, one, order, watch.part(part(i), part(i + 1)));
      if (countOf(standing) > countOf(best)) best = standing;
      if (countOf(best) === request.parts.length) return { standing: centred(best as Standing[], request) };
      order = unplacedFirst(order, standing);
    }
    if (!mayFit(request)) break;
    const nested = round === 0 ? nestedOf(request, watch.part(PUT / ROUNDS, 1 - PUT / ROUNDS)) : undefined;
    if (nested) return { standing: centred(nested, request) };
  }
  return { standing: best };
}

/** The way out where parts put one after the other do not all fit: all at once. Undefined where it finds none either. */
function nestedOf(request: LayoutRequest, watch: Watch): Standing[] | undefined {
  const { floor, spacingMm, parts, obstacles, dental } = request;
  if (dental || parts.length > MOST_NESTED || !mayFit(request)) return undefined;
  const known = [true, false].map(() => new Map<Region, TurnedPart[]>());
  const sequence = bySize(parts);
  const turned = sequence.map((i) => {
    const { part, turns } = parts[i];
    const ofCopies = known[turns ? 0 : 1];
    const ways =
      ofCopies.get(part.body) ?? (turns ? alignedQuarters(part) : AS_IT_IS).map((turn) => turnedPart(part, turn));
    ofCopies.set(part.body, ways);
    return ways;
  });
  const nested = nestOnFloor(
    { floor, spacingMm, parts: turned, obstacles, pixelMm: NESTING_PIXEL_MM },
    NESTING_MOVES,
    watch,
  );
  return nested && parts.map((_, i) => nested[sequence.indexOf(i)]);
}

/** Attempts that differ: of parts that may not turn, one of each order; of parts too many for the floor, one to count by. */
function attemptsFor(request: LayoutRequest): readonly Attempt[] {
  const all = request.dental ? DENTAL_ATTEMPTS : ATTEMPTS;
  const distinct = request.parts.some(({ turns }) => turns)
    ? all
    : all.filter(({ order }, i) => all.findIndex((one) => one.order === order) === i);
  return mayFit(request) ? distinct : distinct.slice(-1);
}

function mayFit({ floor: { bounds }, parts }: LayoutRequest): boolean {
  const room = (bounds.maxX - bounds.minX) * (bounds.maxY - bounds.minY);
  return parts.reduce((sum, { part }) => sum + bodyArea(part), 0) <= room;
}

const countOf = (standing: readonly unknown[]): number => standing.filter((one) => one !== undefined).length;

/** Indices of the parts, the largest first. */
function bySize(parts: readonly Movable[]): number[] {
  const sizes = parts.map(({ part }) => sizeOf(part));
  return parts.map((_, i) => i).sort((a, b) => sizes[b] - sizes[a] || a - b);
}

const unplacedFirst = (order: readonly number[], standing: readonly unknown[]): number[] => [
  ...order.filter((i) => standing[i] === undefined),
  ...order.filter((i) => standing[i] !== undefined),
];

function place(
  { floor, spacingMm, parts, obstacles }: LayoutRequest,
  { turnsOf, order }: Attempt,
  sequence: readonly number[],
  watch: Watch,
): (Standing | undefined)[] {
  const site = newSite(floor, spacingMm, obstacles);
  const standing: (Standing | undefined)[] = parts.map(() => undefined);
  // Copies share their region: what was found out for one holds for all.
  const known = [true, false].map(() => new Map<Region, Places[]>());
  for (const [count, i] of sequence.entries()) {
    const { part, turns } = parts[i];
    const ofCopies = known[turns ? 0 : 1];
    const places =
      ofCopies.get(part.body) ??
      (turns ? turnsOf(part) : AS_IT_IS).map((turn) => placesOf(turnedPart(part, turn), site));
    ofCopies.set(part.body, places);
    standing[i] = firstFit(places, site, order, () => watch.report(count / sequence.length));
  }
  return standing;
}

/** Moves all together to the middle of the floor where nothing else stands there. */
function centred(standing: readonly Standing[], { floor, obstacles }: LayoutRequest): readonly Standing[] {
  if (obstacles.length > 0 || standing.length === 0) return standing;
  const { minX, minY, maxX, maxY } = floor.bounds;
  const x = (minX + maxX - least(standing, "minX", "x") - most(standing, "maxX", "x")) / 2;
  const y = (minY + maxY - least(standing, "minY", "y") - most(standing, "maxY", "y")) / 2;
  for (const [dx, dy] of [
    [x, y],
    [x, 0],
    [0, y],
  ]) {
    const moved = standing.map((one) => ({ ...one, x: one.x + dx, y: one.y + dy }));
    if (moved.every(({ part, x, y }) => beyondMm(floor, part.hull, part.box, x, y) <= TOLERANCE_MM)) return moved;
  }
  return standing;
}

const least = (standing: readonly Standing[], side: "minX" | "minY", axis: "x" | "y"): number =>
  Math.min(...standing.map((one) => one[axis] + one.part.box[side]));
const most = (standing: readonly Standing[], side: "maxX" | "maxY", axis: "x" | "y"): number =>
  Math.max(...standing.map((one) => one[axis] + one.part.box[side]));
