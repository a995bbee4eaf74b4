// AssemblyScript, part of the kernel `over-cure.as.ts`: most columns over faces that look down are dark, which is known from two sets of spans alone.
// A span is its first column and, 16 bits higher, the column after its last one.

import { HELD, SOLID, ends, layers, starts, tables } from "./band-lists.as";

/** Room for four sets of `room` spans (4 bytes each). */
export let sets: usize;
export let room: i32;

const WHOLE_ROW: u32 = 0xffff0000;

/** Spans of the row that is drawn: of pixels that are held in each of the layers below that count, and solid in each above. */
let heldSet: usize;
let heldCount: i32;
let heldAt: i32;
let tallSet: usize;
let tallCount: i32;
let tallAt: i32;
/** The column before which the last answer holds. */
export let plainEnd: i32;

// @ts-ignore: a decorator of AssemblyScript.
@inline
function startOf(span: u32): i32 {
  return <i32>(span & 0xffff);
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
function endOf(span: u32): i32 {
  return <i32>(span >>> 16);
}

/** Finds the pixels of a row that are held in the `below` layers below a layer, and those that are solid in the `above` layers above it. */
export function findPlain(row: i32, layer: i32, below: i32, above: i32): void {
  heldSet = sets;
  heldCount = 1;
  heldAt = 0;
  store<u32>(heldSet, WHOLE_ROW);
  for (let other = layer - 1; other >= max(0, layer - below) && heldCount > 0; other--) {
    const to = heldSet === sets ? sets + (<usize>room << 2) : sets;
    heldCount = intersect(heldSet, heldCount, HELD * layers + other, row, to);
    heldSet = to;
  }
  const tallSets = sets + (<usize>room << 3);
  tallSet = tallSets;
  tallCount = 1;
  tallAt = 0;
  store<u32>(tallSet, WHOLE_ROW);
  for (let other = layer + 1; other <= layer + above && tallCount > 0; other++) {
    const to = tallSet === tallSets ? tallSets + (<usize>room << 2) : tallSets;
    tallCount = intersect(tallSet, tallCount, SOLID * layers + other, row, to);
    tallSet = to;
  }
}

/** Writes the spans that a set and a row of a list have in common. Returns their number. */
function intersect(from: usize, fromCount: i32, list: i32, row: i32, to: usize): i32 {
  const table = load<u32>(tables + (<usize>list << 2));
  if (table === 0) return 0;
  let found = 0;
  let i = 0;
  let j = load<i32>(table + (<usize>row << 2));
  const end = load<i32>(table + (<usize>row << 2), 4);
  while (i < fromCount && j < end) {
    const a = load<u32>(from + (<usize>i << 2));
    const bEnd = <i32>load<u16>(ends + (<usize>j << 1));
    const start = max(startOf(a), <i32>load<u16>(starts + (<usize>j << 1)));
    const stop = min(endOf(a), bEnd);
    if (start < stop) {
      store<u32>(to + (<usize>found << 2), <u32>start | (<u32>stop << 16));
      found++;
    }
    if (endOf(a) < bEnd) i++;
    else j++;
  }
  return found;
}

/** Whether a pixel is held in each of the layers below. Columns ascend. */
export function isInHeld(column: i32): bool {
  while (heldAt < heldCount && endOf(load<u32>(heldSet + (<usize>heldAt << 2))) <= column) heldAt++;
  return isIn(heldSet, heldAt, heldCount, column);
}

/** Whether a pixel is solid in each of the layers above. Columns ascend. */
export function isInTall(column: i32): bool {
  while (tallAt < tallCount && endOf(load<u32>(tallSet + (<usize>tallAt << 2))) <= column) tallAt++;
  return isIn(tallSet, tallAt, tallCount, column);
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function isIn(spans: usize, at: i32, count: i32, column: i32): bool {
  plainEnd = 0xffff;
  if (at === count) return false;
  const span = load<u32>(spans + (<usize>at << 2));
  plainEnd = column < startOf(span) ? startOf(span) : endOf(span);
  return column >= startOf(span);
}
