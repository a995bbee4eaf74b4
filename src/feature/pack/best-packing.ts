import type { Balancing, PackRequest, Packing } from "../../pack/pack-chamber.ts";

/**
 * How a powder chamber is packed (interface supplement, `packing_mode`). HEIGHT: as low as possible. BALANCED: at most 10 % higher than
 * that, large level faces are tilted, the areas of the layers are kept even and thick bodies apart.
 */
export const PACKING_MODES = ["BALANCED", "HEIGHT"] as const;
export type PackingMode = (typeof PACKING_MODES)[number];

/** Makes one packing, on this thread or another one: number `index` of at most `count`. */
export type PackOnce = (
  request: PackRequest,
  share: { readonly index: number; readonly count: number },
) => Promise<Packing>;

/** Packings of at most this many parts are started in two orders at the same time. */
const MAX_STARTED_TWICE = 300;
/**
 * Packings of at most this many parts are also made within the box of a rounded chamber: few large parts waste a layer if their rows
 * are not aligned.
 */
const MAX_BOXED = 100;

/** Interface supplement, `packing_mode`: the top stays within 10 % of that of a packing by height alone. */
const HIGHER_BY = 1.05;
/** Tried first: weighs the causes of warping, and allows tilts, which cost height. */
const EVEN: readonly Balancing[] = [{ weight: 0.5, tilts: true }];
/** Tried at the same time, in case that result is not low enough; the first one that is low enough is used. */
const LESS_EVEN: readonly Balancing[] = [
  { weight: 0.1, tilts: true },
  { weight: 0.3, tilts: false },
];

/** The beginning of a packing. */
type Start = Required<Pick<PackRequest, "start">> & Pick<PackRequest, "isInBox">;

/**
 * The best packing of parts: the one with the most parts; among these, for HEIGHT the lowest, for BALANCED the most even one that is
 * at most slightly higher than the lowest by height alone. Both modes choose among the same packings, so that HEIGHT never gives a
 * higher one.
 */
export async function bestPacking(
  { mode, ...request }: Omit<PackRequest, keyof Start | "balance"> & { readonly mode: PackingMode },
  packOnce: PackOnce,
): Promise<Packing> {
  const { parts, region } = request;
  const starts: Start[] = [{ start: 0 }];
  if (parts.length <= MAX_STARTED_TWICE) starts.push({ start: 1 });
  if (parts.length <= MAX_BOXED && region.filletRadiusMm > 0) starts.push({ start: 0, isInBox: true });
  const count = starts.length + EVEN.length + LESS_EVEN.length;
  const lows = await Promise.all(
    starts.map(async (start, index) => ({ start, ...(await packOnce({ ...request, ...start }, { index, count })) })),
  );
  const { start, ...low } = lows.reduce((best, one) => (isBetter(one, best) ? one : best));
  if (low.tooLarge || low.placed < parts.length) return low;
  const heightMm = Math.max(HIGHER_BY * low.heightMm, Math.min(low.jobMm, region.max[2] - region.min[2]));
  const balanced = async (balancings: readonly Balancing[], from: number): Promise<Packing[]> => {
    const packings = await Promise.all(
      balancings.map((balancing, i) =>
        packOnce({ ...request, ...start, balance: { heightMm, ...balancing } }, { index: from + i, count }),
      ),
    );
    return packings.filter(({ placed }) => placed === parts.length);
  };
  let even = await balanced(EVEN, starts.length);
  if (even.length === 0) even = await balanced(LESS_EVEN, starts.length + EVEN.length);
  if (mode === "HEIGHT") return [low, ...even].reduce((best, one) => (isBetter(one, best) ? one : best));
  return even[0] ?? low;
}

const isBetter = (one: Packing, other: Packing): boolean =>
  one.placed > other.placed || (one.placed === other.placed && one.heightMm < other.heightMm);
