/** Numbers from 0 up to 1, the same ones in every run. */
export type Random = () => number;

/** Any will do; the same one gives the same layouts. */
export const SEED = 1;

/** Tommy Ettinger's mulberry32, which he put into the public domain. */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
