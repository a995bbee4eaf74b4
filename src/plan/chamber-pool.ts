import type { OpenGroup, PlanLine } from "./plan-plates.ts";

/** Equal parts of an order that are printed in powder. Lines of one plan share machine, material and layers. */
export interface ChamberLine extends Omit<PlanLine, "shape"> {
  /** Volume of a part with about half the spacing around it, mm³. */
  readonly grownMm3: number;
}

/** Parts in the order in which they should be printed: those from which a chamber is filled. */
export interface ChamberPool {
  /** The line of each part. */
  readonly lines: readonly number[];
  readonly groups: readonly OpenGroup[];
  /** Volume of the parts up to and with each one, mm³. */
  readonly upToMm3: readonly number[];
  /** The parts of each group that are in no chamber yet, also those beyond the pool. */
  readonly countOf: ReadonlyMap<OpenGroup, number>;
}

/** As many as a scene may have. */
const MAX_CHAMBER_PARTS = 10_000;

/** What is left of begun groups, then the groups that follow, up to a volume. */
export function chamberPool(
  groups: readonly OpenGroup[],
  lines: readonly ChamberLine[],
  left: readonly number[],
  poolMm3: number,
): ChamberPool {
  const begun = groups.filter(({ platesUsed }) => platesUsed > 0);
  const others = groups.filter(({ platesUsed }) => platesUsed === 0);
  const pool = { lines: [] as number[], groups: [] as OpenGroup[], upToMm3: [] as number[] };
  const countOf = new Map<OpenGroup, number>();
  let volumeMm3 = 0;
  const isFull = (): boolean => volumeMm3 > poolMm3 || pool.lines.length >= MAX_CHAMBER_PARTS;
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

/** Volume of the parts of a pool up to and with one; 0 for part −1. */
export const volumeAt = ({ upToMm3 }: Pick<ChamberPool, "upToMm3">, part: number): number =>
  part < 0 ? 0 : upToMm3[part];

/** Whether no later chamber may have parts of a group: what a chamber has of it must be all that is left. */
const isLast = ({ isLimited, platesUsed, maxPlates }: OpenGroup): boolean => isLimited && platesUsed >= maxPlates - 1;

/** Numbers of parts from the beginning of a pool that may be a chamber: all, but for those within groups that must be whole. */
export function cutsOf({ groups, countOf }: ChamberPool): number[] {
  const cuts: number[] = [];
  let ofGroup = 0;
  for (const [i, group] of groups.entries()) {
    ofGroup = group === groups[i - 1] ? ofGroup + 1 : 1;
    if (!isLast(group) || ofGroup === countOf.get(group)) cuts.push(i + 1);
  }
  return cuts;
}

/** Volume of the parts that are tried in the gaps of others, as a share of the volume that these leave. */
const GAPS_SHARE = 0.6;

/**
 * The parts after the first `count` that may be put into gaps, in their order: those of the group that the first ones begin, single ones, and
 * whole groups, as far as their volume allows.
 */
export function followersOf(pool: ChamberPool, count: number, roomMm3: number): number[] {
  const { groups, countOf } = pool;
  const begun = groups[count - 1];
  let leftMm3 = GAPS_SHARE * (roomMm3 - volumeAt(pool, count - 1));
  const ofGroups = Map.groupBy(
    [...groups.keys()].filter((i) => i >= count),
    (i) => (groups[i].isLimited && groups[i] !== begun ? groups[i] : i),
  );
  return [...ofGroups.values()].flatMap((parts) => {
    const group = groups[parts[0]];
    if (group.isLimited && group !== begun && parts.length < (countOf.get(group) ?? 0)) return [];
    const volumeMm3 = volumeAt(pool, parts[parts.length - 1]) - volumeAt(pool, parts[0] - 1);
    if (volumeMm3 > leftMm3) return [];
    leftMm3 -= volumeMm3;
    return parts;
  });
}
