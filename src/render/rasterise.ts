import type { Watch } from "../core/watch.ts";
import { SAMPLE_X, SAMPLES, type Samples } from "./samples.ts";

/** Facets between two looks at the clock: about 2 ms. */
const FACETS_PER_REPORT = 16_384;

/**
 * Draws facets into the samples; what is nearest stays. `points` are x and nearness in pixels, y in thin rows from the
 * middle of the first; facet t is numbered `firstFacet` + t. Facets are drawn from both sides: meshes may be open or inside out.
 *
 * Spans run between the crossings of a thin row with two edges. An edge is cut from its upper to its lower end whichever
 * facet it belongs to and spans are half open, so facets that share an edge leave no gap and share no sample.
 */
export function rasterise(
  points: Float32Array,
  triangles: Uint32Array,
  firstFacet: number,
  { width, rows, nearness, facets }: Samples,
  watch: Watch,
): void {
  const thinRows = rows * SAMPLES;
  for (let at = 0; at < triangles.length; at += 3) {
    if (at % (3 * FACETS_PER_REPORT) === 0) watch.report(at / triangles.length);
    let a = 3 * triangles[at];
    let b = 3 * triangles[at + 1];
    let c = 3 * triangles[at + 2];
    let swap: number;
    if (points[b + 1] < points[a + 1]) {
      swap = a;
      a = b;
      b = swap;
    }
    if (points[c + 1] < points[b + 1]) {
      swap = b;
      b = c;
      c = swap;
    }
    if (points[b + 1] < points[a + 1]) {
      swap = a;
      a = b;
      b = swap;
    }
    const ay = points[a + 1];
    const cy = points[c + 1];
    const first = ay > 0 ? Math.ceil(ay) : 0;
    const end = cy < thinRows ? Math.ceil(cy) : thinRows;
    if (!(first < end)) continue;
    const ax = points[a];
    const bx = points[b] - ax;
    const cx = points[c] - ax;
    const by = points[b + 1];
    const height = cy - ay;
    const twiceArea = bx * height - cx * (by - ay);
    if (twiceArea === 0) continue;
    const az = points[a + 2];
    const bz = points[b + 2] - az;
    const cz = points[c + 2] - az;
    const perX = (bz * height - cz * (by - ay)) / twiceArea;
    const perY = (bx * cz - cx * bz) / twiceArea;
    const longSlope = cx / height;
    const facet = firstFacet + at / 3;
    for (let row = first; row < end; row++) {
      const y = row - ay;
      const long = ax + longSlope * y;
      // Rows and corners are compared as they are: as distances from `ay` they may round to the same, and 0 / 0 follow.
      const short =
        row < by ? ax + (bx / (by - ay)) * y : points[b] + ((points[c] - points[b]) / (cy - by)) * (row - by);
      const offset = SAMPLE_X[row % SAMPLES];
      const left = (long < short ? long : short) - offset;
      const right = (long < short ? short : long) - offset;
      const from = left > 0 ? Math.ceil(left) : 0;
      const to = right < width ? Math.ceil(right) : width;
      if (from >= to) continue;
      let z = az + perX * (from + offset - ax) + perY * y;
      const last = row * width + to;
      for (let sample = row * width + from; sample < last; sample++, z += perX) {
        if (z <= nearness[sample]) continue;
        nearness[sample] = z;
        facets[sample] = facet;
      }
    }
  }
}
