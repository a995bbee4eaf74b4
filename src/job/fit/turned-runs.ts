import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import type { PixelGrid } from "../../slice/pixel-grid.ts";

/** How a picture is turned: first its rows become columns, then its columns and rows are reversed. */
export interface Turn {
  readonly transposed: boolean;
  /** The columns are reversed, from left to right. */
  readonly flippedX: boolean;
  readonly flippedY: boolean;
}

/** How the pictures of a machine are turned and mirrored, as {@link PixelGrid} describes it. */
export type Orientation = Pick<PixelGrid, "portrait" | "mirrorX" | "mirrorY">;

/** The turn of pictures of a machine, which `worldToRaster` describes, to pictures seen from above: x to the right, y up. */
export const turnToAbove = ({ portrait, mirrorX, mirrorY = false }: Orientation): Turn =>
  portrait
    ? { transposed: true, flippedX: !mirrorY, flippedY: mirrorX }
    : { transposed: false, flippedX: mirrorX, flippedY: mirrorY };

/** The turn of pictures of one machine to those of another. */
export function turnBetween(from: Orientation, to: Orientation): Turn {
  const [above, back] = [turnToAbove(from), turnToAbove(to)];
  if (!back.transposed) {
    return { ...above, flippedX: above.flippedX !== back.flippedX, flippedY: above.flippedY !== back.flippedY };
  }
  // From above, the flips are undone first; the transposition then exchanges their axes.
  return {
    transposed: !above.transposed,
    flippedX: above.flippedY !== back.flippedY,
    flippedY: above.flippedX !== back.flippedX,
  };
}

/** The picture after a turn: itself, or new arrays. */
export function turnedRuns(layer: LayerRuns, { transposed, flippedX, flippedY }: Turn): LayerRuns {
  const picture = transposed ? transposedRuns(layer) : layer;
  return flippedX || flippedY ? flippedRuns(picture, flippedX, flippedY) : picture;
}

function flippedRuns(layer: LayerRuns, flippedX: boolean, flippedY: boolean): LayerRuns {
  const { width, height, rowStarts } = layer;
  const count = rowStarts[height];
  const newRowStarts = new Uint32Array(height + 1);
  const [starts, ends, values] = [new Uint16Array(count), new Uint16Array(count), new Uint8Array(count)];
  let at = 0;
  for (let row = 0; row < height; row++) {
    const source = flippedY ? height - 1 - row : row;
    const [from, end] = [rowStarts[source], rowStarts[source + 1]];
    for (let k = 0; k < end - from; k++, at++) {
      const run = flippedX ? end - 1 - k : from + k;
      starts[at] = flippedX ? width - layer.ends[run] : layer.starts[run];
      ends[at] = flippedX ? width - layer.starts[run] : layer.ends[run];
      values[at] = layer.values[run];
    }
    newRowStarts[row + 1] = at;
  }
  return { width, height, rowStarts: newRowStarts, starts, ends, values };
}

/** Pixel (x, y) of the result is pixel (y, x) of the layer. */
function transposedRuns({ width, height, rowStarts, starts, ends, values }: LayerRuns): LayerRuns {
  const pixels = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    for (let run = rowStarts[row]; run < rowStarts[row + 1]; run++) {
      for (let column = starts[run]; column < ends[run]; column++) pixels[column * height + row] = values[run];
    }
  }
  return runsOfPixels(pixels, height, width);
}

/** The runs of a picture, row by row. */
function runsOfPixels(pixels: Uint8Array, width: number, height: number): LayerRuns {
  const count = countRuns(pixels, width, height);
  const rowStarts = new Uint32Array(height + 1);
  const [starts, ends, values] = [new Uint16Array(count), new Uint16Array(count), new Uint8Array(count)];
  let at = 0;
  for (let row = 0; row < height; row++) {
    const first = row * width;
    for (let column = 0; column < width;) {
      const start = column;
      const value = pixels[first + start];
      while (column < width && pixels[first + column] === value) column++;
      if (value === 0) continue;
      starts[at] = start;
      ends[at] = column;
      values[at++] = value;
    }
    rowStarts[row + 1] = at;
  }
  return { width, height, rowStarts, starts, ends, values };
}

function countRuns(pixels: Uint8Array, width: number, height: number): number {
  let count = 0;
  for (let row = 0; row < height; row++) {
    let before = 0;
    for (let at = row * width; at < (row + 1) * width; at++) {
      if (pixels[at] !== before && pixels[at] > 0) count++;
      before = pixels[at];
    }
  }
  return count;
}
