// RFC 1951, section 3.2.7: lengths of codes are themselves written as symbols, with these for repetitions.
const REPEAT = { symbol: 16, min: 3, max: 6, bits: 2 } as const;
const FEW_ZEROS = { symbol: 17, min: 3, max: 10, bits: 3 } as const;
const MANY_ZEROS = { symbol: 18, min: 11, max: 138, bits: 7 } as const;
/** The lengths 0 to 15 and the three repetitions. */
export const CODE_LENGTH_SYMBOLS = 19;

/** A length of a code, or how often one is repeated. */
export interface CodeLengthRun {
  readonly symbol: number;
  /** What follows the symbol: a number and how many bits it takes. */
  readonly extra: readonly [bits: number, length: number];
}

/** The lengths of codes, in order, as a block of deflate tells them. */
export function codeLengthRuns(lengths: Uint8Array): CodeLengthRun[] {
  const runs: CodeLengthRun[] = [];
  for (let at = 0; at < lengths.length;) {
    const value = lengths[at];
    let end = at + 1;
    while (end < lengths.length && lengths[end] === value) end++;
    if (value > 0) runs.push(single(value), ...repetitions(end - at - 1, [REPEAT], value));
    else runs.push(...repetitions(end - at, [MANY_ZEROS, FEW_ZEROS], 0));
    at = end;
  }
  return runs;
}

type Repetition = typeof REPEAT | typeof FEW_ZEROS | typeof MANY_ZEROS;

/** `count` times `value`: by the first of the kinds that fits, again and again, and what is left one by one. */
function repetitions(count: number, kinds: readonly Repetition[], value: number): CodeLengthRun[] {
  const kind = kinds.find(({ min }) => count >= min);
  if (kind === undefined) return Array.from({ length: count }, () => single(value));
  const taken = Math.min(count, kind.max);
  const run: CodeLengthRun = { symbol: kind.symbol, extra: [taken - kind.min, kind.bits] };
  return [run, ...repetitions(count - taken, kinds, value)];
}

const single = (length: number): CodeLengthRun => ({ symbol: length, extra: [0, 0] });
