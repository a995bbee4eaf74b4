import { operationFailed } from "../../core/api-error.ts";
import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import { RunsBuilder } from "../runs-builder.ts";

/** A picture on another panel. */
export interface FittedLayer {
  readonly runs: LayerRuns;
  /** Lit pixels beyond the edges of the panel. */
  readonly cut: number;
}

/** Columns and rows of a panel, and the size of its pixels. */
export interface Panel {
  readonly pixels: readonly [columns: number, rows: number];
  readonly pixelMm: readonly [acrossMm: number, downMm: number];
}

/** Whether pictures of one panel need no other pixels on another one: over the whole panel, they differ by less than half a pixel. */
export const isSamePitch = (a: Panel, b: Panel): boolean =>
  [0, 1].every(
    (axis) => Math.abs(a.pixelMm[axis] / b.pixelMm[axis] - 1) * Math.max(a.pixels[axis], b.pixels[axis]) < 0.5,
  );

/** A picture of one panel on another one, both with the same middle: pixel by pixel if they have the same size, else by their areas. */
export function fittedRuns(layer: LayerRuns, from: Panel, to: Panel): FittedLayer {
  if (!isSamePitch(from, to)) return resampledRuns(layer, from, to);
  const [columns, rows] = to.pixels;
  return columns === layer.width && rows === layer.height ? { runs: layer, cut: 0 } : centredRuns(layer, to.pixels);
}

/** The middle of a panel with an odd number of pixels more is half a pixel to the left and back. */
function centredRuns(layer: LayerRuns, [columns, rows]: readonly [number, number]): FittedLayer {
  const { width, height, rowStarts } = layer;
  const [right, down] = [Math.floor((columns - width) / 2), Math.floor((rows - height) / 2)];
  const count = rowStarts[height];
  const newRowStarts = new Uint32Array(rows + 1);
  const [starts, ends, values] = [new Uint16Array(count), new Uint16Array(count), new Uint8Array(count)];
  let [at, kept, lit] = [0, 0, 0];
  for (let run = 0; run < count; run++) lit += layer.ends[run] - layer.starts[run];
  for (let row = 0; row < rows; row++) {
    const source = row - down;
    if (source >= 0 && source < height) {
      for (let run = rowStarts[source]; run < rowStarts[source + 1]; run++) {
        const start = Math.max(0, layer.starts[run] + right);
        const end = Math.min(columns, layer.ends[run] + right);
        if (start >= end) continue;
        starts[at] = start;
        ends[at] = end;
        values[at++] = layer.values[run];
        kept += end - start;
      }
    }
    newRowStarts[row + 1] = at;
  }
  return { runs: { width: columns, height: rows, rowStarts: newRowStarts, starts, ends, values }, cut: lit - kept };
}

/** Each pixel has the mean of the values that it covers, weighted by their areas. */
function resampledRuns(layer: LayerRuns, from: Panel, to: Panel): FittedLayer {
  const [columns, rows] = to.pixels;
  const scaleX = from.pixelMm[0] / to.pixelMm[0];
  const scaleY = from.pixelMm[1] / to.pixelMm[1];
  const left = (columns - layer.width * scaleX) / 2;
  const top = (rows - layer.height * scaleY) / 2;
  const written = new RunsBuilder(columns, rows, operationFailed);
  /** Sums of the row that is completed next, and the values of a row of the layer. */
  const [sums, line] = [new Float64Array(columns), new Float64Array(columns)];
  let [cut, row, sumsFrom, sumsTo] = [0, Math.min(0, Math.floor(top)), columns, 0];
  const completeUpTo = (end: number): void => {
    for (; row < end; row++) {
      if (row >= 0 && row < rows) addRow(written, sums, sumsFrom, sumsTo);
      sums.fill(0, sumsFrom, Math.max(sumsFrom, sumsTo));
      [sumsFrom, sumsTo] = [columns, 0];
    }
  };
  for (let source = 0; source < layer.height; source++) {
    if (layer.rowStarts[source] === layer.rowStarts[source + 1]) continue;
    const begin = top + source * scaleY;
    const end = begin + scaleY;
    const spread = spreadRow(layer, source, { scaleX, left, isInside: end > 0 && begin < rows }, line);
    cut += spread.cut;
    // A row of the layer may reach over several rows, of which all but the last are completed.
    for (let target = Math.floor(begin); target < end; target++) {
      completeUpTo(target);
      const share = Math.min(end, target + 1) - Math.max(begin, target);
      for (let column = spread.from; column < spread.to; column++) sums[column] += share * line[column];
      [sumsFrom, sumsTo] = [Math.min(sumsFrom, spread.from), Math.max(sumsTo, spread.to)];
    }
    line.fill(0, spread.from, spread.to);
  }
  completeUpTo(Math.max(rows, row + 1));
  return { runs: written.finish(), cut };
}

/** Adds a row, whose pixels before `from` and from `to` on are dark. */
function addRow(into: RunsBuilder, pixels: Float64Array, from: number, to: number): void {
  into.add(0, Math.min(from, pixels.length));
  for (let column = from; column < to;) {
    const start = column++;
    const value = Math.round(pixels[start]);
    while (column < to && Math.round(pixels[column]) === value) column++;
    into.add(value, column - start);
  }
  into.add(0, pixels.length - Math.max(from, to));
}

interface RowPlace {
  readonly scaleX: number;
  readonly left: number;
  readonly isInside: boolean;
}

/** The columns of a line that have values, and lit pixels that are outside of it. */
interface SpreadRow {
  readonly from: number;
  readonly to: number;
  readonly cut: number;
}

/** Writes the values of a row, which has runs, into an empty line of the panel. */
function spreadRow(layer: LayerRuns, row: number, { scaleX, left, isInside }: RowPlace, line: Float64Array): SpreadRow {
  const columns = line.length;
  let [cut, from, to] = [0, columns, 0];
  for (let run = layer.rowStarts[row]; run < layer.rowStarts[row + 1]; run++) {
    const value = layer.values[run];
    const begin = left + layer.starts[run] * scaleX;
    const end = left + layer.ends[run] * scaleX;
    const [first, last] = [Math.max(0, begin), Math.min(columns, end)];
    const inside = isInside ? Math.max(0, last - first) : 0;
    cut += (end - begin - inside) / scaleX;
    if (inside === 0) continue;
    [from, to] = [Math.min(from, Math.floor(first)), Math.max(to, Math.ceil(last))];
    for (let column = Math.floor(first); column < last; column++) {
      line[column] += value * (Math.min(last, column + 1) - Math.max(first, column));
    }
  }
  return { from: Math.min(from, to), to, cut: Math.round(cut) };
}
