import type { Pose } from "../geometry/pose.ts";

/** A packing to make: parts, of which the first `required` must find a place, and are placed before the others. */
export interface ChamberTry {
  /** The line of each part. */
  readonly lines: readonly number[];
  readonly required: number;
  /** Number of the order in which the packer places parts. */
  readonly start: number;
}

/** A packing: the pose of each part of a try, if it has a place, and the height of the highest part. */
export interface TriedChamber {
  readonly poses: readonly (Pose | undefined)[];
  readonly heightMm: number;
}

/** Makes packings, several at a time; the results are in the order of the tries. */
export type PackChambers = (tries: readonly ChamberTry[]) => Promise<readonly TriedChamber[]>;

/** The first parts of a sequence, all packed. */
export interface Prefix {
  readonly count: number;
  readonly start: number;
  readonly packed: TriedChamber;
}

interface PrefixRequest {
  /** The line of each part of the sequence. */
  readonly lines: readonly number[];
  /** Volume of the parts up to and with each one. */
  readonly upToMm3: readonly number[];
  /** Numbers of parts that may be packed, from the least one. */
  readonly cuts: readonly number[];
  /** Volume of the parts that a chamber seems to hold. */
  readonly capacityMm3: number;
  readonly roomHeightMm: number;
  /** Packings at most once one has succeeded. */
  readonly mostTries: () => number;
}

/** Volumes that are packed first, as shares of what a chamber seems to hold: one that should fit, and one that should not. */
const GUESSES = [0.95, 1.03];
/** Shares of the volume of a failed packing that are packed next while none has succeeded. */
const LOWER_GUESSES = [0.75, 0.88];

/**
 * The most parts from the beginning of a sequence that the packer finds places for: it gallops from what a chamber seems to hold, then
 * divides the interval, and packs the first number that failed in other orders while there are tries. Undefined if the least number fails.
 */
export async function longestPrefix(
  { cuts, lines, upToMm3, capacityMm3, roomHeightMm, mostTries }: PrefixRequest,
  pack: PackChambers,
): Promise<Prefix | undefined> {
  const volumeAt = (cut: number): number => upToMm3[cuts[cut] - 1];
  const lastWithin = (volumeMm3: number): number => cuts.findLastIndex((_, cut) => volumeAt(cut) <= volumeMm3);
  let best: Prefix | undefined;
  let low = -1;
  let expectedMm3 = capacityMm3;
  let start = 0;
  /** Cuts for which a packing failed, and one beyond all. */
  const failed = new Set([cuts.length]);
  for (let used = 0; !best || used < mostTries();) {
    const high = [...failed].filter((cut) => cut > low).reduce((least, cut) => Math.min(least, cut));
    const isClosed = low + 1 === high;
    if (isClosed && (high === cuts.length || !best)) break;
    const between = (cut: number): number => Math.max(low + 1, Math.min(cut, high - 1));
    const guesses = (): number[] => {
      if (high === cuts.length) return GUESSES.map((share) => lastWithin(share * expectedMm3));
      if (!best) return LOWER_GUESSES.map((share) => lastWithin(share * volumeAt(high)));
      return [1 / 3, 2 / 3].map((share) => Math.round(low + share * (high - low)));
    };
    const wanted = isClosed
      ? [high, high].map((cut) => ({ cut, start: ++start }))
      : [...new Set(guesses().map(between))].map((cut) => ({ cut, start: 0 }));
    const tries = wanted.slice(0, Math.max(1, mostTries() - used));
    const packings = await pack(
      tries.map((one) => ({ lines: lines.slice(0, cuts[one.cut]), required: cuts[one.cut], start: one.start })),
    );
    used += tries.length;
    for (const [i, packed] of packings.entries()) {
      const { cut, start: own } = tries[i];
      if (packed.poses.includes(undefined)) failed.add(cut);
      else if (cut > low) {
        [low, best] = [cut, { count: cuts[cut], start: own, packed }];
        expectedMm3 = (volumeAt(cut) * roomHeightMm) / packed.heightMm;
      }
    }
  }
  return best;
}
