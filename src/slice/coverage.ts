import { ensureCapacity } from "../core/typed-arrays.ts";
import { type RowPieces, sortByLeft } from "./row-pieces.ts";

/** Winding number of each model's outlines at the current point of the sweep of a row. */
export class Winding {
  readonly #turns: Int32Array;
  readonly #boundary: number;
  #modelsInside = 0;

  /** `boundary`: the model whose outline clips all others; −1 for none. */
  constructor(modelCount: number, boundary: number) {
    this.#turns = new Int32Array(modelCount);
    this.#boundary = boundary;
  }

  /** Whether the point is solid: inside the boundary, and inside of at least one model (winding number above 0). */
  get isInside(): boolean {
    return this.#modelsInside > 0 && (this.#boundary < 0 || this.#turns[this.#boundary] > 0);
  }

  add(model: number, turns: number): void {
    const before = this.#turns[model];
    this.#turns[model] = before + turns;
    if (model === this.#boundary) return;
    if (before <= 0 && before + turns > 0) this.#modelsInside++;
    else if (before > 0 && before + turns <= 0) this.#modelsInside--;
  }
}

/**
 * Adds the coverage of one piece of outline to a row. `cover[p]` is the coverage of pixel p minus that of the pixel before
 * it, so that the running sum is the exact share of each pixel to the right of the outline: R. Levien's signed-area
 * accumulation (font-rs, 2016). `cover` is two entries longer than the row. `height` is the piece's extent in y, positive
 * where it runs down. Ends outside of the row are clamped to its border.
 */
export function addSignedArea(cover: Float64Array, xa: number, xb: number, height: number): void {
  const width = cover.length - 2;
  const left = Math.max(0, Math.min(width, xa, xb));
  const right = Math.min(width, Math.max(0, xa, xb));
  const first = Math.floor(left);
  const last = Math.floor(right);
  if (first === last) {
    const share = (left + right) / 2 - first;
    cover[first] += height * (1 - share);
    cover[first + 1] += height * share;
    return;
  }
  const perPixel = height / (right - left);
  const into = first + 1 - left;
  const firstCover = (perPixel * into * into) / 2;
  cover[first] += firstCover;
  let before = firstCover;
  if (last - first > 1) {
    cover[first + 1] += perPixel * (into + 0.5) - firstCover;
    for (let pixel = first + 2; pixel < last; pixel++) cover[pixel] += perPixel;
    before = perPixel * (into + (last - first - 2) + 0.5);
  }
  const out = right - last;
  const lastCover = perPixel * (last - left) + perPixel * out * (1 - out / 2);
  cover[last] += lastCover - before;
  cover[last + 1] += height - lastCover;
}

/** Up to this count an insertion sort is the fastest. */
const MAX_INSERTION_SORT = 32;

// There are many clusters, most of them small: their lists are reused, so that nothing is allocated for each cluster.

/** The x of both ends of all pieces, ascending. */
let ends = new Float64Array(64);
/**
 * The pieces that meet the top of the row, and the x of these points, from left to right. Each piece changes the winding number at the
 * top.
 */
let topCrossings = new Int32Array(64);
let topCrossingXs = new Float64Array(64);
/** The pieces of the current column, from the top down. */
const active: number[] = [];

/**
 * Adds the coverage of pieces of one row that may cross each other. `members` are sorted by their left ends. The ends and crossings of
 * pieces and the borders of pixels divide the row into columns in which the pieces are ordered vertically, so that the solid fraction
 * of a column is a sum of trapezoids. `winding` is the winding number to the left of the pieces; on return, to the right of them, at
 * `right`.
 */
export function addOverlapCoverage(
  pieces: RowPieces,
  members: Int32Array,
  right: number,
  winding: Winding,
  cover: Float64Array,
): void {
  const { x0, x1 } = pieces;
  const endCount = gatherEnds(pieces, members);
  const topCount = gatherTopCrossings(pieces, members);
  const isInsideBefore = winding.isInside;
  active.length = 0;
  let next = 0;
  let top = 0;
  for (let i = 0; i + 1 < endCount; i++) {
    const from = ends[i];
    const to = ends[i + 1];
    if (to - from <= MIN_COLUMN_PX) continue;
    for (; top < topCount && topCrossingXs[top] <= from; top++) crossAtTop(pieces, topCrossings[top], winding);
    for (; next < members.length && Math.min(x0[members[next]], x1[members[next]]) <= from; next++) {
      active.push(members[next]);
    }
    let kept = 0;
    for (const piece of active) if (Math.max(x0[piece], x1[piece]) >= to) active[kept++] = piece;
    active.length = kept;
    addColumns(pieces, active, from, to, winding, isInsideBefore, cover);
  }
  for (; top < topCount; top++) crossAtTop(pieces, topCrossings[top], winding);
  addSignedArea(cover, right, right, (winding.isInside ? 1 : 0) - (isInsideBefore ? 1 : 0));
}

function gatherEnds({ x0, x1 }: RowPieces, members: Int32Array): number {
  const count = 2 * members.length;
  ends = ensureCapacity(ends, count);
  for (let i = 0; i < members.length; i++) {
    ends[2 * i] = x0[members[i]];
    ends[2 * i + 1] = x1[members[i]];
  }
  if (count > MAX_INSERTION_SORT) ends.subarray(0, count).sort();
  else insertionSort(ends, count);
  return count;
}

function insertionSort(numbers: Float64Array, count: number): void {
  for (let i = 1; i < count; i++) {
    const number = numbers[i];
    let hole = i;
    for (; hole > 0 && numbers[hole - 1] > number; hole--) numbers[hole] = numbers[hole - 1];
    numbers[hole] = number;
  }
}

function gatherTopCrossings({ x0, y0, x1, y1 }: RowPieces, members: Int32Array): number {
  topCrossings = ensureCapacity(topCrossings, members.length);
  topCrossingXs = ensureCapacity(topCrossingXs, members.length);
  let count = 0;
  for (const piece of members) {
    if (y0[piece] === y1[piece] || (y0[piece] !== 0 && y1[piece] !== 0)) continue;
    topCrossings[count] = piece;
    topCrossingXs[count++] = y0[piece] === 0 ? x0[piece] : x1[piece];
  }
  sortByLeft(topCrossingXs, topCrossings, count);
  return count;
}

const crossAtTop = ({ y0, models }: RowPieces, piece: number, winding: Winding): void =>
  winding.add(models[piece], y0[piece] === 0 ? 1 : -1);

/** Columns narrower than this, pixels, are ignored. */
const MIN_COLUMN_PX = 1e-12;

/** The active pieces that separate inside from outside, and for each a sign: 1 if the inside is above. */
const borders: number[] = [];
const borderSigns: number[] = [];

/** Adds the columns between two ends, which all active pieces span; the crossings of pieces divide them. */
function addColumns(
  pieces: RowPieces,
  active: number[],
  from: number,
  to: number,
  winding: Winding,
  isInsideBefore: boolean,
  cover: Float64Array,
): void {
  let start = from;
  for (const crossing of crossingsOf(pieces, active, from, to)) {
    addStrip(pieces, active, start, crossing, winding, isInsideBefore, cover);
    start = crossing;
  }
  addStrip(pieces, active, start, to, winding, isInsideBefore, cover);
}

const NONE: readonly number[] = [];

/** The x at which active pieces cross, ascending. */
function crossingsOf(pieces: RowPieces, active: number[], from: number, to: number): readonly number[] {
  if (active.length < 2 || isInOrder(pieces, active, from, to)) return NONE;
  const found: number[] = [];
  for (let i = 0; i < active.length; i++) {
    const startY = yAt(pieces, active[i], from);
    const endY = yAt(pieces, active[i], to);
    for (let j = i + 1; j < active.length; j++) {
      const before = startY - yAt(pieces, active[j], from);
      const after = endY - yAt(pieces, active[j], to);
      if (before * after < 0) found.push(from + ((to - from) * before) / (before - after));
    }
  }
  return found.sort((a, b) => a - b);
}

/** Whether the active pieces have the same vertical order at `to` as at `from`; sorts them by their heights at `from`. */
function isInOrder(pieces: RowPieces, active: number[], from: number, to: number): boolean {
  sortByHeight(pieces, active, from);
  for (let i = 1; i < active.length; i++) {
    if (yAt(pieces, active[i - 1], to) > yAt(pieces, active[i], to)) return false;
  }
  return true;
}

/** Adds a strip in which the active pieces do not cross. Its solid share is a sum over the borders, by their heights. */
function addStrip(
  pieces: RowPieces,
  active: number[],
  from: number,
  to: number,
  winding: Winding,
  isInsideBefore: boolean,
  cover: Float64Array,
): void {
  if (to - from <= MIN_COLUMN_PX) return;
  sortByHeight(pieces, active, (from + to) / 2);
  borders.length = 0;
  borderSigns.length = 0;
  for (const piece of active) {
    const before = winding.isInside;
    winding.add(pieces.models[piece], turnsBelow(pieces, piece));
    const after = winding.isInside;
    if (before === after) continue;
    borders.push(piece);
    borderSigns.push(after ? -1 : 1);
  }
  const atBottom = (winding.isInside ? 1 : 0) - (isInsideBefore ? 1 : 0);
  for (const piece of active) winding.add(pieces.models[piece], -turnsBelow(pieces, piece));
  if (borders.length === 0 && atBottom === 0) return;
  const end = Math.min(cover.length - 2, Math.ceil(to));
  for (let pixel = Math.max(0, Math.floor(from)); pixel < end; pixel++) {
    const left = Math.max(from, pixel);
    const right = Math.min(to, pixel + 1);
    let share = atBottom;
    for (let i = 0; i < borders.length; i++) share += borderSigns[i] * yAt(pieces, borders[i], (left + right) / 2);
    cover[pixel] += share * (right - left);
    cover[pixel + 1] -= share * (right - left);
  }
}

/** Change of a model's winding number across one of its pieces, from above to below. */
const turnsBelow = ({ x0, x1 }: RowPieces, piece: number): number => (x1[piece] < x0[piece] ? 1 : -1);

/** Distance of a piece below the top of the row at x, clamped to the ends of the piece. */
function yAt({ x0, x1, y0, y1 }: RowPieces, piece: number, x: number): number {
  const share = (x - x0[piece]) / (x1[piece] - x0[piece]);
  return share <= 0 ? y0[piece] : share >= 1 ? y1[piece] : y0[piece] + share * (y1[piece] - y0[piece]);
}

/** Insertion sort: the pieces are few and mostly in order. */
function sortByHeight(pieces: RowPieces, active: number[], x: number): void {
  for (let i = 1; i < active.length; i++) {
    const piece = active[i];
    const y = yAt(pieces, piece, x);
    let hole = i;
    for (; hole > 0 && yAt(pieces, active[hole - 1], x) > y; hole--) active[hole] = active[hole - 1];
    active[hole] = piece;
  }
}
