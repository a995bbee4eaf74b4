import { type Segments, pushSegment, reserveSegments } from "../outline-segments.ts";

/**
 * The borders of the sheets at one y: peaks of f at `peak` + n periods; f > −t, and f > t, within half a width on either side. Struts are
 * f > −t alone: `inner` is 0.
 */
export interface RowBorder {
  y: number;
  peak: number;
  outer: number;
  inner: number;
}

const newBorder = (): RowBorder => ({ y: 0, peak: 0, outer: 0, inner: 0 });

/** Last bits of sines and roots differ between engines: places are rounded to this, pixels, before they decide anything. */
const PLACES_PER_PIXEL = 2 ** 20;
export const rounded = (x: number): number => Math.round(x * PLACES_PER_PIXEL) / PLACES_PER_PIXEL;

const clamped = (x: number, least: number, most: number): number => (x < least ? least : x > most ? most : x);

/** Bisections of a row for the y at which a wall begins or ends. */
const BISECTIONS = 20;
/** Pieces of a row from there on, shorter towards it, because the outline is a parabola there. */
const TURN_PIECES = 4;

/** Outlines are straight across at most so many rows, and only where their middles are at most so far beside it. */
const MAX_STRIP_ROWS = 4;
const STRAIGHT_MM = 0.002;

/** The sheets, or parallel struts, along the rows of a layer. */
export interface RowFunction {
  /** Pixels. */
  readonly period: number;
  /** Along a row. */
  readonly pixelsPerMm: number;
  /** Sets the borders at y. */
  readonly set: (border: RowBorder, y: number) => void;
}

/** Makes outlines of the borders of rows, from the top down. The outlines of all strips between borders join end to end. */
export class SheetOutliner {
  readonly #segments: Segments;
  readonly #model: number;
  /** Pixels. */
  readonly #period: number;
  readonly #straightPx: number;
  #upper = newBorder();
  #lower = newBorder();
  readonly #probe = newBorder();
  readonly #middle = newBorder();
  #runs: readonly number[] = [];
  /** The ends of the intervals at the top and at the bottom of the present strip, and at the bottom of the last one. */
  #tops: number[] = [];
  #bottoms: number[] = [];
  #lastBottoms: number[] = [];
  #isOpen = false;

  constructor(segments: Segments, model: number, { period, pixelsPerMm }: RowFunction) {
    this.#segments = segments;
    this.#model = model;
    this.#period = period;
    this.#straightPx = STRAIGHT_MM * pixelsPerMm;
  }

  /** Adds rows with the same runs of open blocks. */
  addRows(from: number, end: number, at: RowFunction, runs: readonly number[]): void {
    if (!this.#isOpen) at.set(this.#lower, from);
    this.#isOpen = true;
    this.#runs = runs;
    for (let row = from; row < end;) {
      let rows = Math.min(MAX_STRIP_ROWS, end - row);
      while (rows > 1 && !this.#isStraight(row, rows, at)) rows >>= 1;
      if (rows === 1 && !this.#isStraight(row, 1, at)) {
        for (const y of this.#turns(row, at)) this.#addStrip(y, at);
      }
      row += rows;
      this.#addStrip(row, at);
    }
  }

  /** Whether all outlines in some rows are nearly straight, and none begins or ends. */
  #isStraight(row: number, rows: number, at: RowFunction): boolean {
    const [upper, middle, lower] = [this.#lower, this.#middle, this.#probe];
    at.set(lower, row + rows);
    if (this.#fullness(upper.outer) !== this.#fullness(lower.outer)) return false;
    if (this.#fullness(upper.inner) !== this.#fullness(lower.inner)) return false;
    at.set(middle, row + rows / 2);
    const bend = this.#apart(upper.peak, middle.peak) - this.#apart(middle.peak, lower.peak);
    const outer = upper.outer + lower.outer - 2 * middle.outer;
    const inner = upper.inner + lower.inner - 2 * middle.inner;
    return Math.abs(bend) + Math.max(Math.abs(outer), Math.abs(inner)) <= 2 * this.#straightPx;
  }

  /** From one peak to the nearest one at another border. */
  #apart(from: number, to: number): number {
    return to - from - this.#period * Math.round((to - from) / this.#period);
  }

  /** −1 if nothing is beyond a level, 1 if the whole period is, 0 between. */
  #fullness(halfWidth: number): number {
    return halfWidth === 0 ? -1 : halfWidth === this.#period / 2 ? 1 : 0;
  }

  /** Ends the outlines at the top of a row. */
  end(row: number): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    this.#tops.length = 0;
    this.#closeAt(row);
    this.#lastBottoms.length = 0;
  }

  /** The y within a row at which it is divided, because a wall begins or ends there, or because outlines are bent. */
  #turns(row: number, at: RowFunction): number[] {
    const { outer, inner } = this.#lower;
    const probe = this.#probe;
    at.set(probe, row + 1);
    const turns: number[] = [];
    for (const [of, before] of [
      ["outer", outer],
      ["inner", inner],
    ] as const) {
      const [first, last] = [this.#fullness(before), this.#fullness(probe[of])];
      if (first === last) continue;
      const stateAt = (y: number): number => {
        at.set(probe, y);
        return this.#fullness(probe[of]);
      };
      if (first !== 0)
        addTurns(
          turns,
          lastWhere((y) => stateAt(y) === first, row, row + 1),
          row + 1,
        );
      if (last !== 0)
        addTurns(
          turns,
          lastWhere((y) => stateAt(y) === last, row + 1, row),
          row,
        );
      at.set(probe, row + 1);
    }
    if (turns.length === 0) addTurns(turns, row, row + 1, 1);
    return turns.toSorted((a, b) => a - b);
  }

  /** Adds the outlines from the last border to the one at y. */
  #addStrip(y: number, at: RowFunction): void {
    [this.#upper, this.#lower] = [this.#lower, this.#upper];
    at.set(this.#lower, y);
    if (y <= this.#upper.y) return;
    this.#tops.length = 0;
    this.#bottoms.length = 0;
    const runs = this.#runs;
    for (let i = 0; i < runs.length; i += 2) this.#addRun(runs[i], runs[i + 1]);
    this.#closeAt(this.#upper.y);
    this.#addSides();
    [this.#lastBottoms, this.#bottoms] = [this.#bottoms, this.#lastBottoms];
  }

  /** Lists the intervals of the strip within a run of open blocks. */
  #addRun(left: number, right: number): void {
    const period = this.#period;
    const [upper, lower] = [this.#upper, this.#lower];
    const shift = Math.round((upper.peak - lower.peak) / period);
    const lowerPeak = lower.peak + shift * period;
    const isFull = upper.outer === period / 2 && lower.outer === period / 2;
    const isEmpty = upper.inner === 0 && lower.inner === 0;
    if (isFull && isEmpty) {
      this.#tops.push(left, right);
      this.#bottoms.push(left, right);
      return;
    }
    const first = Math.floor((left - Math.max(upper.peak, lowerPeak)) / period) - 1;
    const last = Math.ceil((right - Math.min(upper.peak, lowerPeak)) / period) + 1;
    for (let n = first; n <= last; n++) {
      // Where f is nowhere above t, or nowhere below −t, what is on both sides of that is one interval.
      if (isEmpty) this.#addInterval(n, shift, -upper.outer, upper.outer, -lower.outer, lower.outer, left, right);
      else if (isFull) {
        this.#addInterval(n, shift, upper.inner, period - upper.inner, lower.inner, period - lower.inner, left, right);
      } else {
        this.#addInterval(n, shift, -upper.outer, -upper.inner, -lower.outer, -lower.inner, left, right);
        this.#addInterval(n, shift, upper.inner, upper.outer, lower.inner, lower.outer, left, right);
      }
    }
  }

  /** Lists an interval by its ends beside the peaks with a number, at the top and at the bottom of the strip. */
  #addInterval(
    peak: number,
    shift: number,
    topFrom: number,
    topTo: number,
    bottomFrom: number,
    bottomTo: number,
    left: number,
    right: number,
  ): void {
    const top = this.#upper.peak + peak * this.#period;
    const bottom = this.#lower.peak + (peak + shift) * this.#period;
    const topLeft = clamped(rounded(top + topFrom), left, right);
    const topRight = clamped(rounded(top + topTo), left, right);
    const bottomLeft = clamped(rounded(bottom + bottomFrom), left, right);
    const bottomRight = clamped(rounded(bottom + bottomTo), left, right);
    if (topLeft === topRight && bottomLeft === bottomRight) return;
    this.#tops.push(topLeft, topRight);
    this.#bottoms.push(bottomLeft, bottomRight);
  }

  #addSides(): void {
    const [tops, bottoms, segments, model] = [this.#tops, this.#bottoms, this.#segments, this.#model];
    const [from, to] = [this.#upper.y, this.#lower.y];
    reserveSegments(segments, tops.length);
    const { ends, models } = segments;
    let at = 4 * segments.count;
    for (let i = 0; i < tops.length; i++, at += 4) {
      // Down on the left of an interval, up on its right.
      const down = i % 2 === 0;
      ends[at] = down ? tops[i] : bottoms[i];
      ends[at + 1] = down ? from : to;
      ends[at + 2] = down ? bottoms[i] : tops[i];
      ends[at + 3] = down ? to : from;
      models[segments.count++] = model;
    }
  }

  /** Joins the outlines above y, which end in the last bottoms, to those below, which begin in the present tops. */
  #closeAt(y: number): void {
    const [above, below] = [this.#lastBottoms, this.#tops];
    let [i, j] = [0, 0];
    let x = 0;
    while (i < above.length && above[i] === below[i]) i++;
    // Whole intervals are left out, because the parity of the index says whether a place is inside one.
    j = i = i - (i % 2);
    while (i < above.length || j < below.length) {
      const next = Math.min(above[i] ?? Infinity, below[j] ?? Infinity);
      // Between two ends with odd indices there is an interval.
      if (next > x && i % 2 !== j % 2) {
        if (i % 2 === 1) pushSegment(this.#segments, x, y, next, y, this.#model);
        else pushSegment(this.#segments, next, y, x, y, this.#model);
      }
      x = next;
      if (above[i] === next) i++;
      else j++;
    }
  }
}

/** The last place from `from` towards `to` where `isTrue` holds, which it does at `from`. */
function lastWhere(isTrue: (y: number) => boolean, from: number, to: number): number {
  let [inside, outside] = [from, to];
  for (let i = 0; i < BISECTIONS; i++) {
    const middle = (inside + outside) / 2;
    if (isTrue(middle)) inside = middle;
    else outside = middle;
  }
  return inside;
}

/** Adds places from `turn` on towards `to`, denser at `turn` if the power is more than 1. */
function addTurns(turns: number[], turn: number, to: number, power = 2): void {
  for (let i = 0; i < TURN_PIECES; i++) turns.push(turn + (to - turn) * (i / TURN_PIECES) ** power);
}
