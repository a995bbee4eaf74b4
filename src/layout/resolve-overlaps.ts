import { contactConstraints } from "./contact-constraints.ts";
import { type Floor, distanceBeyondFloor, floorConstraints } from "./floor.ts";
import { type HalfPlane, type Move, shortestMove } from "./half-planes.ts";
import { distanceBetween } from "./indexed-polygon.ts";
import { type PlacedPart, type RotatedPart, collisionPairs } from "./part.ts";

/** The floor and the parts around a part that is moved. */
export interface Surroundings {
  readonly floor: Floor;
  readonly placed: readonly PlacedPart[];
  /** At least {@link MIN_SPACING_MM}. */
  readonly spacingMm: number;
}

/** Spacing of parts that may touch: at distance 0, touching and overlapping parts cannot be distinguished. */
export const MIN_SPACING_MM = 1e-6;

/** Positions are rounded to whole steps of 1e-6 mm at the end, which may bring two parts closer by this, tolerances included. */
const ROUNDED_MM = 2e-6;

/** The distance that a search keeps, so that the spacing is kept when positions have been rounded. */
export const searchedSpacingMm = (spacingMm: number): number => spacingMm + ROUNDED_MM;

export interface Position {
  readonly x: number;
  readonly y: number;
}

/** Rounding tolerance: distances may be this much below the spacing, and parts may reach this far beyond the floor. */
export const TOLERANCE_MM = 2e-7;
/** Added to the spacing that moves aim at, so that the result stays within the tolerance. */
const MARGIN_MM = 1e-8;
/** Contacts that are farther apart than the spacing plus this do not constrain the next move. */
const REACH_MM = 0.5;
const MAX_MOVES = 16;
/** After the first PATIENCE moves, each must reduce the worst shortfall to this share of it or less. */
const MAX_REMAINING = 0.95;
const PATIENCE = 3;
/**
 * Shares of the worst shortfall that a move may leave, tried in order. The half-planes of two corners that face each
 * other forbid too much while the corners are not aligned: a part that fits a gap exactly enters it in several moves.
 */
const RELAXATIONS = [0, 0.1, 0.4];

/**
 * A position within `maxMm` of `start` where the part is clear of the floor's border and of all other parts; undefined
 * where none was found. Each step linearises the contacts and takes the shortest move that resolves all of them.
 */
export function resolveOverlaps(
  part: RotatedPart,
  start: Position,
  maxMm: number,
  surroundings: Surroundings,
): Position | undefined {
  const nearSurroundings = nearby(part, start, maxMm, surroundings);
  let { x, y } = start;
  let previousShortfall = Infinity;
  for (let step = 0; step < MAX_MOVES; step++) {
    const constraints = constraintsAt(part, x, y, nearSurroundings, REACH_MM);
    const worstShortfall = constraints.reduce((most, { least }) => Math.max(most, least), 0);
    if (worstShortfall <= TOLERANCE_MM) return isPositionClear(part, { x, y }, nearSurroundings) ? { x, y } : undefined;
    if (step > PATIENCE && worstShortfall > MAX_REMAINING * previousShortfall) return undefined;
    previousShortfall = worstShortfall;
    const move = relaxedMove(constraints, worstShortfall);
    if (!move) return undefined;
    x += move.x;
    y += move.y;
    if ((x - start.x) ** 2 + (y - start.y) ** 2 > maxMm * maxMm) return undefined;
  }
  return undefined;
}

/**
 * The shortest move that satisfies all constraints; where there is none, of constraints relaxed as little as possible.
 */
function relaxedMove(constraints: readonly HalfPlane[], worstShortfall: number): Move | undefined {
  for (const share of RELAXATIONS) {
    const move = shortestMove(
      constraints.map((constraint) => ({
        ...constraint,
        least: constraint.least + MARGIN_MM - share * worstShortfall,
      })),
    );
    if (move) return move;
  }
  return undefined;
}

function constraintsAt(
  part: RotatedPart,
  x: number,
  y: number,
  surroundings: Surroundings,
  reachMm: number,
): HalfPlane[] {
  const constraints = floorConstraints(surroundings.floor, part.hull, part.box, x, y);
  for (const other of surroundings.placed) {
    for (const [a, b] of collisionPairs(part, other.part)) {
      constraints.push(
        ...contactConstraints(a, b, other.x - x, other.y - y, surroundings.spacingMm, surroundings.spacingMm + reachMm),
      );
    }
  }
  return constraints;
}

/** Whether a part is within the floor and at least the spacing away from all other parts, by exact distances. */
export function isPositionClear(
  part: RotatedPart,
  { x, y }: Position,
  { floor, placed, spacingMm }: Surroundings,
): boolean {
  if (distanceBeyondFloor(floor, part.hull, part.box, x, y) > TOLERANCE_MM) return false;
  return placed.every((other) => isApart(part, other.part, other.x - x, other.y - y, spacingMm));
}

/** Whether part `a` is at least the spacing away from part `b` moved by (dx, dy). */
export function isApart(a: RotatedPart, b: RotatedPart, dx: number, dy: number, spacingMm: number): boolean {
  for (const [shape, other] of collisionPairs(a, b)) {
    if (distanceBetween(shape, other, dx, dy, spacingMm) < spacingMm - TOLERANCE_MM) return false;
  }
  return true;
}

/** The surroundings without the parts that cannot constrain a part within `maxMm` of a position. */
function nearby(part: RotatedPart, { x, y }: Position, maxMm: number, surroundings: Surroundings): Surroundings {
  const reach = maxMm + surroundings.spacingMm + REACH_MM;
  const placed = surroundings.placed.filter(
    (other) =>
      other.x + other.part.box.minX <= x + part.box.maxX + reach &&
      other.x + other.part.box.maxX >= x + part.box.minX - reach &&
      other.y + other.part.box.minY <= y + part.box.maxY + reach &&
      other.y + other.part.box.maxY >= y + part.box.minY - reach,
  );
  return { ...surroundings, placed };
}

/** Step lengths of a slide, tried in order. */
const STEPS_MM = [2, 0.5, 0.1, 0.02];
/** A step length is repeated while each step advances by this share of it. */
const MIN_GAIN_SHARE = 0.3;
/** A smaller advance is a rounding error. */
const MIN_GAIN_MM = 1e-6;
const MAX_STEPS = 200;

/** A unit vector. */
export type Direction = readonly [x: number, y: number];

/**
 * The position that a part reaches when it is pushed in a direction and evades obstacles sideways. It never moves
 * backwards along `keptDirection`: a part that was pushed to the front into a gap stays in it when it is pushed to the
 * left.
 */
export function slide(
  part: RotatedPart,
  from: Position,
  direction: Direction,
  surroundings: Surroundings,
  keptDirection?: Direction,
): Position {
  let place = from;
  let steps = 0;
  for (const step of STEPS_MM) {
    while (steps++ < MAX_STEPS) {
      const nearSurroundings = nearby(part, place, 3 * step, surroundings);
      const target = { x: place.x + step * direction[0], y: place.y + step * direction[1] };
      const next = resolveOverlaps(part, target, 2 * step, nearSurroundings);
      const gain = next ? advance(direction, place, next) : 0;
      if (!next || gain < MIN_GAIN_MM || (keptDirection && advance(keptDirection, from, next) < -MIN_GAIN_MM)) break;
      place = next;
      if (gain < MIN_GAIN_SHARE * step) break;
    }
  }
  return place;
}

const advance = ([x, y]: Direction, from: Position, to: Position): number => (to.x - from.x) * x + (to.y - from.y) * y;

/** Whether each part is clear: within the floor, and away from the other parts and the obstacles. */
export function areAllClear(
  floor: Floor,
  spacingMm: number,
  parts: readonly PlacedPart[],
  obstacles: readonly PlacedPart[],
): boolean {
  const everything = [...parts, ...obstacles];
  return parts.every((placedPart, i) =>
    isPositionClear(placedPart.part, placedPart, {
      floor,
      spacingMm: Math.max(spacingMm, MIN_SPACING_MM),
      placed: everything.toSpliced(i, 1),
    }),
  );
}
