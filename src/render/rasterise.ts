import type { Watch } from "../core/watch.ts";
import { SAMPLE_X, SAMPLES, type Samples } from "./samples.ts";

/** Facets between two looks at the clock: about 2 ms. */
const FACETS_PER_REPORT = 16_384;

/** A body whose vertices are on the screen. */
export interface Drawn {
  /** Of each vertex: x and nearness in pixels, y in thin rows of the picture from the middle of the first. */
  readonly points: Float32Array;
  readonly triangles: Uint32Array;
  /** Facets are numbered through all bodies; this is the number of its first. */
  readonly firstFacet: number;
  /** Whether its facets bound a solid from outside, so that those turned away cannot be seen. Others are seen from both sides. */
  readonly isSolid: boolean;
}

/** Draws a body's facets into the samples; what is nearest stays. */
export function rasterise(body: Drawn, samples: Samples, watch: Watch): void {
  const count = body.triangles.length / 3;
  for (let from = 0; from < count; from += FACETS_PER_REPORT) {
    watch.report(from / count);
    rasteriseFacets(body, from, Math.min(count, from + FACETS_PER_REPORT), samples);
  }
}

/**
 * Spans run between the crossings of a thin row with two edges. An edge is cut from its upper to its lower end whichever
 * facet it belongs to and spans are half open, so facets that share an edge leave no gap and share no sample.
 */
function rasteriseFacets(
  { points, triangles, firstFacet, isSolid }: Drawn,
  fromFacet: number,
  toFacet: number,
  { width, top, rows, nearness, facets, seen }: Samples,
): void {
  const topRow = top * SAMPLES;
  const endRow = topRow + rows * SAMPLES;
  for (let facet = fromFacet; facet < toFacet; facet++) {
    let a = 3 * triangles[3 * facet];
    let b = 3 * triangles[3 * facet + 1];
    let c = 3 * triangles[3 * facet + 2];
    let ay = points[a + 1];
    let by = points[b + 1];
    let cy = points[c + 1];
    // Twice the area on the screen: negative for a facet that faces the camera, because y runs down.
    const area = (points[b] - points[a]) * (cy - ay) - (points[c] - points[a]) * (by - ay);
    if (isSolid ? area >= 0 : area === 0) continue;
    let swap: number;
    let swapY: number;
    let turned = area;
    if (by < ay) {
      swap = a;
      a = b;
      b = swap;
      swapY = ay;
      ay = by;
      by = swapY;
      turned = -turned;
    }
    if (cy < by) {
      swap = b;
      b = c;
      c = swap;
      swapY = by;
      by = cy;
      cy = swapY;
      turned = -turned;
    }
    if (by < ay) {
      swap = a;
      a = b;
      b = swap;
      swapY = ay;
      ay = by;
      by = swapY;
      turned = -turned;
    }
    if (ay >= endRow || cy <= topRow) continue;
    const first = ay > topRow ? ceil(ay) : topRow;
    const end = cy < endRow ? ceil(cy) : endRow;
    const ax = points[a];
    const az = points[a + 2];
    const bx = points[b];
    const toBx = bx - ax;
    const toCx = points[c] - ax;
    const toBz = points[b + 2] - az;
    const toCz = points[c + 2] - az;
    const perX = (toBz * (cy - ay) - toCz * (by - ay)) / turned;
    const perY = (toBx * toCz - toCx * toBz) / turned;
    const longSlope = toCx / (cy - ay);
    const upperSlope = toBx / (by - ay);
    const lowerSlope = (points[c] - bx) / (cy - by);
    const isLongLeft = turned > 0;
    let isSeen = false;
    for (let row = first; row < end; row++) {
      const ofPixel = row % SAMPLES;
      const offset = SAMPLE_X[ofPixel];
      const long = ax + longSlope * (row - ay) - offset;
      // Rows and corners are compared as they are: as distances from `ay` they may round to the same, and 0 / 0 follow.
      const short = (row < by ? ax + upperSlope * (row - ay) : bx + lowerSlope * (row - by)) - offset;
      const from = isLongLeft ? ceil(long) : ceil(short);
      const to = isLongLeft ? ceil(short) : ceil(long);
      if (from >= to || to <= 0 || from >= width) continue;
      const left = from > 0 ? from : 0;
      const right = to < width ? to : width;
      const start = (row - ofPixel - topRow) * width + ofPixel;
      let z = az + perX * (left + offset - ax) + perY * (row - ay);
      for (let sample = start + left * SAMPLES; sample < start + right * SAMPLES; sample += SAMPLES, z += perX) {
        if (z <= nearness[sample]) continue;
        nearness[sample] = z;
        facets[sample] = firstFacet + facet;
        isSeen = true;
      }
    }
    if (isSeen) seen[firstFacet + facet] = 1;
  }
}

/** The least whole number that is not below, for numbers within ±2³¹; `Math.ceil` alone is not whole to the engine. */
const ceil = (value: number): number => Math.ceil(value) | 0;
