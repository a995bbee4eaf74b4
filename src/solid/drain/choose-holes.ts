import type { Progress } from "../../core/progress.ts";
import { type BoreRegions, type LayeredSpace, type SealedSpace, sealedSpaces } from "./sealed-spaces.ts";

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
  ...sealedSpaces(space, boresOf(holes, "opensCups"), "CUP", maxCupMm3),
  ...sealedSpaces(space, boresOf(holes, "drainsPools"), "POOL", maxPoolMm3),
];

const boresOf = (holes: readonly HoleCandidate[], use: "opensCups" | "drainsPools"): BoreRegions[] =>
  holes.filter((hole) => hole[use]).map(({ bore }) => bore);

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
  const { space, candidates, limits } = choice;
  const before = sealedWith(space, [], limits);
  const greedy = chooseGreedily(choice, before, progress.part(0, GREEDY_SHARE));
  const least = withoutNeedless(space, greedy, limits);
  const left = sealedWith(space, least, limits);
  const bound = leastCount(before, candidates);
  if (left.length > 0 || before.length > MOST_EXACT || least.length <= bound) return { chosen: least, left };
  const search: Search<T> = { ...choice, progress: progress.part(GREEDY_SHARE, 1), walks: 0 };
  for (let count = bound; count < least.length; count++) {
    const fewer = searchSet(search, [], count);
    if (fewer) return { chosen: fewer, left: [] };
    if (search.walks > MOST_WALKS) break;
  }
  return { chosen: least, left };
}

/** Adds the candidate of the first demand that leaves the fewest demands, until none is left that a candidate meets. */
function chooseGreedily<T extends HoleCandidate>(
  { space, candidates, limits, areApart }: HoleChoice<T>,
  before: readonly SealedSpace[],
  progress: Progress,
): T[] {
  const chosen: T[] = [];
  const givenUp = new Set<string>();
  let sealed = before;
  for (;;) {
    const demand = sealed.find((one) => !givenUp.has(keyOf(one)));
    if (!demand) return chosen;
    const trials = candidates
      .filter((one) => meets(one, demand) && chosen.every((other) => areApart(one, other)))
      .map((one) => {
        progress.report(1 - sealed.length / (before.length + 1));
        const after = sealedWith(space, [...chosen, one], limits);
        return { one, after };
      })
      .filter(({ after }) => after.length < sealed.length);
    if (trials.length === 0) {
      givenUp.add(keyOf(demand));
      continue;
    }
    const best = trials.reduce((a, b) => (isBetter(b, a) ? b : a));
    chosen.push(best.one);
    sealed = best.after;
  }
}

interface Trial {
  readonly one: HoleCandidate;
  readonly after: readonly SealedSpace[];
}

const isBetter = (a: Trial, b: Trial): boolean =>
  a.after.length < b.after.length || (a.after.length === b.after.length && a.one.cost < b.one.cost);

/** The end of a space names it. */
const keyOf = ({ sealing, members: [end] }: SealedSpace): string => `${sealing} ${end?.layer} ${end?.region}`;

function withoutNeedless<T extends HoleCandidate>(space: LayeredSpace, holes: readonly T[], limits: SealedLimits): T[] {
  let kept = [...holes];
  const most = sealedWith(space, kept, limits).length;
  for (const hole of holes.toSorted((a, b) => b.cost - a.cost)) {
    const without = kept.filter((one) => one !== hole);
    if (sealedWith(space, without, limits).length <= most) kept = without;
  }
  return kept;
}

/** Whether a candidate meets a region of a sealed space that it could open. */
function meets({ bore, opensCups, drainsPools }: HoleCandidate, { sealing, members }: SealedSpace): boolean {
  if (!(sealing === "CUP" ? opensCups : drainsPools)) return false;
  return members.some(({ layer, region }) => bore.regions[layer - bore.first]?.includes(region));
}

/** Sealed spaces of one kind are disjoint, and each needs a hole: with a candidate that meets at most m of them, at least 1/m of their number. */
function leastCount(sealed: readonly SealedSpace[], candidates: readonly HoleCandidate[]): number {
  if (sealed.length === 0) return 0;
  const most = Math.max(1, ...candidates.map((one) => sealed.filter((space) => meets(one, space)).length));
  return Math.ceil(sealed.length / most);
}

interface Search<T extends HoleCandidate> extends HoleChoice<T> {
  readonly progress: Progress;
  walks: number;
}

/**
 * A set of holes with at most `more` besides `chosen` that leaves nothing sealed. Each such set has a hole in the first space that `chosen` leaves
 * sealed, so only these are branches. Returns undefined if there is none, or after {@link MOST_WALKS}.
 */
function searchSet<T extends HoleCandidate>(search: Search<T>, chosen: readonly T[], more: number): T[] | undefined {
  const { space, candidates, limits, areApart, progress } = search;
  if (search.walks++ > MOST_WALKS) return undefined;
  progress.report(search.walks / (MOST_WALKS + 2));
  const sealed = sealedWith(space, chosen, limits);
  const [first] = sealed;
  if (!first) return [...chosen];
  if (leastCount(sealed, candidates) > more) return undefined;
  const branches = candidates.filter((one) => meets(one, first) && chosen.every((other) => areApart(one, other)));
  const served = (one: T): number => sealed.filter((other) => meets(one, other)).length;
  const ordered = branches
    .map((one) => ({ one, served: served(one) }))
    .toSorted((a, b) => b.served - a.served || a.one.cost - b.one.cost);
  for (const { one } of ordered) {
    const found = searchSet(search, [...chosen, one], more - 1);
    if (found) return found;
  }
  return undefined;
}
