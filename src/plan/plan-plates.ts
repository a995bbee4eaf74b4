import { must } from "../core/must.ts";
import type { Polygons } from "../geometry/polygon.ts";
import type { Floor } from "../layout/floor.ts";
import { type FillRequest, type FilledPlate, type PoolGroup, type PoolPart, RESCUE_TRY } from "./fill-request.ts";

/** A shape of parts, seen from above. */
export interface PlanShape {
  /** Contains the exact silhouette of the part, relative to its position, mm. */
  readonly outline: Polygons;
  readonly areaMm2: number;
  /** Turns about z at which it may be placed, degrees. */
  readonly turnsDeg: readonly number[];
}

/** Equal parts of an order. Lines of one plan share machine, material and layers. */
export interface PlanLine {
  /** Index of the shape. */
  readonly shape: number;
  readonly copies: number;
  /** Parts with equal names belong together; undefined: each part goes where there is room. */
  readonly group: string | undefined;
  /** Most plates that should have parts of its group. */
  readonly maxPlates: number;
  /** When its parts are due; Infinity: never. */
  readonly dueMs: number;
}

export interface PlatesRequest {
  readonly floor: Floor;
  readonly spacingMm: number;
  readonly shapes: readonly PlanShape[];
  /** In the order in which they should be printed. Lines of a group follow each other. */
  readonly lines: readonly PlanLine[];
  /** Tries for each plate. More take longer and use fewer plates. */
  readonly tries: number;
  /** Whether only one try is left for each plate, because time is up. */
  readonly isOverdue: () => boolean;
}

/** A part on a plate: the index of its line, its turn about z, and its position in mm. */
export interface PlannedPlace {
  readonly line: number;
  readonly turnDeg: number;
  readonly x: number;
  readonly y: number;
}

export interface PlannedPlate {
  readonly places: readonly PlannedPlace[];
}

/** Runs tries, several at a time; the results are in the order of the requests. */
export type FillPlates = (requests: readonly FillRequest[]) => Promise<readonly FilledPlate[]>;

/** Tries of one request; the number does not depend on the threads, nor does the plan. */
const TRIES_AT_ONCE = 3;
const RESCUE_TRIES = 6;

/** Area of the parts from which a plate is filled, as a share of what it holds; the second with many different parts. */
const POOL_SHARE = 2.7;
const LARGE_POOL_SHARE = 1.4;
const LARGE_POOL = 150;
/** With more different parts, only every so many turns are tried. */
const MANY_PARTS = 200;
const TURN_STEP = 4;

/** What a plate holds before any is known, as a share of its area, and how fast the estimate follows the plates. */
const FIRST_CAPACITY = 0.5;
const FOLLOWING = 0.1;

/** A group while it is planned. */
export interface OpenGroup {
  /** Indices of its lines. */
  readonly lines: readonly number[];
  readonly maxPlates: number;
  readonly isLimited: boolean;
  readonly dueMs: number;
  platesUsed: number;
}

/**
 * Puts all parts on plates, one plate after the other, in the order of the lines. A plate takes what is left of groups that were begun, and
 * parts of the groups that follow. The same request gives the same plates. `report` gets the share that is done, and may throw to cancel.
 * All shapes must fit on an empty plate at one of their turns.
 */
export async function planPlates(
  request: PlatesRequest,
  fill: FillPlates,
  report: (share: number) => void,
): Promise<PlannedPlate[]> {
  const { lines, shapes, floor, spacingMm, tries, isOverdue } = request;
  const left = lines.map(({ copies }) => copies);
  let groups = groupsOf(lines);
  const total = lines.reduce((sum, { copies }) => sum + copies, 0);
  let capacityMm2 = FIRST_CAPACITY * areaOf(floor);
  const plates: PlannedPlate[] = [];
  let placedCount = 0;
  const areaLeft = ({ lines: own }: OpenGroup): number =>
    own.reduce((sum, line) => sum + left[line] * shapes[lines[line].shape].areaMm2, 0);
  while (placedCount < total) {
    report(placedCount / total);
    const pool = poolOf(groups, request, left, capacityMm2);
    const firstMs = pool.groups.reduce((least, { dueMs }) => Math.min(least, dueMs), Infinity);
    const lastMs = pool.groups.reduce((most, { dueMs }) => Math.max(most, dueMs), -Infinity);
    const poolGroups = pool.groups.map((group): PoolGroup => ({
      areaMm2: group.isLimited ? areaLeft(group) : 0,
      isBegun: group.platesUsed > 0,
      isLast: group.isLimited && group.platesUsed >= group.maxPlates - 1,
      urgency: group.dueMs === lastMs ? 0 : group.dueMs === firstMs ? 2 : 1,
    }));
    const requestOf = (fromTry: number, toTry: number): FillRequest => ({
      floor,
      spacingMm,
      parts: pool.parts,
      groups: poolGroups,
      capacityMm2,
      seed: plates.length,
      fromTry,
      toTry,
    });
    let best = bestOf(await fill(divided(0, isOverdue() ? 1 : tries).map(([from, to]) => requestOf(from, to))));
    if (best.missing > 0) {
      const rescue = divided(RESCUE_TRY, RESCUE_TRY + RESCUE_TRIES);
      best = bestOf([best, ...(await fill(rescue.map(([from, to]) => requestOf(from, to))))]);
    }
    if (best.places.length === 0) throw new Error("A part fits on no plate.");
    const places = best.places.map(({ part, turnDeg, x, y }): PlannedPlace => {
      const line = must(
        pool.linesOf[part].find((one) => left[one] > 0),
        "A part that is left",
      );
      left[line]--;
      return { line, turnDeg, x, y };
    });
    plates.push({ places });
    placedCount += places.length;
    capacityMm2 = plates.length === 1 ? best.areaMm2 : capacityMm2 + FOLLOWING * (best.areaMm2 - capacityMm2);
    for (const group of new Set(best.places.map(({ part }) => pool.groups[pool.parts[part].group]))) group.platesUsed++;
    groups = groups.filter((group) => group.lines.some((line) => left[line] > 0));
  }
  return plates;
}

const areaOf = ({ bounds }: Floor): number => (bounds.maxX - bounds.minX) * (bounds.maxY - bounds.minY);

export function groupsOf(lines: readonly Omit<PlanLine, "shape">[]): OpenGroup[] {
  const groups = Map.groupBy(lines.keys(), (i) => lines[i].group ?? i);
  return [...groups.values()].map((own) => ({
    lines: own,
    maxPlates: own.reduce((least, i) => Math.min(least, lines[i].maxPlates), Infinity),
    isLimited: lines[own[0]].group !== undefined,
    dueMs: own.reduce((least, i) => Math.min(least, lines[i].dueMs), Infinity),
    platesUsed: 0,
  }));
}

interface Pool {
  readonly parts: readonly PoolPart[];
  readonly groups: readonly OpenGroup[];
  /** The lines of each part: their parts are equal. */
  readonly linesOf: readonly (readonly number[])[];
}

/** The parts from which the next plate is filled: what is left of begun groups, then the groups that follow. */
function poolOf(
  groups: readonly OpenGroup[],
  { lines, shapes }: PlatesRequest,
  left: readonly number[],
  capacityMm2: number,
): Pool {
  const begun = groups.filter(({ platesUsed }) => platesUsed > 0);
  const others = groups.filter(({ platesUsed }) => platesUsed === 0);
  const chosen: OpenGroup[] = [];
  const entries: { readonly group: number; readonly shape: number; readonly lines: number[]; copies: number }[] = [];
  let areaMm2 = 0;
  for (const group of [...begun, ...others]) {
    const share = entries.length > LARGE_POOL ? LARGE_POOL_SHARE : POOL_SHARE;
    if (group.platesUsed === 0 && areaMm2 > share * capacityMm2) break;
    const ofShape = new Map<number, (typeof entries)[number]>();
    for (const line of group.lines) {
      if (left[line] === 0) continue;
      const { shape } = lines[line];
      let entry = ofShape.get(shape);
      if (!entry) {
        entry = { group: chosen.length, shape, lines: [], copies: 0 };
        ofShape.set(shape, entry);
        entries.push(entry);
      }
      entry.lines.push(line);
      entry.copies += left[line];
      areaMm2 += left[line] * shapes[shape].areaMm2;
    }
    chosen.push(group);
  }
  const step = entries.length > MANY_PARTS ? TURN_STEP : 1;
  return {
    groups: chosen,
    linesOf: entries.map((entry) => entry.lines),
    parts: entries.map(({ group, shape, copies }): PoolPart => {
      const { outline, areaMm2: own, turnsDeg } = shapes[shape];
      return { group, copies, outline, areaMm2: own, turnsDeg: turnsDeg.filter((_, i) => i % step === 0) };
    }),
  };
}

/** A range of tries as shares of {@link TRIES_AT_ONCE}. */
function divided(from: number, to: number): (readonly [from: number, to: number])[] {
  const count = Math.ceil((to - from) / TRIES_AT_ONCE);
  return Array.from({ length: count }, (_, i) => [
    from + i * TRIES_AT_ONCE,
    Math.min(to, from + (i + 1) * TRIES_AT_ONCE),
  ]);
}

/** The plate with the greatest score; the first of equal ones. */
const bestOf = (filled: readonly FilledPlate[]): FilledPlate =>
  filled.reduce((best, one) => (one.score > best.score ? one : best));
