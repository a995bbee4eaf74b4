import { getOrInsert } from "../../core/memoize.ts";
import type { Progress } from "../../core/progress.ts";
import {
  type BoreRegions,
  type LayeredSpace,
  type SealedSpace,
  type Sealing,
  regionNumbers,
  sealedSpaces,
} from "./sealed-spaces.ts";

/** A hole that may be drilled. */
export interface HoleCandidate {
  readonly bore: BoreRegions;
  /** Whether it lets air into cups, and whether it is wide enough for resin to run out. */
  readonly opensCups: boolean;
  readonly drainsPools: boolean;
  /** Among sets of equally many holes that with the least sum is best. */
  readonly cost: number;
}

export interface SealedLimits {
  readonly maxCupMm3: number;
  readonly maxPoolMm3: number;
}

export interface ChosenHoles<T extends HoleCandidate> {
  readonly chosen: readonly T[];
  /** What the chosen holes leave sealed. */
  readonly left: readonly SealedSpace[];
}

/** What is sealed beyond the limits with some holes: cups, then pools. */
export const sealedWith = (
  space: LayeredSpace,
  holes: readonly HoleCandidate[],
  { maxCupMm3, maxPoolMm3 }: SealedLimits,
): SealedSpace[] => [
  ...sealedSpaces(space, boresOf(holes, "CUP"), "CUP", maxCupMm3),
  ...sealedSpaces(space, boresOf(holes, "POOL"), "POOL", maxPoolMm3),
];

const boresOf = (holes: readonly HoleCandidate[], sealing: Sealing): BoreRegions[] =>
  holes.filter((hole) => opens(hole, sealing)).map(({ bore }) => bore);

const opens = ({ opensCups, drainsPools }: HoleCandidate, sealing: Sealing): boolean =>
  sealing === "CUP" ? opensCups : drainsPools;

/** Walks of the branch and bound search, which bound its time: each goes through all layers twice. */
const MOST_WALKS = 1500;
/** Demands up to which the search for fewer holes is made. */
const MOST_EXACT = 20;

/** The space, the holes that may be drilled in it, and what they must not leave. */
export interface HoleChoice<T extends HoleCandidate> {
  readonly space: LayeredSpace;
  readonly candidates: readonly T[];
  readonly limits: SealedLimits;
  /** Whether both may be drilled: a wall is left between them. */
  readonly areApart: (a: T, b: T) => boolean;
}

/** Share of the progress of the greedy choice; the search for fewer holes takes the rest. */
const GREEDY_SHARE = 0.5;

/**
 * The fewest candidates that leave nothing sealed, as far as candidates can: greedy, then without needless holes, then a search for fewer. A
 * walk over the space gives the effect of a set of holes exactly, also of a hole that opens one cavity into another one.
 */
export function chooseHoles<T extends HoleCandidate>(choice: HoleChoice<T>, progress: Progress): ChosenHoles<T> {
  const demandsWith = newWalks(choice);
  const before = demandsWith([]);
  const greedy = chooseGreedily(choice, demandsWith, progress.part(0, GREEDY_SHARE));
  const least = withoutNeedless(greedy, demandsWith);
  const left = demandsWith(least).map(({ sealed }) => sealed);
  const bound = leastCount(before);
  if (left.length > 0 || before.length > MOST_EXACT || least.length <= bound) return { chosen: least, left };
  const search: Search<T> = { ...choice, demandsWith, progress: progress.part(GREEDY_SHARE, 1), walks: 0 };
  for (let count = bound; count < least.length; count++) {
    const fewer = searchSet(search, [], count);
    if (fewer) return { chosen: fewer, left: [] };
    if (search.walks > MOST_WALKS) break;
  }
  return { chosen: least, left };
}

/** A sealed space, and the candidates that meet a region of it and could open it. */
interface Demand<T extends HoleCandidate> {
  readonly sealed: SealedSpace;
  readonly openers: readonly T[];
}

/** What is sealed beyond the limits with some holes: cups, then pools. */
type Walks<T extends HoleCandidate> = (holes: readonly T[]) => Demand<T>[];

/** Walks once for each set of bores: a vent changes no pools, a drain no cups, and a search meets the same set in several orders. */
function newWalks<T extends HoleCandidate>({ space, candidates, limits }: HoleChoice<T>): Walks<T> {
  const numbers = new Map(candidates.map((one, i) => [one, i]));
  const openersOf = newOpenerSearch(space, candidates);
  const known = new Map<string, Demand<T>[]>();
  const walk = (holes: readonly T[], sealing: Sealing, limitMm3: number): Demand<T>[] => {
    const open = holes.filter((one) => opens(one, sealing));
    const key = `${sealing} ${open.map((one) => numbers.get(one)).toSorted()}`;
    return getOrInsert(known, key, () => {
      const bores = open.map(({ bore }) => bore);
      return openersOf(sealedSpaces(space, bores, sealing, limitMm3));
    });
  };
  return (holes) => [...walk(holes, "CUP", limits.maxCupMm3), ...walk(holes, "POOL", limits.maxPoolMm3)];
}

const NO_SPACE = -1;

/** Finds the openers of sealed spaces of one kind, which are disjoint. */
function newOpenerSearch<T extends HoleCandidate>(
  space: LayeredSpace,
  candidates: readonly T[],
): (spaces: readonly SealedSpace[]) => Demand<T>[] {
  const { firsts, count } = regionNumbers(space);
  const metBy = candidates.map(({ bore: { first, regions } }) =>
    Int32Array.from(regions.flatMap((met, i) => met.map((region) => firsts[first + i] + region))),
  );
  const spaceOf = new Int32Array(count).fill(NO_SPACE);
  const mark = ({ members }: SealedSpace, index: number): void => {
    for (const { layer, region } of members) spaceOf[firsts[layer] + region] = index;
  };
  return (spaces) => {
    const openers = spaces.map((): T[] => []);
    spaces.forEach(mark);
    candidates.forEach((one, candidate) => {
      for (const region of metBy[candidate]) {
        const index = spaceOf[region];
        if (index === NO_SPACE || openers[index].at(-1) === one || !opens(one, spaces[index].sealing)) continue;
        openers[index].push(one);
      }
    });
    for (const sealed of spaces) mark(sealed, NO_SPACE);
    return spaces.map((sealed, i) => ({ sealed, openers: openers[i] }));
  };
}

/** Adds the candidate of the first demand that leaves the fewest demands, until none is left that a candidate meets. */
function chooseGreedily<T extends HoleCandidate>(
  { areApart }: HoleChoice<T>,
  demandsWith: Walks<T>,
  progress: Progress,
): T[] {
  const before = demandsWith([]);
  const chosen: T[] = [];
  const givenUp = new Set<string>();
  let demands = before;
  for (;;) {
    const demand = demands.find(({ sealed }) => !givenUp.has(keyOf(sealed)));
    if (!demand) return chosen;
    const trials = demand.openers
      .filter((one) => chosen.every((other) => areApart(one, other)))
      .map((one) => {
        progress.report(1 - demands.length / (before.length + 1));
        return { one, after: demandsWith([...chosen, one]) };
      })
      .filter(({ after }) => after.length < demands.length);
    if (trials.length === 0) {
      givenUp.add(keyOf(demand.sealed));
      continue;
    }
    const best = trials.reduce((a, b) => (isBetter(b, a) ? b : a));
    chosen.push(best.one);
    demands = best.after;
  }
}

interface Trial {
  readonly one: HoleCandidate;
  readonly after: readonly unknown[];
}

const isBetter = (a: Trial, b: Trial): boolean =>
  a.after.length < b.after.length || (a.after.length === b.after.length && a.one.cost < b.one.cost);

/** The end of a space names it. */
const keyOf = ({ sealing, members: [end] }: SealedSpace): string => `${sealing} ${end?.layer} ${end?.region}`;

function withoutNeedless<T extends HoleCandidate>(holes: readonly T[], demandsWith: Walks<T>): T[] {
  let kept = [...holes];
  const most = demandsWith(kept).length;
  for (const hole of holes.toSorted((a, b) => b.cost - a.cost)) {
    const without = kept.filter((one) => one !== hole);
    if (demandsWith(without).length <= most) kept = without;
  }
  return kept;
}

/** Of how many demands each candidate is an opener. */
function servedBy<T extends HoleCandidate>(demands: readonly Demand<T>[]): Map<T, number> {
  const served = new Map<T, number>();
  for (const { openers } of demands) for (const one of openers) served.set(one, (served.get(one) ?? 0) + 1);
  return served;
}

/** Sealed spaces of one kind are disjoint, and each needs a hole: with a candidate that meets at most m of them, at least 1/m of their number. */
function leastCount<T extends HoleCandidate>(demands: readonly Demand<T>[]): number {
  const most = Math.max(1, ...servedBy(demands).values());
  return Math.ceil(demands.length / most);
}

interface Search<T extends HoleCandidate> extends HoleChoice<T> {
  readonly demandsWith: Walks<T>;
  readonly progress: Progress;
  walks: number;
}

/**
 * A set of holes with at most `more` besides `chosen` that leaves nothing sealed. Each such set has a hole in the first space that `chosen` leaves
 * sealed, so only these are branches. Returns undefined if there is none, or after {@link MOST_WALKS}.
 */
function searchSet<T extends HoleCandidate>(search: Search<T>, chosen: readonly T[], more: number): T[] | undefined {
  const { areApart, demandsWith, progress } = search;
  if (search.walks++ > MOST_WALKS) return undefined;
  progress.report(search.walks / (MOST_WALKS + 2));
  const demands = demandsWith(chosen);
  const [first] = demands;
  if (!first) return [...chosen];
  if (leastCount(demands) > more) return undefined;
  const served = servedBy(demands);
  const ordered = first.openers
    .filter((one) => chosen.every((other) => areApart(one, other)))
    .toSorted((a, b) => (served.get(b) ?? 0) - (served.get(a) ?? 0) || a.cost - b.cost);
  for (const one of ordered) {
    const found = searchSet(search, [...chosen, one], more - 1);
    if (found) return found;
  }
  return undefined;
}
