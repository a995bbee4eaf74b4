import type { Affine } from "./affine.ts";

/**
 * Four samples a pixel on a rotated grid: they all differ in x and in y, so that edges near to upright and level get as
 * many steps as slanted ones. Each pixel row is four thin rows, whose samples lie `SAMPLE_X` from a pixel's left side.
 */
export const SAMPLES = 4;
export const SAMPLE_X = [0.375, 0.875, 0.125, 0.625] as const;

/** Shadows are worked out for the surface at this sample: the same in each pixel, so that planes stay plane. */
export const SHADOWED_SAMPLE = 1;

/** No facet covers the sample. */
export const NOTHING = -1;

/** What is nearest to the camera, for each sample of some rows of a picture: pixel by pixel, from its upper to its lower. */
export interface Samples {
  readonly width: number;
  /** The first pixel row and how many. */
  readonly top: number;
  readonly rows: number;
  /** Nearness in pixels; larger is nearer. */
  readonly nearness: Float32Array;
  /** Numbers of facets over all bodies, or `NOTHING`. */
  readonly facets: Int32Array;
}

export const newSamples = (width: number, top: number, rows: number): Samples => ({
  width,
  top,
  rows,
  nearness: new Float32Array(width * rows * SAMPLES).fill(-Infinity),
  facets: new Int32Array(width * rows * SAMPLES).fill(NOTHING),
});

/** From the screen to where facets are drawn: y counts the thin rows of the picture from the middle of the first. */
export const TO_THIN_ROWS: Affine = { linear: [1, 0, 0, 0, SAMPLES, 0, 0, 0, 1], offset: [0, -0.5, 0] };
