import { cornerCount, type Ring } from "../../mesh/boolean/region/region.ts";

/** Places at even steps along a closed line; the last step leads back to the first. */
interface Track {
  readonly xs: Float64Array;
  readonly ys: Float64Array;
}

/** A step of the track on which outlines are smoothed: below what is smoothed by far. */
const STEP_MM = 0.1;
const FEWEST_STEPS = 64;
const MOST_STEPS = 16_384;

/**
 * The ring with features that are short against `sigmaMm` evened out, corner for corner. A Gaussian blur along its length,
 * taken twice over so that curves that are long against it stay where they are: of a wave that one blur leaves the share g,
 * 2g − g² is left. Source: the twicing of J. W. Tukey, "Exploratory Data Analysis" (1977), 16.
 */
export function smoothedRing(ring: Ring, sigmaMm: number): Ring {
  const lengths = lengthsTo(ring);
  const totalMm = lengths[lengths.length - 1];
  const count = Math.round(Math.min(MOST_STEPS, Math.max(FEWEST_STEPS, totalMm / STEP_MM)));
  const track = trackOf(ring, lengths, count);
  const steps = (sigmaMm * count) / totalMm;
  const evened = { xs: twiced(track.xs, steps), ys: twiced(track.ys, steps) };
  const smoothed = new Float64Array(ring.length);
  for (let i = 0; i < cornerCount(ring); i++) {
    const at = (lengths[i] / totalMm) * count;
    smoothed[2 * i] = valueAt(evened.xs, at);
    smoothed[2 * i + 1] = valueAt(evened.ys, at);
  }
  return smoothed;
}

/** The length of the ring, mm. */
export const lengthOf = (ring: Ring): number => lengthsTo(ring)[cornerCount(ring)];

/** The length from the first corner to each, and at last around to the first. */
export function lengthsTo(ring: Ring): Float64Array {
  const count = cornerCount(ring);
  const lengths = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) {
    const next = 2 * ((i + 1) % count);
    const [dx, dy] = [ring[next] - ring[2 * i], ring[next + 1] - ring[2 * i + 1]];
    lengths[i + 1] = lengths[i] + Math.sqrt(dx * dx + dy * dy);
  }
  return lengths;
}

function trackOf(ring: Ring, lengths: Float64Array, count: number): Track {
  const xs = new Float64Array(count);
  const ys = new Float64Array(count);
  const corners = cornerCount(ring);
  const totalMm = lengths[corners];
  let side = 0;
  for (let i = 0; i < count; i++) {
    const along = (i / count) * totalMm;
    while (side + 1 < corners && lengths[side + 1] <= along) side++;
    const next = (side + 1) % corners;
    const sideMm = lengths[side + 1] - lengths[side];
    const share = sideMm > 0 ? (along - lengths[side]) / sideMm : 0;
    xs[i] = ring[2 * side] + share * (ring[2 * next] - ring[2 * side]);
    ys[i] = ring[2 * side + 1] + share * (ring[2 * next + 1] - ring[2 * side + 1]);
  }
  return { xs, ys };
}

function twiced(values: Float64Array, sigma: number): Float64Array {
  const once = blurred(values, sigma);
  const twice = blurred(once, sigma);
  return once.map((value, i) => 2 * value - twice[i]);
}

const BOXES = 3;

/** Three means in a row are a Gaussian blur but for 3 %: a mean over w has the variance (w² − 1) / 12. */
function blurred(values: Float64Array, sigma: number): Float64Array {
  const reach = Math.min(Math.round((Math.sqrt((12 * sigma * sigma) / BOXES + 1) - 1) / 2), (values.length - 1) >> 1);
  let blurry = values;
  for (let i = 0; i < BOXES; i++) blurry = meansOver(blurry, reach);
  return blurry;
}

/** The mean of each value and of `reach` to either side, all around. */
function meansOver(values: Float64Array, reach: number): Float64Array {
  const count = values.length;
  const means = new Float64Array(count);
  let sum = 0;
  for (let i = -reach; i <= reach; i++) sum += values[(i + count) % count];
  for (let i = 0; i < count; i++) {
    means[i] = sum / (2 * reach + 1);
    sum += values[(i + reach + 1) % count] - values[(i - reach + count) % count];
  }
  return means;
}

function valueAt(values: Float64Array, at: number): number {
  const first = Math.floor(at);
  const count = values.length;
  const [a, b] = [values[first % count], values[(first + 1) % count]];
  return a + (at - first) * (b - a);
}
