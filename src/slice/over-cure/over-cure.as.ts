// AssemblyScript, compiled by `bun run wasm` to `over-cure.wasm.ts`. `over-cure.ts` allocates its memory, describes the method and calls it.

import { ISLANDS, SUPPORTED, layers, rows, starts, ends, tables, values } from "./band-lists.as";
import { findPlain, isInHeld, isInTall, plainEnd } from "./plain-columns.as";

export { ends, layers, rows, starts, tables, values } from "./band-lists.as";
export { room, sets } from "./plain-columns.as";

/** Whether any layer has spans at supports or islands (1 or 0). */
export let hasKept: i32;

/** The item of each list that was last read, and the end of its row (4 bytes each). */
export let cursors: usize;

/** Doses of the layer that is drawn, as in `LayerDoses` (8 bytes each). */
export let depth: i32;
export let reach: usize;
export let steps: usize;
export let above: usize;
export let mostAbove: i32;
/** The dose of each coverage, 0 to 255, ascending (8 bytes each). */
export let doseOf: usize;
/** Entry i: the least coverage of the i uppermost layers, up to that which is drawn (4 bytes each). */
export let leasts: usize;

/** What was drawn: the end of each row (4 bytes), and items. */
export let drawnRows: usize;
export let drawnStarts: usize;
export let drawnEnds: usize;
export let drawnValues: usize;
export let drawnCount: i32 = 0;

/**
 * Pixels of the layer drawn before that are deep: their columns have had at least their coverage for as many layers as count. If their coverage
 * does not grow, they are so in the next layer, too. Two sets of rows and items, one for each of two layers.
 */
export let deepRows: usize;
export let deepStarts: usize;
export let deepEnds: usize;
export let deepValues: usize;
/** Items of a set. */
export let deepRoom: i32;
let set: i32 = 0;
let deepCount: i32 = 0;
let deepBefore: i32 = 0;
let deepBeforeEnd: i32 = 0;

const WHITE: i32 = 255;

/** The layer that is drawn. */
let layer: i32;
let row: i32;
let darkLevels: i32;
/** Whether the plain columns of the row are known: rows of walls do not need them. */
let isPlainFound: bool;
/** The column before which the piece that is drawn ends. */
let pieceEnd: i32;

/** Begins a band: nothing is known to be deep. */
export function beginBand(): void {
  memory.fill(deepRows, 0, (rows + 1) << 3);
}

/** Draws the band of a layer. */
export function draw(index: i32): void {
  layer = index;
  drawnCount = 0;
  deepCount = 0;
  set = 1 - set;
  darkLevels = levelsInDark();
  const table = load<u32>(tables + (<usize>layer << 2));
  for (row = 0; row < rows; row++) {
    const first = drawnCount;
    const firstDeep = deepCount;
    let item = table === 0 ? 0 : load<u32>(table + (<usize>row << 2));
    const end = table === 0 ? 0 : load<u32>(table + (<usize>row << 2), 4);
    if (item < end) beginRow();
    for (; item < end; item++) {
      const runEnd = <i32>load<u16>(ends + (<usize>item << 1));
      const coverage = <i32>load<u8>(values + item);
      for (let column = <i32>load<u16>(starts + (<usize>item << 1)); column < runEnd; column = pieceEnd) {
        pieceEnd = runEnd;
        const value = valueFrom(column, coverage, firstDeep);
        if (value > 0) addDrawn(first, column, value);
      }
    }
    store<u32>(drawnRows + (<usize>row << 2), drawnCount);
    store<u32>(rowsOfSet(set) + (<usize>row << 2), deepCount, 4);
  }
}

/** Pixels of at most so many levels are dark if all layers above that count go on; 0 if islands may hold them. */
function levelsInDark(): i32 {
  let levels = 0;
  while (levels < depth && reachOf(levels + 1) <= fromAbove(mostAbove)) levels++;
  for (let below = max(0, layer - levels); below <= layer; below++) {
    if (load<u32>(tables + (<usize>(ISLANDS * layers + below) << 2)) !== 0) return 0;
  }
  return levels;
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function rowsOfSet(which: i32): usize {
  return deepRows + <usize>(which * (rows + 1)) * 4;
}

function beginRow(): void {
  isPlainFound = false;
  const from = max(0, layer - depth);
  const to = min(layers - 1, layer + mostAbove);
  const kinds = hasKept === 0 ? 1 : 3;
  for (let kind = 0; kind < kinds; kind++) {
    for (let list = kind * layers + from; list <= kind * layers + to; list++) {
      const table = load<u32>(tables + (<usize>list << 2));
      const cursor = cursors + (<usize>list << 3);
      store<u32>(cursor, table === 0 ? 0 : load<u32>(table + (<usize>row << 2)));
      store<u32>(cursor, table === 0 ? 0 : load<u32>(table + (<usize>row << 2), 4), 4);
    }
  }
  const before = rowsOfSet(1 - set) + (<usize>row << 2);
  deepBefore = (1 - set) * deepRoom + load<i32>(before);
  deepBeforeEnd = (1 - set) * deepRoom + load<i32>(before, 4);
}

/** The value of a pixel in a list, columns ascending. The piece ends where it changes. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
function read(list: i32, column: i32): i32 {
  const cursor = cursors + (<usize>list << 3);
  let item = load<u32>(cursor);
  const end = load<u32>(cursor, 4);
  while (item < end && <i32>load<u16>(ends + (<usize>item << 1)) <= column) item++;
  store<u32>(cursor, item);
  if (item === end) return 0;
  const start = <i32>load<u16>(starts + (<usize>item << 1));
  if (column < start) {
    if (start < pieceEnd) pieceEnd = start;
    return 0;
  }
  const itemEnd = <i32>load<u16>(ends + (<usize>item << 1));
  if (itemEnd < pieceEnd) pieceEnd = itemEnd;
  return <i32>load<u8>(values + item);
}

/** The coverage that gives the piece from `column` on its dose. */
function valueFrom(column: i32, coverage: i32, firstDeep: i32): i32 {
  if (isDeepBefore(column, coverage)) {
    addDeep(firstDeep, column, coverage);
    return coverage;
  }
  if (hasKept !== 0 && read(SUPPORTED * layers + layer, column) > 0) return coverage;
  if (!isPlainFound) {
    findPlain(row, layer, darkLevels, mostAbove);
    isPlainFound = true;
  }
  if (darkLevels > 0 && !isHeld(column) && isTall(column)) return 0;
  let least = coverage;
  let levels = 1;
  store<i32>(leasts, coverage, 4);
  // One more than `depth` tells whether a face is flat.
  while (levels < depth || (levels === depth && least < coverage)) {
    const below = layer - levels;
    if (below < 0 || (hasKept !== 0 && read(ISLANDS * layers + below + 1, column) > 0)) break;
    const covered = read(below, column);
    if (covered < least && (hasKept === 0 || read(SUPPORTED * layers + below, column) === 0)) least = covered;
    if (least === 0) break;
    store<i32>(leasts + (<usize>++levels << 2), least);
  }
  if (least < coverage) {
    const limit = least > 0 ? Infinity : reachOf(min(levels, depth));
    const goesOn = isTall(column);
    const count = goesOn ? mostAbove : layersAbove(column, coverage, limit);
    return coverageFor(doseAt(goesOn ? darkLevels + 1 : 1, levels, least, fromAbove(count)), coverage);
  }
  addDeep(firstDeep, column, coverage);
  return coverage;
}

/** Whether the piece has something in each of the layers below that count for the dark. It ends where that changes. */
function isHeld(column: i32): bool {
  const is = isInHeld(column);
  pieceEnd = min(pieceEnd, plainEnd);
  return is;
}

/** Whether the piece goes on in all layers above that count. It ends where that changes. */
function isTall(column: i32): bool {
  const is = isInTall(column);
  pieceEnd = min(pieceEnd, plainEnd);
  return is;
}

/** Whether the piece was deep in the layer before. It ends where that changes. */
function isDeepBefore(column: i32, coverage: i32): bool {
  while (deepBefore < deepBeforeEnd && <i32>load<u16>(deepEnds + (<usize>deepBefore << 1)) <= column) deepBefore++;
  if (deepBefore === deepBeforeEnd) return false;
  const start = <i32>load<u16>(deepStarts + (<usize>deepBefore << 1));
  if (column < start) {
    pieceEnd = min(pieceEnd, start);
    return false;
  }
  pieceEnd = min(pieceEnd, <i32>load<u16>(deepEnds + (<usize>deepBefore << 1)));
  return coverage <= <i32>load<u8>(deepValues + deepBefore);
}

/** Layers above this one in which the pixel goes on, as far as they count: not once they cure more than `limit`, and the pixel is dark. */
function layersAbove(column: i32, coverage: i32, limit: f64): i32 {
  let count = 0;
  while (count < mostAbove && fromAbove(count) < limit && 2 * read(layer + count + 1, column) >= coverage) count++;
  return count;
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function fromAbove(layers: i32): f64 {
  return load<f64>(above + (<usize>layers << 3));
}

// @ts-ignore: a decorator of AssemblyScript.
@inline
function leastOf(level: i32): i32 {
  return load<i32>(leasts + (<usize>level << 2));
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
function reachOf(level: i32): f64 {
  return load<f64>(reach + (<usize>level << 3));
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
function doseOfCoverage(coverage: i32): f64 {
  return load<f64>(doseOf + (<usize>coverage << 3));
}
// @ts-ignore: a decorator of AssemblyScript.
@inline
function clamped(dose: f64): f64 {
  return min<f64>(1, max<f64>(0, dose));
}

/** Within 1e-8 for exponents up to 10. The table of the library function would be where the arrays are. */
function exponential(exponent: f64): f64 {
  const part = exponent / 16;
  let sum: f64 = 1;
  for (let term = 9; term > 0; term--) sum = 1 + (sum * part) / <f64>term;
  for (let doubling = 0; doubling < 4; doubling++) sum *= sum;
  return sum;
}

/** The dose of a pixel: `rest` of it is deeper than `levels` layers, and what is less than `first` layers deep is dark. */
function doseAt(first: i32, levels: i32, rest: i32, fromAbove: f64): f64 {
  if (rest === 0 && levels > 1 && leastOf(levels) < WHITE && leastOf(levels - 1) === WHITE) {
    if (levels > depth) return 1;
    const from = reachOf(levels - 1);
    const share = <f64>leastOf(levels) / WHITE;
    return clamped(from * exponential(share * load<f64>(steps + (<usize>levels << 3))) - fromAbove);
  }
  let dose: f64 = 0;
  let before: f64 = 0;
  for (let level = first; level <= min(levels, depth); level++) {
    const share = clamped(reachOf(level) - fromAbove);
    dose += (share - before) * doseOfCoverage(leastOf(level));
    before = share;
  }
  return dose + (1 - before) * doseOfCoverage(rest);
}

/** The coverage, at most `most`, whose dose is nearest; the smaller one of two. */
function coverageFor(dose: f64, most: i32): i32 {
  // Doses are not far from coverages.
  let next = min(most, <i32>(dose * WHITE));
  while (next < most && doseOfCoverage(next) < dose) next++;
  while (next > 0 && doseOfCoverage(next - 1) >= dose) next--;
  return next > 0 && dose - doseOfCoverage(next - 1) <= doseOfCoverage(next) - dose ? next - 1 : next;
}

function addDrawn(rowFirst: i32, column: i32, value: i32): void {
  const at = <usize>drawnCount << 1;
  const isNext = drawnCount > rowFirst && <i32>load<u16>(drawnEnds + at - 2) === column;
  if (isNext && <i32>load<u8>(drawnValues + drawnCount - 1) === value) {
    store<u16>(drawnEnds + at - 2, pieceEnd);
    return;
  }
  store<u16>(drawnStarts + at, column);
  store<u16>(drawnEnds + at, pieceEnd);
  store<u8>(drawnValues + drawnCount++, value);
}

function addDeep(rowFirst: i32, column: i32, value: i32): void {
  const last = set * deepRoom + deepCount;
  const at = <usize>last << 1;
  const isNext = deepCount > rowFirst && <i32>load<u16>(deepEnds + at - 2) === column;
  if (isNext && <i32>load<u8>(deepValues + last - 1) === value) {
    store<u16>(deepEnds + at - 2, pieceEnd);
    return;
  }
  store<u16>(deepStarts + at, column);
  store<u16>(deepEnds + at, pieceEnd);
  store<u8>(deepValues + last, value);
  deepCount++;
}
