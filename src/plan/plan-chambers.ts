import { must } from "../core/must.ts";
import { paired } from "../core/paired.ts";
import type { Pose } from "../geometry/pose.ts";
import { type ChamberLine, type ChamberPool, chamberPool, cutsOf, followersOf, volumeAt } from "./chamber-pool.ts";
import { type PackChambers, type Prefix, type TriedChamber, longestPrefix } from "./longest-prefix.ts";
import { groupsOf } from "./plan-plates.ts";

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

/** What a chamber holds before any is known, as a share of its volume. */
const FIRST_CAPACITY = 0.57;
/** Volume of the parts among which a chamber finds its own, in chambers: more than it holds. */
const POOL_ROOMS = 2;
/** Packings with parts that follow: the second without the groups of which the first placed only some. */
const GAP_TRIES = 2;

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
    const pool = chamberPool(groups, lines, left, POOL_ROOMS * roomMm3);
    const filled = await fillChamber(pool, request, capacityMm3, (tries) => {
      report(done / total);
      return pack(tries);
    });
    const { parts } = filled;
    for (const { line } of parts) left[line]--;
    done += parts.length;
    capacityMm3 = filled.capacityMm3;
    const lineSet = new Set(parts.map(({ line }) => line));
    for (const group of groups) if (group.lines.some((line) => lineSet.has(line))) group.platesUsed++;
    groups = groups.filter((group) => group.lines.some((line) => left[line] > 0));
    yield filled;
  }
}

interface FilledChamber extends PlannedChamber {
  /** Volume of the parts that a chamber seems to hold. */
  readonly capacityMm3: number;
}

async function fillChamber(
  pool: ChamberPool,
  { tries, isOverdue, roomMm3, roomHeightMm }: ChambersRequest,
  capacityMm3: number,
  pack: PackChambers,
): Promise<FilledChamber> {
  const search = (cuts: readonly number[]): Promise<Prefix | undefined> =>
    longestPrefix({ ...pool, cuts, capacityMm3, roomHeightMm, mostTries: () => (isOverdue() ? 1 : tries) }, pack);
  const first = must(pool.groups[0], "The first part");
  const ofFirst = pool.groups.filter((group) => group === first).map((_, i) => i + 1);
  // A group that must be whole and is too large for a chamber is divided all the same.
  const prefix = (await search(cutsOf(pool))) ?? must(await search(ofFirst), "A part that fits");
  const { parts, heightMm } = await withFollowers(prefix, pool, roomMm3, pack);
  return {
    parts: parts.map(({ part, pose }) => ({ line: must(pool.lines[part], "The line of a part"), pose })),
    heightMm,
    // A chamber that has room for more says little.
    capacityMm3:
      prefix.count < pool.lines.length
        ? parts.reduce((sum, { part }) => sum + volumeAt(pool, part) - volumeAt(pool, part - 1), 0)
        : capacityMm3,
  };
}

interface FilledParts {
  /** Indices in the pool. */
  readonly parts: readonly { readonly part: number; readonly pose: Pose }[];
  readonly heightMm: number;
}

/** A packed prefix, with parts that follow it in its gaps. Groups are begun beside the sequence only if they are whole. */
async function withFollowers(
  { count, start, packed }: Prefix,
  pool: ChamberPool,
  roomMm3: number,
  pack: PackChambers,
): Promise<FilledParts> {
  const prefix = [...Array(count).keys()];
  const alone: FilledParts = { parts: placedParts(prefix, packed), heightMm: packed.heightMm };
  let more = followersOf(pool, count, roomMm3);
  for (let tries = 0; more.length > 0; tries++) {
    const tried = [...prefix, ...more];
    const lines = tried.map((part) => must(pool.lines[part], "The line of a part"));
    const topped = must((await pack([{ lines, required: count, start }]))[0], "A packing");
    const parts = placedParts(tried, topped);
    const placed = new Set(parts.map(({ part }) => part));
    // Larger parts that follow may have changed the cells of the packer.
    if (!prefix.every((part) => placed.has(part))) break;
    const begun = pool.groups[count - 1];
    const broken = new Set(
      more
        .filter((part) => !placed.has(part))
        .map((part) => pool.groups[part])
        .filter((group) => group?.isLimited && group !== begun),
    );
    if (broken.size === 0 || tries + 1 === GAP_TRIES)
      return { parts: parts.filter(({ part }) => !broken.has(pool.groups[part])), heightMm: topped.heightMm };
    more = more.filter((part) => !broken.has(pool.groups[part]));
  }
  return alone;
}

/** The parts of a packing that have a place. */
const placedParts = (parts: readonly number[], { poses }: TriedChamber): FilledParts["parts"] =>
  paired(parts, poses).flatMap(([part, pose]) => (pose === undefined ? [] : [{ part, pose }]));
