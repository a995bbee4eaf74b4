import { type CodeLengthRun, CODE_LENGTH_SYMBOLS, codeLengthRuns } from "./code-length-runs.ts";
import { FIRST_LENGTH_SYMBOL } from "./length-codes.ts";
import { prefixCode } from "./prefix-code.ts";

// RFC 1951, sections 3.2.3 and 3.2.7.
const LAST_BLOCK = 1;
const DYNAMIC = 2;
const MAX_LENGTH = 7;
/** The order in which the lengths of the header's own codes stand, rare ones last; the first four always do. */
const ORDER = [16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15] as const;
const MIN_STANDING = 4;

/** A number and how many bits it takes. */
export type Bits = readonly [bits: number, length: number];

/** What a block says first: that it is the last, and its codes, by their lengths; `distances` follow `literals`. */
export function blockHeader(literals: Uint8Array, distances: Uint8Array): Bits[] {
  const used = literals.findLastIndex((length) => length > 0) + 1;
  const runs = codeLengthRuns(Uint8Array.of(...literals.subarray(0, used), ...distances));
  const { codes, lengths } = prefixCode(countsOf(runs), MAX_LENGTH);
  const standing = Math.max(MIN_STANDING, ORDER.findLastIndex((symbol) => lengths[symbol] > 0) + 1);
  return [
    [LAST_BLOCK, 1],
    [DYNAMIC, 2],
    [used - FIRST_LENGTH_SYMBOL, 5],
    [distances.length - 1, 5],
    [standing - MIN_STANDING, 4],
    ...ORDER.slice(0, standing).map((symbol): Bits => [lengths[symbol], 3]),
    ...runs.flatMap(({ symbol, extra }): Bits[] => [[codes[symbol], lengths[symbol]], extra]),
  ];
}

function countsOf(runs: readonly CodeLengthRun[]): Uint32Array {
  const counts = new Uint32Array(CODE_LENGTH_SYMBOLS);
  for (const { symbol } of runs) counts[symbol]++;
  return counts;
}
