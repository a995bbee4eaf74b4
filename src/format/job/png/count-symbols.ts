import type { ByteRuns } from "./byte-runs.ts";
import { END_OF_BLOCK, LENGTH_SYMBOLS, lengthSymbol, LONGEST_MATCH, MAX_MATCH, MIN_MATCH } from "./length-codes.ts";

/**
 * How often a block of deflate takes each symbol to write the bytes: a run is a literal and then matches of the longest
 * kind with the byte before, the rest a shorter match or, where it is too short for one, literals.
 */
export function countSymbols({ values, lengths, size }: ByteRuns): Uint32Array {
  const counts = new Uint32Array(LENGTH_SYMBOLS);
  for (let i = 0; i < size; i++) {
    const value = values[i];
    let rest = lengths[i] - 1;
    if (rest >= MAX_MATCH) {
      counts[LONGEST_MATCH] += Math.floor(rest / MAX_MATCH);
      rest %= MAX_MATCH;
    }
    counts[value]++;
    if (rest < MIN_MATCH) counts[value] += rest;
    else counts[lengthSymbol[rest]]++;
  }
  counts[END_OF_BLOCK] = 1;
  return counts;
}
