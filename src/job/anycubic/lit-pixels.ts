import type { LayerRuns } from "../../slice/raster/rasterise-layer.ts";
import type { JobPrinter } from "../job.ts";

/** The pixels of a layer that are not black. */
export interface LitPixels {
  readonly count: number;
  /** The smallest box of columns and rows around them, its ends exclusive; empty for a black layer. */
  readonly box: PixelBox;
}

export interface PixelBox {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

export const EMPTY_BOX: PixelBox = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };

export const isEmptyBox = ({ left, right }: PixelBox): boolean => left > right;

export const unionOfBoxes = (a: PixelBox, b: PixelBox): PixelBox => ({
  left: Math.min(a.left, b.left),
  top: Math.min(a.top, b.top),
  right: Math.max(a.right, b.right),
  bottom: Math.max(a.bottom, b.bottom),
});

/** A box as seen from above, in mm from the centre of the platform; an empty one is 0 mm large. */
export interface BoxMm {
  readonly min: readonly [x: number, y: number];
  readonly max: readonly [x: number, y: number];
}

export function boxMm(box: PixelBox, { pixels, pixelMm, mirrorX }: JobPrinter): BoxMm {
  if (isEmptyBox(box)) return { min: [0, 0], max: [0, 0] };
  const x = [box.left, box.right].map((column) => (mirrorX ? -1 : 1) * (column - pixels[0] / 2) * pixelMm[0]);
  const y = [box.top, box.bottom].map((row) => (pixels[1] / 2 - row) * pixelMm[1]);
  return { min: [Math.min(...x), Math.min(...y)], max: [Math.max(...x), Math.max(...y)] };
}

export function litPixels({ height, rowStarts, starts, ends }: LayerRuns): LitPixels {
  let { left, top, right, bottom } = EMPTY_BOX;
  let count = 0;
  for (let row = 0; row < height; row++) {
    const [first, end] = [rowStarts[row], rowStarts[row + 1]];
    if (first === end) continue;
    top = Math.min(top, row);
    bottom = row + 1;
    left = Math.min(left, starts[first]);
    right = Math.max(right, ends[end - 1]);
    for (let run = first; run < end; run++) count += ends[run] - starts[run];
  }
  return { count, box: { left, top, right, bottom } };
}
