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
  /** By the number of a facet: 1 when it was nearest to the camera for any sample, if only until another was drawn. */
  readonly seen: Uint8Array;
}

/** Gives samples that show nothing yet, and can show any of `facetCount` facets. */
export type SampleMemory = (width: number, top: number, rows: number, facetCount: number) => Samples;

/** Memory that samples follow each other in, because that costs less than new memory: only those given last are good. */
export function newSampleMemory(): SampleMemory {
  let nearness = new Float32Array();
  let facets = new Int32Array();
  let seen = new Uint8Array();
  return (width, top, rows, facetCount) => {
    const count = width * rows * SAMPLES;
    if (facets.length < count) {
      nearness = new Float32Array(count);
      facets = new Int32Array(count);
    }
    if (seen.length < facetCount) seen = new Uint8Array(facetCount);
    return {
      width,
      top,
      rows,
      nearness: nearness.subarray(0, count).fill(-Infinity),
      facets: facets.subarray(0, count).fill(NOTHING),
      seen: seen.subarray(0, facetCount).fill(0),
    };
  };
}

/** From the screen to where facets are drawn: y counts the thin rows of the picture from the middle of the first. */
export const TO_THIN_ROWS: Affine = { linear: [1, 0, 0, 0, SAMPLES, 0, 0, 0, 1], offset: [0, -0.5, 0] };
