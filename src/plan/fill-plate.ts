import { must } from "../core/must.ts";
import type { Progress } from "../core/progress.ts";
import { seededRandom } from "../core/random.ts";
import { boundingRectangle } from "../geometry/box.ts";
import type { Floor } from "../layout/floor.ts";
import { MIN_SPACING_MM, searchedSpacingMm } from "../layout/resolve-overlaps.ts";
import {
  type FillRequest,
  type FilledPlate,
  type PlatePlace,
  type PoolPart,
  RESCUE_TRY,
  type TurnedOutline,
} from "./fill-request.ts";
import { type PlateKernel, newPlateKernel } from "./plate-kernel.ts";
import { isProvenPlate } from "./prove-plate.ts";

/** What the rules of a try are worth, in widths of a mean part: tuned on the arches of `test/fixture/arches.ts`. */
const CONTACT = 2.9;
const LARGE_FIRST = 0.9;
const LAST_FIRST = 0.55;
/** Each try but the first weighs the rules anew, by up to this share more or less. */
const NOISE = 0.5;
/** Parts that must be on the plate come before all others, whatever their places. */
const ALWAYS_MM = 1e6;
/** In a rescue, parts of groups that end here come before those that are due first, whose urgency is less. */
const RESCUED = 4;
/** Every so many tries, contacts count little: equal boxes then stand in rows. */
const ROWS_EVERY = 4;
const ROWS_CONTACT = 0.1;

/** Parts of groups that a plate leaves to the next one, as a share of its capacity, at most. */
const LEFT_SHARE = 0.7;
/** What a missing part costs, in plates. */
const MISSING_PLATES = 2;
/** What area beyond {@link LEFT_SHARE} costs. */
const LEFT_COST = 3;
/** What area of groups that are due earlier costs where the plate lacks it. */
const URGENT_COST = 1;

/** Cells along the side of a square of the floor's area: more take longer and place no more. */
const FLOOR_CELLS = 220;
/** Cells along the shorter side of the smallest part, at least. */
const PART_CELLS = 4;
const MIN_CELL_MM = 0.25;

/** The best of some tries; of equal ones the first. */
export function fillPlate(request: FillRequest, progress: Progress): FilledPlate {
  const { floor, parts, fromTry, toTry } = request;
  const spacingMm = Math.max(request.spacingMm, MIN_SPACING_MM);
  const kernel = newPlateKernel(narrowed(floor), searchedSpacingMm(spacingMm), cellOf(request), parts);
  let best: FilledPlate | undefined;
  for (let number = fromTry; number < toTry; number++) {
    const share = (done: number): number => (done - fromTry) / (toTry - fromTry);
    const filled = tryOnce(request, number, kernel, progress.part(share(number), share(number + 1)));
    if (!best || filled.score > best.score) best = filled;
  }
  const filled = must(best, "A try");
  const outlines = parts.map(({ outline }) => outline);
  if (!isProvenPlate(floor, spacingMm, outlines, filled.places)) throw new Error("The parts of a plate are too close.");
  return filled;
}

/** The floor that a search keeps, so that parts are on the floor when their positions have been rounded; floors are wider than that. */
function narrowed({ bounds: { minX, minY, maxX, maxY }, footprint }: Floor): Floor {
  const by = 1 / STEPS_PER_MM;
  return {
    bounds: { minX: minX + by, minY: minY + by, maxX: maxX - by, maxY: maxY - by },
    footprint: { ...footprint, r: footprint.r === 0 ? 0 : footprint.r - by },
  };
}

function cellOf({ floor: { bounds }, parts }: FillRequest): number {
  const floorMm = Math.sqrt((bounds.maxX - bounds.minX) * (bounds.maxY - bounds.minY));
  const narrowest = parts.reduce((least, { outline }) => Math.min(least, shorterSide(outline)), Infinity);
  return Math.max(MIN_CELL_MM, Math.min(floorMm / FLOOR_CELLS, narrowest / PART_CELLS));
}

function shorterSide(outline: TurnedOutline["outline"]): number {
  const { minX, minY, maxX, maxY } = boundingRectangle(outline);
  return Math.min(maxX - minX, maxY - minY);
}

function meanWidth(parts: readonly PoolPart[]): number {
  const squares = parts.map(({ outline }) => {
    const { minX, minY, maxX, maxY } = boundingRectangle(outline);
    return (maxX - minX) * (maxY - minY);
  });
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / Math.max(1, squares.length));
}

function tryOnce(request: FillRequest, number: number, kernel: PlateKernel, progress: Progress): FilledPlate {
  const { parts, groups, capacityMm2 } = request;
  const random = seededRandom(request.seed + number);
  const weigh = (value: number): number => value * (number === 0 ? 1 : 1 + NOISE * (2 * random() - 1));
  const widthMm = meanWidth(parts);
  const meanMm2 = parts.reduce((sum, { areaMm2 }) => sum + areaMm2, 0) / Math.max(1, parts.length);
  const contactMm = weigh(CONTACT * widthMm) * (number % ROWS_EVERY === ROWS_EVERY - 1 ? ROWS_CONTACT : 1);
  const largeMm = weigh(LARGE_FIRST * widthMm);
  const lastMm = number === 0 || number >= RESCUE_TRY ? ALWAYS_MM : weigh(LAST_FIRST * widthMm);
  // The first group in the order is begun in any case, or it might be put off for ever.
  const begun = groups.map(({ isBegun }, i) => isBegun || i === 0);
  const placedOf = groups.map(() => 0);
  let areaMm2 = 0;
  const leftMm2 = (): number =>
    groups.reduce((sum, group, i) => sum + (begun[i] ? Math.max(0, group.areaMm2 - placedOf[i]) : 0), 0);
  const mayBegin = (group: number): boolean => {
    const room = capacityMm2 - areaMm2 + (groups[group].isLast ? 0 : LEFT_SHARE * capacityMm2);
    return leftMm2() + groups[group].areaMm2 <= room;
  };
  const biasOf = ({ group, areaMm2: own }: PoolPart, allowed: readonly boolean[]): number => {
    if (!begun[group] && !allowed[group]) return Infinity;
    const { isLast, isBegun, urgency } = groups[group];
    const whole = isLast && !isBegun && begun[group] ? ALWAYS_MM : 0;
    const ends = isLast && isBegun;
    const first = lastMm * (ends && number >= RESCUE_TRY ? RESCUED : urgency + Number(ends));
    return (-largeMm * (own - meanMm2)) / meanMm2 - Math.max(whole, first);
  };
  const setBiases = (): void => {
    const allowed = groups.map((_, i) => begun[i] || mayBegin(i));
    for (const [i, part] of parts.entries()) kernel.setBias(i, biasOf(part, allowed));
  };
  kernel.clear(
    parts.map(({ copies }) => copies),
    contactMm,
  );
  setBiases();
  const places: PlatePlace[] = [];
  for (let place = kernel.placeNext(); place; place = kernel.placeNext()) {
    progress.report(Math.min(1, areaMm2 / capacityMm2));
    const { group, areaMm2: own } = parts[place.part];
    places.push(rounded(place));
    areaMm2 += own;
    placedOf[group] += own;
    begun[group] = true;
    setBiases();
  }
  const kept = withoutBroken(places, request, placedOf);
  const area = kept.reduce((sum, { part }) => sum + parts[part].areaMm2, 0);
  const missing = missingParts(kept, request);
  const beyond = Math.max(0, leftMm2() - LEFT_SHARE * capacityMm2);
  const urgentMm2 = groups.reduce(
    (sum, { urgency, areaMm2: all }, i) => sum + urgency * Math.max(0, all - placedOf[i]),
    0,
  );
  return {
    places: kept,
    areaMm2: area,
    missing,
    score: area - MISSING_PLATES * capacityMm2 * missing - LEFT_COST * beyond - URGENT_COST * urgentMm2,
  };
}

/** Lengths and areas that differ by less are equal, mm². */
const AREA_TOLERANCE = 1e-6;

/** Positions are whole steps of 1e-6 mm, as in layouts; the searched spacing allows for it. */
const STEPS_PER_MM = 1e6;

const rounded = ({ x, y, ...place }: PlatePlace): PlatePlace => ({
  ...place,
  x: Math.round(x * STEPS_PER_MM) / STEPS_PER_MM,
  y: Math.round(y * STEPS_PER_MM) / STEPS_PER_MM,
});

/** The places without those of groups that must be whole on this plate and are not, unless it has no other. */
function withoutBroken(
  places: readonly PlatePlace[],
  { parts, groups }: FillRequest,
  placedOf: readonly number[],
): readonly PlatePlace[] {
  const isBroken = groups.map(
    ({ isLast, isBegun, areaMm2 }, i) => isLast && !isBegun && placedOf[i] < areaMm2 * (1 - AREA_TOLERANCE),
  );
  const whole = places.filter(({ part }) => !isBroken[parts[part].group]);
  return whole.length > 0 ? whole : places;
}

/** How many parts of groups that end here are not placed. */
function missingParts(places: readonly PlatePlace[], { parts, groups }: FillRequest): number {
  const touched = groups.map(({ isBegun, isLast }) => isBegun && isLast);
  const placed = parts.map(() => 0);
  for (const { part } of places) {
    placed[part]++;
    if (groups[parts[part].group].isLast) touched[parts[part].group] = true;
  }
  return parts.reduce((sum, { group, copies }, i) => sum + (touched[group] ? copies - placed[i] : 0), 0);
}
