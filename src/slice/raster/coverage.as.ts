// AssemblyScript, part of the kernel `raster-kernel.as.ts`: the coverage of the pixels of a row.

import { columns } from "./row-pieces.as";

/** The smaller of two numbers. `min` also orders zeros and keeps NaN: engines compile it to three comparisons and branches. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function lesser(a: f64, b: f64): f64 {
  return a < b ? a : b;
}

/** The larger of two numbers, as {@link lesser}. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function greater(a: f64, b: f64): f64 {
  return a > b ? a : b;
}

/** The nearest integer, the larger one of two. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function rounded(value: f64): i32 {
  const below = floor(value);
  return <i32>below + <i32>(value - below >= 0.5);
}

/** Rounded down, from 0 to `most`. */
// @ts-ignore: a decorator of AssemblyScript.
@inline
export function pixelAt(x: f64, most: i32): i32 {
  return <i32>greater(0, lesser(<f64>most, floor(x)));
}

/** The coverage of each pixel minus that of the pixel before it (8 bytes), for two pixels more than a row has. */
export let cover: usize;

// @ts-ignore: a decorator of AssemblyScript.
@inline
export function addCover(pixel: i32, share: f64): void {
  const at = cover + (pixel << 3);
  store<f64>(at, load<f64>(at) + share);
}

/**
 * Adds the coverage of one piece of outline to `cover`, so that the running sum is the exact share of each pixel to the right of the
 * outline: R. Levien's signed-area accumulation (font-rs, 2016). `height` is the piece's extent in y, positive where it runs down. Ends
 * outside of the row are clamped to its border.
 */
export function addSignedArea(xa: f64, xb: f64, height: f64): void {
  const width = <f64>columns;
  const left = greater(0, lesser(width, lesser(xa, xb)));
  const right = lesser(width, greater(0, greater(xa, xb)));
  const first = floor(left);
  const last = floor(right);
  const firstPixel = <i32>first;
  if (first === last) {
    const share = (left + right) / 2 - first;
    addCover(firstPixel, height * (1 - share));
    addCover(firstPixel + 1, height * share);
    return;
  }
  const perPixel = height / (right - left);
  const into = first + 1 - left;
  const firstCover = (perPixel * into * into) / 2;
  addCover(firstPixel, firstCover);
  let before = firstCover;
  const lastPixel = <i32>last;
  if (lastPixel - firstPixel > 1) {
    addCover(firstPixel + 1, perPixel * (into + 0.5) - firstCover);
    for (let pixel = firstPixel + 2; pixel < lastPixel; pixel++) addCover(pixel, perPixel);
    before = perPixel * (into + (last - first - 2) + 0.5);
  }
  const out = right - last;
  const lastCover = perPixel * (last - left) + perPixel * out * (1 - out / 2);
  addCover(lastPixel, lastCover - before);
  addCover(lastPixel + 1, height - lastCover);
}
