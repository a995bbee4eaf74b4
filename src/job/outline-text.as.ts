// AssemblyScript, part of the kernel `shape-kernel.as.ts`: outlines as the data of an SVG path, in mm.

import { cornerCount, corners } from "./simple-outlines.as";
import { Y } from "./traced-outlines.as";

const PER_MM: u32 = 10_000;
const BLANK: u32 = 0x20;
const MINUS: u32 = 0x2d;
const POINT: u32 = 0x2e;
const ZERO: u32 = 0x30;
const MOVE: u32 = 0x4d;
const LINE: u32 = 0x4c;
const CLOSE: u32 = 0x5a;

/** Writes the text from an address on, where there are {@link CORNER_BYTES} for each corner, and returns the address after it. */
export function writeText(at: usize): usize {
  let to = at;
  for (let k: u32 = 0; k < cornerCount; k++) {
    const x = load<i32>(corners + (k << 3));
    const isFirst = (x & 1) !== 0;
    if (isFirst && k > 0) to = writeTwo(to, CLOSE, BLANK);
    to = writeTwo(to, isFirst ? MOVE : LINE, BLANK);
    to = writeMm(to, x >> 1);
    to = writeMm(to, load<i32>(corners + (k << 3), Y));
  }
  if (cornerCount > 0) store<u8>(to++, CLOSE);
  return to;
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function writeTwo(to: usize, first: u32, second: u32): usize {
  store<u16>(to, first | (second << 8));
  return to + 2;
}

/** Writes tenths of microns as mm, and a blank. Returns the address behind them. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function writeMm(to: usize, tenths: i32): usize {
  if (tenths < 0) store<u8>(to++, MINUS);
  const value: u32 = abs(tenths);
  // Quotients by multiplication: the compilers of runtimes divide, which takes ten times as long.
  let whole = <u32>((<u64>value * 0xd1b7_1759) >> 45);
  const rest = value - whole * PER_MM;
  const digits: u32 = whole < 10 ? 1 : whole < 100 ? 2 : whole < 1000 ? 3 : whole < 10_000 ? 4 : 6;
  for (let at = to + digits; at > to;) {
    const tenth = <u32>((<u64>whole * 0xcccc_cccd) >> 35);
    store<u8>(--at, ZERO + whole - 10 * tenth);
    whole = tenth;
  }
  to += digits;
  if (rest > 0) {
    const first = (rest * 5243) >> 19;
    const last = rest - first * 100;
    store<u8>(to, POINT);
    store<u32>(to + 1, pairOf(first) | (pairOf(last) << 16));
    to += last > 0 ? 5 : 3;
    while (load<u8>(to - 1) === ZERO) to--;
  }
  store<u8>(to, BLANK);
  return to + 1;
}

/** Two digits of a number below 100, the first one in the lower byte. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function pairOf(value: u32): u32 {
  const tens = (value * 205) >> 11;
  return (ZERO + tens) | ((ZERO + value - tens * 10) << 8);
}
