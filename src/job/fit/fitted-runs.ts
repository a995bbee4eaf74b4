import type { LayerRuns } from "../../slice/rasterise-layer.ts";
import { runsOfPixels } from "./turned-runs.ts";

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
  const pixels = new Uint8Array(columns * rows);
  /** Sums of the row that is completed next. */
  const sums = new Float64Array(columns);
  const line = new Float64Array(columns);
  let [cut, row] = [0, Math.floor(top)];
  const completeUpTo = (end: number): void => {
    for (; row < end; row++) {
      if (row >= 0 && row < rows) {
        for (let column = 0; column < columns; column++) pixels[row * columns + column] = Math.round(sums[column]);
      }
      sums.fill(0);
    }
  };
  for (let source = 0; source < layer.height; source++) {
    if (layer.rowStarts[source] === layer.rowStarts[source + 1]) continue;
    const begin = top + source * scaleY;
    const end = begin + scaleY;
    cut += spreadRow(layer, source, { scaleX, left, isInside: end > 0 && begin < rows }, line);
    // A row of the source may reach over several rows, of which all but the last are completed.
    for (let target = Math.floor(begin); target < end; target++) {
      completeUpTo(target);
      const share = Math.min(end, target + 1) - Math.max(begin, target);
      for (let column = 0; column < columns; column++) sums[column] += share * line[column];
    }
  }
  completeUpTo(row + 1);
  return { runs: runsOfPixels(pixels, columns, rows), cut };
}

interface RowPlace {
  readonly scaleX: number;
  readonly left: number;
  readonly isInside: boolean;
}

/** Writes the values of a row into a line of the panel. Returns the number of lit pixels that are outside of it. */
function spreadRow(layer: LayerRuns, row: number, { scaleX, left, isInside }: RowPlace, line: Float64Array): number {
  const columns = line.length;
  let cut = 0;
  line.fill(0);
  for (let run = layer.rowStarts[row]; run < layer.rowStarts[row + 1]; run++) {
    const value = layer.values[run];
    const begin = left + layer.starts[run] * scaleX;
    const end = left + layer.ends[run] * scaleX;
    const [first, last] = [Math.max(0, begin), Math.min(columns, end)];
    const inside = isInside ? Math.max(0, last - first) : 0;
    cut += (end - begin - inside) / scaleX;
    if (inside === 0) continue;
    for (let column = Math.floor(first); column < last; column++) {
      line[column] += value * (Math.min(last, column + 1) - Math.max(first, column));
    }
  }
  return Math.round(cut);
}
