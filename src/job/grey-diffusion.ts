import { ensureCapacity } from "../core/typed-arrays.ts";
import type { LayerRuns } from "../slice/raster/rasterise-layer.ts";
import { type GreyPalette, nearestDose } from "./grey-table.ts";

/** What the greys of a panel with few levels are mixed of. Plain data. */
export interface GreyMix extends GreyPalette {
  /** The dose for each coverage, 0 to 255 of 255. */
  readonly wanted: Float64Array;
}

/** Makes a layer whose pixels have the greys of a mix. Overwritten by its next layer. */
export type GreyDiffuser = (layer: LayerRuns, mix: GreyMix) => LayerRuns;

/** Weights of the next pixel of the row, and of the three of the next row (Floyd and Steinberg, 1976). */
const AHEAD = 7 / 16;
const BEHIND_BELOW = 3 / 16;
const BELOW = 5 / 16;
const AHEAD_BELOW = 1 / 16;
/**
 * Shares of few neighbours are raised until they sum to 1, at most by 1 / 0.6. In the model of docs/print-quality.md that puts edges nearer to
 * their places than shares that are not raised, or always to 1.
 */
const LEAST_SUM = 0.6;

const WHITE = 255;

/**
 * Each pixel that parts cover partly gets the grey with the nearest dose. What that is too much or too little goes to such pixels ahead of it
 * and in the next row, never to black or white ones. The first row is passed from the left, the next one from the right, and so on. A layer
 * depends on no other.
 */
export function newGreyDiffuser(): GreyDiffuser {
  let [line, next] = [newLine(0), newLine(0)];
  let rowStarts = new Uint32Array();
  let [starts, ends] = [new Uint16Array(), new Uint16Array()];
  let values = new Uint8Array();
  let count = 0;
  const add = (start: number, end: number, value: number, rowStart: number): void => {
    if (value === 0) return;
    const joins = count > rowStart && ends[count - 1] === start && values[count - 1] === value;
    if (!joins) [starts[count], values[count++]] = [start, value];
    ends[count - 1] = end;
  };
  return (layer, mix) => {
    const { width, height } = layer;
    if (line.values.length !== width + 2) [line, next] = [newLine(width), newLine(width)];
    rowStarts = ensureCapacity(rowStarts, height + 1);
    const most = greyPixels(layer) + layer.rowStarts[height];
    [starts, ends] = [ensureCapacity(starts, most), ensureCapacity(ends, most)];
    values = ensureCapacity(values, most);
    count = 0;
    readRow(layer, 0, line);
    for (let row = 0; row < height; row++) {
      readRow(layer, row + 1, next);
      diffuseRow(layer, row, line, next, mix);
      const rowStart = (rowStarts[row] = count);
      for (let run = layer.rowStarts[row]; run < layer.rowStarts[row + 1]; run++) {
        const [start, end] = [layer.starts[run], layer.ends[run]];
        if (layer.values[run] === WHITE) add(start, end, WHITE, rowStart);
        else for (let x = start; x < end; x++) add(x, x + 1, line.values[x + 1], rowStart);
      }
      [line, next] = [next, line];
    }
    rowStarts[height] = count;
    return { width, height, rowStarts: rowStarts.subarray(0, height + 1), starts, ends, values };
  };
}

function greyPixels({ height, rowStarts, starts, ends, values }: LayerRuns): number {
  let count = 0;
  for (let run = 0; run < rowStarts[height]; run++) if (values[run] !== WHITE) count += ends[run] - starts[run];
  return count;
}

/** A row, with a black pixel before and after it: pixel x is entry x + 1. */
interface Line {
  readonly values: Uint8Array;
  /** What pixels before got too little, as a share of the dose of white. */
  readonly errors: Float64Array;
  /** Entries from `from` to before `to` may be other than 0. */
  from: number;
  to: number;
}

const newLine = (width: number): Line => ({
  values: new Uint8Array(width + 2),
  errors: new Float64Array(width + 2),
  from: 0,
  to: 0,
});

/** Reads the coverages of a row; one after the last is black. */
function readRow({ height, rowStarts, starts, ends, values }: LayerRuns, row: number, into: Line): void {
  into.values.fill(0, into.from, into.to);
  into.errors.fill(0, into.from, into.to);
  const [first, end] = row < height ? [rowStarts[row], rowStarts[row + 1]] : [0, 0];
  [into.from, into.to] = first === end ? [0, 0] : [starts[first] + 1, ends[end - 1] + 1];
  for (let run = first; run < end; run++) into.values.fill(values[run], starts[run] + 1, ends[run] + 1);
}

/** Replaces the coverages of a row by greys, and hands their errors on. */
function diffuseRow(layer: LayerRuns, row: number, line: Line, next: Line, mix: GreyMix): void {
  const [first, end] = [layer.rowStarts[row], layer.rowStarts[row + 1]];
  const isToRight = row % 2 === 0;
  for (let k = 0; k < end - first; k++) {
    const run = isToRight ? first + k : end - 1 - k;
    if (layer.values[run] === WHITE) continue;
    const [from, to] = [layer.starts[run] + 1, layer.ends[run] + 1];
    for (let x = from; x < to; x++)
      diffusePixel(isToRight ? x : from + to - 1 - x, isToRight ? 1 : -1, line, next, mix);
  }
}

function diffusePixel(at: number, ahead: 1 | -1, line: Line, next: Line, { wanted, greys, doses }: GreyMix): void {
  const dose = wanted[line.values[at]] + line.errors[at];
  const level = nearestDose(doses, dose);
  line.values[at] = greys[level];
  const onward = isGrey(line.values[at + ahead]) ? AHEAD : 0;
  const back = isGrey(next.values[at - ahead]) ? BEHIND_BELOW : 0;
  const down = isGrey(next.values[at]) ? BELOW : 0;
  const diagonal = isGrey(next.values[at + ahead]) ? AHEAD_BELOW : 0;
  const unit = (dose - doses[level]) / Math.max(LEAST_SUM, onward + back + down + diagonal);
  line.errors[at + ahead] += unit * onward;
  next.errors[at - ahead] += unit * back;
  next.errors[at] += unit * down;
  next.errors[at + ahead] += unit * diagonal;
}

const isGrey = (value: number): boolean => value > 0 && value < WHITE;
