/** Sets that are compared: each begins at another place. */
const MOST_STARTS = 200;
/** Sets whose least distances differ by less are as good: a share of the whole. */
const ALIKE = 1e-3;

interface Choice {
  /** Numbers of the places. */
  readonly chosen: number[];
  /** From one to the next. */
  readonly leastMm: number;
}

/**
 * Of ascending places along a closed line at most so many, no two nearer than `apartMm`: as many as can be, then as far apart
 * as can be. Each set takes the places that are nearest to where even spacing from its first wants them.
 */
export function spreadEvenly(placesMm: readonly number[], lengthMm: number, apartMm: number, most: number): number[] {
  const stride = Math.ceil(placesMm.length / MOST_STARTS);
  let best: Choice = { chosen: [], leastMm: 0 };
  for (let start = 0; start < placesMm.length; start += stride) {
    const choice = choiceFrom(start, placesMm, lengthMm, apartMm, most);
    const isMore = choice.chosen.length > best.chosen.length;
    const isWider = choice.leastMm > best.leastMm + ALIKE * lengthMm;
    if (isMore || (choice.chosen.length === best.chosen.length && isWider)) best = choice;
  }
  return best.chosen;
}

function choiceFrom(
  start: number,
  placesMm: readonly number[],
  lengthMm: number,
  apartMm: number,
  most: number,
): Choice {
  const count = placesMm.length;
  const awayOf = (step: number): number => {
    const away = placesMm[(start + step) % count] - placesMm[start];
    return away < 0 ? away + lengthMm : away;
  };
  const chosen = [start];
  let last = 0;
  let leastMm = lengthMm;
  for (let i = 1; i < most; i++) {
    const wanted = (i / most) * lengthMm;
    const [from, to] = [last + apartMm, lengthMm - apartMm];
    const next = firstAtLeast(Math.max(from, Math.min(to, wanted)), count, awayOf);
    const free = [next - 1, next].filter(
      (step) => step > 0 && step < count && awayOf(step) >= from && awayOf(step) <= to,
    );
    if (free.length === 0) break;
    const step = free.reduce((near, one) =>
      Math.abs(awayOf(one) - wanted) < Math.abs(awayOf(near) - wanted) ? one : near,
    );
    chosen.push((start + step) % count);
    leastMm = Math.min(leastMm, awayOf(step) - last);
    last = awayOf(step);
  }
  return { chosen, leastMm: Math.min(leastMm, lengthMm - last) };
}

/** The first of ascending values that is not less; their number where there is none. */
function firstAtLeast(value: number, count: number, valueOf: (i: number) => number): number {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = (from + to) >> 1;
    if (valueOf(middle) < value) from = middle + 1;
    else to = middle;
  }
  return from;
}
