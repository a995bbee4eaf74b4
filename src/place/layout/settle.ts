import { contactsOf } from "./contacts.ts";
import { beyondMm, type Floor, floorLimits } from "./floor.ts";
import { gapBetween } from "./gap.ts";
import { leastMove, type Limit, type Move } from "./least-move.ts";
import { rivals, type Standing, type TurnedPart } from "./part.ts";

/** What a place must respect. */
export interface Surroundings {
  readonly floor: Floor;
  readonly standing: readonly Standing[];
  /** At least {@link LEAST_SPACING_MM}. */
  readonly spacingMm: number;
}

/** Parts that may touch are kept apart by this: overlapping and touching parts are both at distance 0. */
export const LEAST_SPACING_MM = 1e-6;

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** Distances may fall short of the spacing, and parts reach beyond the floor, by this: rounding. */
export const TOLERANCE_MM = 2e-7;
/** What is aimed at beyond the spacing, so that rounding stays within the tolerance. */
const MARGIN_MM = 1e-8;
/** Contacts farther apart than the spacing and this do not limit the next move. */
const REACH_MM = 0.5;
const MOST_MOVES = 16;
/** What moves must leave of the worst shortfall, at most, after the first few. */
const PROGRESS = 0.95;
const PATIENCE = 3;
/**
 * Shares of the worst shortfall that a move may leave. Corners that face each other forbid more than they need to while they are
 * askew: a part that fits its gap exactly gets in by degrees.
 */
const FORGIVEN = [0, 0.1, 0.4];

/**
 * The place near `start`, not farther than `mostMm`, where the part is clear of everything; undefined where none was found.
 * Each step is the shortest move out of all that is too close, its contacts taken as straight.
 */
export function settle(part: TurnedPart, start: Place, mostMm: number, around: Surroundings): Place | undefined {
  const near = nearby(part, start, mostMm, around);
  let { x, y } = start;
  let before = Infinity;
  for (let step = 0; step < MOST_MOVES; step++) {
    const limits = limitsAt(part, x, y, near, REACH_MM);
    const worst = limits.reduce((most, { least }) => Math.max(most, least), 0);
    if (worst <= TOLERANCE_MM) return isClear(part, { x, y }, near) ? { x, y } : undefined;
    if (step > PATIENCE && worst > PROGRESS * before) return undefined;
    before = worst;
    const move = mostOf(limits, worst);
    if (!move) return undefined;
    x += move.x;
    y += move.y;
    if ((x - start.x) ** 2 + (y - start.y) ** 2 > mostMm * mostMm) return undefined;
  }
  return undefined;
}

/** The shortest move that meets all limits, or else all of them as far as it may. */
function mostOf(limits: readonly Limit[], worst: number): Move | undefined {
  for (const share of FORGIVEN) {
    const move = leastMove(limits.map((limit) => ({ ...limit, least: limit.least + MARGIN_MM - share * worst })));
    if (move) return move;
  }
  return undefined;
}

function limitsAt(part: TurnedPart, x: number, y: number, around: Surroundings, reachMm: number): Limit[] {
  const limits = floorLimits(around.floor, part.hull, part.box, x, y);
  for (const other of around.standing) {
    for (const [a, b] of rivals(part, other.part)) {
      limits.push(...contactsOf(a, b, other.x - x, other.y - y, around.spacingMm, around.spacingMm + reachMm));
    }
  }
  return limits;
}

/** Whether a part stands on the floor and is apart from all others, by exact distances. */
export function isClear(part: TurnedPart, { x, y }: Place, { floor, standing, spacingMm }: Surroundings): boolean {
  if (beyondMm(floor, part.hull, part.box, x, y) > TOLERANCE_MM) return false;
  return standing.every((other) => isApart(part, other, x, y, spacingMm));
}

function isApart(part: TurnedPart, other: Standing, x: number, y: number, spacingMm: number): boolean {
  for (const [a, b] of rivals(part, other.part)) {
    if (gapBetween(a, b, other.x - x, other.y - y, spacingMm + 1) < spacingMm - TOLERANCE_MM) return false;
  }
  return true;
}

/** The surroundings that a part can come to feel from within `mostMm` of a place. */
export function nearby(part: TurnedPart, { x, y }: Place, mostMm: number, around: Surroundings): Surroundings {
  const reach = mostMm + around.spacingMm + REACH_MM;
  const standing = around.standing.filter(
    (other) =>
      other.x + other.part.box.minX <= x + part.box.maxX + reach &&
      other.x + other.part.box.maxX >= x + part.box.minX - reach &&
      other.y + other.part.box.minY <= y + part.box.maxY + reach &&
      other.y + other.part.box.maxY >= y + part.box.minY - reach,
  );
  return { ...around, standing };
}
