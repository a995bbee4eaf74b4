// AssemblyScript, part of the kernel `volume-kernel.as.ts`: the runs of the volumes of pixels.

import { OVERLAP, firstWord, forgetMixed, gatherRow, hasMixed, isMixed, lastWord, sharedBits, sharedCover } from "./body-shares.as";
import { rounded } from "../raster/coverage.as";
import { columns } from "../raster/row-pieces.as";
import { addRun, beginSpans, endRowsBefore, endSpans, placeSpans } from "../raster/row-spans.as";
import { changeCount, firstPiece, piecesEnd, reserve } from "./slab-pieces.as";
import { endRow, firstRow, openEndColumn, openEndRow, openFirstColumn, openFirstRow } from "./slab-polygons.as";

const FULL: f64 = 255;
/** The value of runs of pixels that the sum does not tell: bodies share them, or the volume clips them. */
const UNKNOWN: i32 = 0;
/** Rounding errors of sums do not decide between two greys: a share that is nearly half a grey is rounded up. */
const TIE: f64 = 1e-8;

/** Sum of the volumes in pixels, without pixels of unknown volume. */
export let volume: f64 = 0;
/** If set: the pixels of each row inside the volume that clips bodies are those from `clipStarts` to before `clipEnds` (2 bytes each). */
export let isClipped: i32 = 0;
export let clipStarts: usize;
export let clipEnds: usize;
let clipStart: i32;
let clipEnd: i32;
let mayMix: bool;

/** Begins the runs of a slab. */
export function beginVolume(): void {
  const count = changeCount + 6 * (max(endRow, openEndRow) - min(firstRow, openFirstRow) + 1);
  reserve(<usize>count * 5 + 64);
  placeSpans((piecesEnd + 7) & ~7, count);
  beginSpans();
  volume = 0;
}

export function endVolume(): void {
  endSpans();
}

/** Writes the rows from `from` to before `to`, in ascending order. */
export function volumeRows(from: i32, to: i32): void {
  for (let row = from; row < to; row++) {
    endRowsBefore(row);
    const isOpen = row >= openFirstRow && row < openEndRow;
    if (isOpen || firstPiece(row) !== 0) writeRow(row, isOpen);
  }
}

function writeRow(row: i32, isOpen: bool): void {
  clipStart = isClipped ? <i32>load<u16>(clipStarts + (row << 1)) : 0;
  clipEnd = isClipped ? <i32>load<u16>(clipEnds + (row << 1)) : columns;
  mayMix = gatherRow(row, openFirstColumn, isOpen ? openEndColumn : openFirstColumn);
  const isPlain = !mayMix && !isClipped;
  let sum: f64 = 0;
  let total: f64 = 0;
  let from = 0;
  for (let word = firstWord; word <= lastWord; word++) {
    const bitsAt = sharedBits + (<usize>word << 3);
    let bits = load<u64>(bitsAt);
    if (bits === 0) continue;
    store<u64>(bitsAt, 0);
    for (; bits !== 0; bits &= bits - 1) {
      const pixel = (word << 6) + <i32>ctz(bits);
      const at = sharedCover + (<usize>pixel << 3);
      if (isPlain && abs(sum - 0.5) <= 0.5 + OVERLAP) {
        // As below, without the cases that are not plain.
        if (from < pixel) {
          total += sum * <f64>(pixel - from);
          const value = min(<i32>FULL, <i32>(sum * FULL + (0.5 + TIE)));
          if (value > 0) addRun(from, pixel, value);
        }
      } else writePixels(from, pixel, sum);
      sum += load<f64>(at);
      store<f64>(at, 0);
      from = pixel;
    }
  }
  writePixels(from, columns, sum);
  volume += total;
  if (mayMix) forgetMixed();
}

/** Writes pixels with the same sum over bodies. */
function writePixels(from: i32, end: i32, sum: f64): void {
  const to = min(end, columns);
  if (from >= to) return;
  // A single body whose sum is more than the pixel, and not whole, overlaps itself.
  const isUnknown = mayMix
    ? hasMixed && isMixed(from)
    : sum < -OVERLAP || (sum > 1 + OVERLAP && abs(sum - nearest(sum)) > OVERLAP);
  const share = sum > 1 ? 1 : sum;
  const value = isUnknown ? UNKNOWN : rounded(share * FULL + TIE);
  if (value <= 0 && !isUnknown) volume += share * <f64>(to - from);
  else if (from >= clipStart && to <= clipEnd) writeRun(from, to, value, share);
  else {
    if (from < clipStart) addRun(from, min(to, clipStart), UNKNOWN);
    writeRun(max(from, clipStart), min(to, clipEnd), value, share);
    if (to > clipEnd) addRun(max(from, clipEnd), to, UNKNOWN);
  }
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function writeRun(from: i32, to: i32, value: i32, share: f64): void {
  if (from >= to) return;
  if (value !== UNKNOWN) volume += share * <f64>(to - from);
  addRun(from, to, value);
}
