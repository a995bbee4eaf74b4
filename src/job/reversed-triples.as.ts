// AssemblyScript, compiled by `bun run wasm` to `reversed-triples.wasm.ts`. `reversed-triples.ts` allocates its memory and calls it.

import { endOf, firstRun, height, startOf, valueOf } from "./layer-runs.as";

export { ends, height, rowStarts, starts, values } from "./layer-runs.as";

/** The reversed layer, as the arrays of `layer-runs.as.ts`. */
export let toRowStarts: usize;
export let toStarts: usize;
export let toEnds: usize;
export let toValues: usize;

/** Number of runs, and the value and end of the last one of the row. */
let count: u32;
let lastValue: u32;
let lastEnd: u32;
/** First column of the present triple, and the values of its pixels that are in runs within it, from the lowest byte on. */
let first: u32;
let pixels: u32;

/** Reverses the order of the columns of each three. */
export function reverseTriples(): void {
  count = 0;
  store<u32>(toRowStarts, 0);
  for (let row: u32 = 0; row < height; row++) {
    lastValue = 0;
    pixels = 0;
    for (let run = firstRun(row), end = firstRun(row + 1); run < end; run++) {
      addRun(startOf(run), endOf(run), valueOf(run));
    }
    releasePixels();
    store<u32>(toRowStarts + ((row + 1) << 2), count);
  }
}

/** Adds the whole triples of a run as a run, and holds its pixels in other triples. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function addRun(start: u32, end: u32, value: u32): void {
  const stop = end - (end % 3);
  const begin = min(start + 2 - ((start + 2) % 3), end);
  for (let at = start; at < begin; at++) hold(at, value);
  if (stop > begin) {
    releasePixels();
    push(begin, stop, value);
  }
  for (let at = max(stop, begin); at < end; at++) hold(at, value);
}

/** Holds a pixel until those of its triple are known. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function hold(at: u32, value: u32): void {
  const column = at % 3;
  if (at - column !== first) {
    releasePixels();
    first = at - column;
  }
  pixels |= value << (column << 3);
}

/** Adds the held pixels as runs, in reverse order. */
function releasePixels(): void {
  if (pixels === 0) return;
  const right = pixels >> 16;
  const middle = (pixels >> 8) & 255;
  const left = pixels & 255;
  if (right > 0) push(first, first + 1, right);
  if (middle > 0) push(first + 1, first + 2, middle);
  if (left > 0) push(first + 2, first + 3, left);
  pixels = 0;
}

/** Adds a run. If it continues the last run of the row, that is longer instead. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function push(start: u32, end: u32, value: u32): void {
  if (value === lastValue && start === lastEnd) {
    lastEnd = end;
    store<u16>(toEnds + ((count - 1) << 1), end);
    return;
  }
  lastValue = value;
  lastEnd = end;
  store<u16>(toStarts + (count << 1), start);
  store<u16>(toEnds + (count << 1), end);
  store<u8>(toValues + count, value);
  count++;
}
