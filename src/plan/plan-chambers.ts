import { must } from "../core/must.ts";
import type { Pose } from "../geometry/pose.ts";
import { type PackChambers, type Prefix, longestPrefix } from "./longest-prefix.ts";
import { type OpenGroup, type PlanLine, groupsOf } from "./plan-plates.ts";

/** Equal parts of an order that are printed in powder. Lines of one plan share machine, material and layers. */
export interface ChamberLine extends Omit<PlanLine, "shape"> {
  /** Volume of a part with about half the spacing around it, mm³. */
  readonly grownMm3: number;
}

export interface ChambersRequest {
  /** In the order in which they should be printed. Lines of a group follow each other. Each fits alone in an empty chamber. */
  readonly lines: readonly ChamberLine[];
  readonly roomMm3: number;
  readonly roomHeightMm: number;
  /** Packings for each chamber. More take longer and use fewer chambers. */
  readonly tries: number;
  /** Whether only one packing is left for each chamber, because time is up. */
  readonly isOverdue: () => boolean;
}

export interface PlannedChamber {
  readonly parts: readonly { readonly line: number; readonly pose: Pose }[];
  /** Height of the highest part that was packed. */
  readonly heightMm: number;
}

/** What a chamber holds before any is known, and the volume of the parts from which one is filled, as shares. */
const FIRST_CAPACITY = 0.57;
const POOL_SHARE = 1.3;
/** As many as a scene may have. */
const MAX_PARTS = 10_000;

/**
 * Packs all parts into chambers, one after the other, in the order of the lines. A chamber takes as many parts of the sequence as the packer
 * finds places for, and then those of the parts that follow for which there is room. The same request gives the same chambers.
 * `report` gets the share that is done, and may throw to cancel.
 */
export async function* planChambers(
  request: ChambersRequest,
  pack: PackChambers,
  report: (share: number) => void,
): AsyncGenerator<PlannedChamber> {
  const { lines, roomMm3 } = request;
  const left = lines.map(({ copies }) => copies);
  const total = left.reduce((sum, copies) => sum + copies, 0);
  let groups = groupsOf(lines);
  let capacityMm3 = FIRST_CAPACITY * roomMm3;
  for (let done = 0; done < total;) {
    const pool = poolOf(groups, lines, left, capacityMm3);
    const filled = await fillChamber(pool, request, capacityMm3, (tries) => {
      report(done / total);
      return pack(tries);
    });
    const { parts } = filled;
    const isPoolTooSmall = parts.length === pool.lines.length && parts.length < Math.min(MAX_PARTS, total - done);
    if (isPoolTooSmall) {
      capacityMm3 *= POOL_SHARE;
      continue;
    }
    for (const { line } of parts) left[line]--;
    done += parts.length;
    capacityMm3 = filled.capacityMm3;
    const lineSet = new Set(parts.map(({ line }) => line));
    for (const group of groups) if (group.lines.some((line) => lineSet.has(line))) group.platesUsed++;
    groups = groups.filter((group) => group.lines.some((line) => left[line] > 0));
    yield filled;
  }
}

/** Parts in the order in which they should be printed. */
interface Pool {
  readonly lines: readonly number[];
  /** The group of each part. */
  readonly groups: readonly OpenGroup[];
  /** Volume of the parts up to and with each one. */
  readonly upToMm3: readonly number[];
  /** The parts of each group that are on no plate yet, also those beyond the pool. */
  readonly countOf: ReadonlyMap<OpenGroup, number>;
}

/** The parts from which the next chamber is filled: what is left of begun groups, then the groups that follow. */
function poolOf(
  groups: readonly OpenGroup[],
  lines: readonly ChamberLine[],
  left: readonly number[],
  capacityMm3: number,
): Pool {
  const begun = groups.filter(({ platesUsed }) => platesUsed > 0);
  const others = groups.filter(({ platesUsed }) => platesUsed === 0);
  const pool = { lines: [] as number[], groups: [] as OpenGroup[], upToMm3: [] as number[] };
  const countOf = new Map<OpenGroup, number>();
  let volumeMm3 = 0;
  const isFull = (): boolean => volumeMm3 > POOL_SHARE * capacityMm3 || pool.lines.length >= MAX_PARTS;
  for (const group of [...begun, ...others]) {
    if (isFull()) break;
    countOf.set(
      group,
      group.lines.reduce((sum, line) => sum + left[line], 0),
    );
    for (const line of group.lines) {
      for (let copy = 0; copy < left[line] && !isFull(); copy++) {
        volumeMm3 += lines[line].grownMm3;
        pool.lines.push(line);
        pool.groups.push(group);
        pool.upToMm3.push(volumeMm3);
      }
    }
  }
  return { ...pool, countOf };
}

/** Whether no later chamber may have parts of a group: what a chamber has of it must be all that is left. */
const isLast = ({ isLimited, platesUsed, maxPlates }: OpenGroup): boolean => isLimited && platesUsed >= maxPlates - 1;

interface FilledChamber extends PlannedChamber {
  /** Volume of the parts that a chamber seems to hold. */
  readonly capacityMm3: number;
}

async function fillChamber(
  pool: Pool,
  { tries, isOverdue, roomHeightMm }: ChambersRequest,
  capacityMm3: number,
  pack: PackChambers,
): Promise<FilledChamber> {
  const search = (cuts: readonly number[]): Promise<Prefix | undefined> =>
    longestPrefix({ ...pool, cuts, capacityMm3, roomHeightMm, mostTries: () => (isOverdue() ? 1 : tries) }, pack);
  const first = must(pool.groups[0], "The first part");
  const ofFirst = pool.groups.filter((group) => group === first).map((_, i) => i + 1);
  // A group that must be whole and is too large for a chamber is divided all the same.
  const { count, ...best } = (await search(cutsOf(pool))) ?? must(await search(ofFirst), "A part that fits");
  const more = followersOf(pool, count);
  const lines = [...pool.lines.slice(0, count), ...more.map((i) => pool.lines[i])];
  const [topped] = more.length > 0 ? await pack([{ lines, required: count, start: best.start }]) : [];
  // Larger parts that follow may have changed the cells of the packer.
  const packed = topped && !topped.poses.slice(0, count).includes(undefined) ? topped : best.packed;
  const places = [...Array(count).keys(), ...more].map((part, i) => ({ part, pose: packed.poses[i] }));
  const kept = withoutBroken(places, pool, count);
  return {
    parts: kept.map(({ part, pose }) => ({ line: pool.lines[part], pose })),
    heightMm: packed.heightMm,
    // A chamber that has room for more says little.
    capacityMm3:
      count < pool.lines.length ? kept.reduce((sum, { part }) => sum + volumeOf(pool, part), 0) : capacityMm3,
  };
}

const volumeOf = ({ upToMm3 }: Pool, part: number): number => upToMm3[part] - (part === 0 ? 0 : upToMm3[part - 1]);

/** Numbers of parts from the beginning of a pool that may be a chamber: all, but for those within groups that must be whole. */
function cutsOf({ groups, countOf }: Pool): number[] {
  const cuts: number[] = [];
  let ofGroup = 0;
  for (const [i, group] of groups.entries()) {
    ofGroup = group === groups[i - 1] ? ofGroup + 1 : 1;
    if (!isLast(group) || ofGroup === countOf.get(group)) cuts.push(i + 1);
  }
  return cuts;
}

/** The parts after the first `count` that may be put into gaps: those of the group that these begin, single ones, and whole groups. */
function followersOf({ groups, countOf }: Pool, count: number): number[] {
  const straddling = groups[count - 1];
  const inPool = new Map<OpenGroup, number>();
  for (const group of groups) inPool.set(group, (inPool.get(group) ?? 0) + 1);
  return [...groups.keys()].filter(
    (i) =>
      i >= count &&
      (groups[i] === straddling || !groups[i].isLimited || inPool.get(groups[i]) === countOf.get(groups[i])),
  );
}

/** The parts that have places, without those of groups that are begun beside the sequence and not whole. */
function withoutBroken(
  places: readonly { readonly part: number; readonly pose: Pose | undefined }[],
  { groups }: Pool,
  count: number,
): { readonly part: number; readonly pose: Pose }[] {
  const straddling = groups[count - 1];
  const broken = new Set(
    places.filter(({ part, pose }) => pose === undefined && groups[part].isLimited).map(({ part }) => groups[part]),
  );
  broken.delete(straddling);
  return places.flatMap(({ part, pose }) => (pose === undefined || broken.has(groups[part]) ? [] : [{ part, pose }]));
}
