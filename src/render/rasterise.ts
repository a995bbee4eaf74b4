import type { Progress } from "../core/progress.ts";
import { releaseArrays } from "../core/typed-arrays.ts";
import { type Mesh, triangleCount } from "../mesh/mesh.ts";
import { type Affine, composeAffine, mapPoints } from "./camera.ts";

/**
 * Four samples per pixel on a rotated grid: all differ in x and in y, so that nearly vertical and horizontal edges get as many
 * steps as slanted ones. Each pixel row has four thin rows; the sample of thin row i is `SAMPLE_X[i]` from the pixel's left side.
 */
export const SAMPLES = 4;
export const SAMPLE_X = [0.375, 0.875, 0.125, 0.625] as const;

/** The sample whose surface goes to the G-buffer. It is the same in all pixels, so that planes stay planar. */
export const SHADOWED_SAMPLE = 1;

/** In `Samples.facets`: no facet covers the sample. */
export const NO_FACET = -1;

/** The nearest surface at each sample of a band of pixel rows: pixel by pixel, the samples of a pixel from top to bottom. */
export interface Samples {
  readonly width: number;
  /** The first pixel row of the band. */
  readonly top: number;
  /** Number of pixel rows. */
  readonly rows: number;
  /** Nearness to the camera in pixels; larger is nearer. */
  readonly nearness: Float32Array;
  /** Indices of facets, counted through all bodies, or {@link NO_FACET}. */
  readonly facets: Int32Array;
  /** By facet: 1 if it was the nearest at any sample when it was drawn. */
  readonly seen: Uint8Array;
}

/** Memory of samples that is reused, which is faster than new memory. */
export interface SampleMemory {
  /** Samples without surfaces for `facetCount` facets. They overwrite the last ones. */
  clear(width: number, top: number, rows: number, facetCount: number): Samples;
  /** Gives the memory back. The last samples are empty afterwards. */
  release(): void;
}

export function newSampleMemory(): SampleMemory {
  let nearness = new Float32Array();
  let facets = new Int32Array();
  let seen = new Uint8Array();
  return {
    clear(width, top, rows, facetCount) {
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
        facets: facets.subarray(0, count).fill(NO_FACET),
        seen: seen.subarray(0, facetCount).fill(0),
      };
    },
    release() {
      releaseArrays(nearness, facets, seen);
      [nearness, facets, seen] = [new Float32Array(), new Int32Array(), new Uint8Array()];
    },
  };
}

/** From the screen to the thin rows: y counts thin rows from the middle of the first. */
const TO_THIN_ROWS: Affine = { linear: [1, 0, 0, 0, SAMPLES, 0, 0, 0, 1], offset: [0, -0.5, 0] };

/** A body in the world. */
export interface TransformedBody {
  readonly mesh: Mesh;
  /** From the mesh's own coordinates to the world. */
  readonly toWorld: Affine;
  /** See {@link ScreenTriangles}. */
  readonly firstFacet: number;
  readonly isSolid: boolean;
}

/** A body with its vertices on the screen. */
export type ScreenBody<Body extends TransformedBody> = Body & ScreenTriangles & { readonly toScreen: Affine };

/** Projects the vertices of all bodies onto the screen, once per picture. */
export const projectBodies = <Body extends TransformedBody>(
  bodies: readonly Body[],
  worldToScreen: Affine,
  progress: Progress,
): ScreenBody<Body>[] =>
  bodies.map((body, i) => {
    progress.report(i / bodies.length);
    const toScreen = composeAffine(body.toWorld, worldToScreen);
    const points = mapPoints(body.mesh.vertices, composeAffine(toScreen, TO_THIN_ROWS));
    return { ...body, toScreen, points, triangles: body.mesh.triangles };
  });

/** Number of facets of all bodies. */
export function facetCount(bodies: readonly TransformedBody[]): number {
  const last = bodies.at(-1);
  return last === undefined ? 0 : last.firstFacet + triangleCount(last.mesh);
}

/** Rasterises bodies into samples; skips those that are outside of the band. */
export function rasteriseBodies(
  bodies: readonly ScreenBody<TransformedBody>[],
  samples: Samples,
  progress: Progress,
): void {
  const count = facetCount(bodies);
  for (const body of bodies) {
    const end = body.firstFacet + body.triangles.length / 3;
    if (overlapsBand(body, samples)) rasteriseBody(body, samples, progress.part(body.firstFacet / count, end / count));
  }
}

/** Whether the screen rectangle around a body's box overlaps the band. */
function overlapsBand(
  { mesh: { box }, toScreen: { linear, offset } }: ScreenBody<TransformedBody>,
  { width, top, rows }: Samples,
): boolean {
  const reaches = (row: 0 | 1, from: number, to: number): boolean => {
    let [min, max] = [offset[row], offset[row]];
    for (let axis = 0; axis < 3; axis++) {
      const [p, q] = [linear[3 * row + axis] * box.min[axis], linear[3 * row + axis] * box.max[axis]];
      min += Math.min(p, q);
      max += Math.max(p, q);
    }
    // One pixel of tolerance for the rounding of points to single precision.
    return max >= from - 1 && min <= to + 1;
  };
  return reaches(0, 0, width) && reaches(1, top, top + rows);
}

/** About 2 ms of work. */
const FACETS_PER_REPORT = 16_384;

/** The projected triangles of a body. */
interface ScreenTriangles {
  /** For each vertex: x in pixels, y in thin rows from the middle of the first, nearness in pixels. */
  readonly points: Float32Array;
  readonly triangles: Uint32Array;
  /** Index of the body's first facet, counted through all bodies. */
  readonly firstFacet: number;
  /** Whether the body is a closed solid, whose back faces are hidden. Other bodies are visible from both sides. */
  readonly isSolid: boolean;
}

/** Rasterises a body's facets into the samples with a depth test. */
export function rasteriseBody(body: ScreenTriangles, samples: Samples, progress: Progress): void {
  const count = body.triangles.length / 3;
  for (let from = 0; from < count; from += FACETS_PER_REPORT) {
    progress.report(from / count);
    rasteriseFacets(body, from, Math.min(count, from + FACETS_PER_REPORT), samples);
  }
}

/**
 * Scanline rasterisation: spans reach from one crossing of a thin row and an edge to the other. Crossings are always computed from
 * the upper end of an edge to its lower end and spans are half open, so that facets with a common edge leave no gap and share no
 * sample. One long loop: with a function for each facet it takes 4 % longer.
 */
function rasteriseFacets(
  { points, triangles, firstFacet, isSolid }: ScreenTriangles,
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
    let signedArea = area;
    if (by < ay) {
      swap = a;
      a = b;
      b = swap;
      swapY = ay;
      ay = by;
      by = swapY;
      signedArea = -signedArea;
    }
    if (cy < by) {
      swap = b;
      b = c;
      c = swap;
      swapY = by;
      by = cy;
      cy = swapY;
      signedArea = -signedArea;
    }
    if (by < ay) {
      swap = a;
      a = b;
      b = swap;
      swapY = ay;
      ay = by;
      by = swapY;
      signedArea = -signedArea;
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
    const perX = (toBz * (cy - ay) - toCz * (by - ay)) / signedArea;
    const perY = (toBx * toCz - toCx * toBz) / signedArea;
    const longSlope = toCx / (cy - ay);
    const upperSlope = toBx / (by - ay);
    const lowerSlope = (points[c] - bx) / (cy - by);
    const isLongLeft = signedArea > 0;
    let isSeen = false;
    for (let row = first; row < end; row++) {
      const ofPixel = row % SAMPLES;
      const offset = SAMPLE_X[ofPixel];
      const long = ax + longSlope * (row - ay) - offset;
      // Compares rows with corners, not their distances from `ay`: those may round to equal values, which gives 0 / 0.
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

/** `Math.ceil` for numbers within ±2³¹, as an integer: the engine does not infer that from `Math.ceil` alone. */
const ceil = (value: number): number => Math.ceil(value) | 0;
