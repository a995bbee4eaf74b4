import { upperBound } from "../../geometry/binary-search.ts";
import { type Point2, type Polygon, cornerCount } from "../../geometry/polygon.ts";

/** Step between the samples at which outlines are smoothed, mm; far smaller than the features that are removed. */
const STEP_MM = 0.1;
const MIN_SAMPLES = 64;
const MAX_SAMPLES = 16_384;

/**
 * Removes features of a closed outline that are short relative to `sigmaMm`, vertex by vertex. It is blurred by a Gaussian along its
 * length, twice, so that curves long relative to sigma stay in place: if one blur leaves the fraction g of a wave, 2g − g² remains.
 * Source: the twicing of J. W. Tukey, "Exploratory Data Analysis" (1977), 16.
 */
export function smoothOutline(polygon: Polygon, sigmaMm: number): Polygon {
  const lengths = cumulativeLengths(polygon);
  const totalMm = lengths[lengths.length - 1];
  const count = Math.round(Math.min(MAX_SAMPLES, Math.max(MIN_SAMPLES, totalMm / STEP_MM)));
  const sigma = (sigmaMm * count) / totalMm;
  const samples = Array.from({ length: count }, (_, i) => pointAlong(polygon, lengths, (i / count) * totalMm));
  const xs = twicedBlur(
    Float64Array.from(samples, ([x]) => x),
    sigma,
  );
  const ys = twicedBlur(
    Float64Array.from(samples, ([, y]) => y),
    sigma,
  );
  const smoothed = new Float64Array(polygon.length);
  for (let i = 0; i < cornerCount(polygon); i++) {
    const at = (lengths[i] / totalMm) * count;
    smoothed[2 * i] = interpolate(xs, at);
    smoothed[2 * i + 1] = interpolate(ys, at);
  }
  return smoothed;
}

/** The length from the first corner to each corner, and finally all around. */
export function cumulativeLengths(polygon: Polygon): Float64Array {
  const count = cornerCount(polygon);
  const lengths = new Float64Array(count + 1);
  for (let i = 0; i < count; i++) {
    const next = 2 * ((i + 1) % count);
    const [dx, dy] = [polygon[next] - polygon[2 * i], polygon[next + 1] - polygon[2 * i + 1]];
    lengths[i + 1] = lengths[i] + Math.sqrt(dx * dx + dy * dy);
  }
  return lengths;
}

/** The point of a closed outline at a length from its first corner. `lengths` are its {@link cumulativeLengths}. */
export function pointAlong(polygon: Polygon, lengths: Float64Array, alongMm: number): Point2 {
  const side = Math.min(upperBound(lengths, alongMm), lengths.length - 1) - 1;
  const sideMm = lengths[side + 1] - lengths[side];
  const share = sideMm > 0 ? (alongMm - lengths[side]) / sideMm : 0;
  const [from, to] = [2 * side, (2 * side + 2) % polygon.length];
  return [
    polygon[from] + share * (polygon[to] - polygon[from]),
    polygon[from + 1] + share * (polygon[to + 1] - polygon[from + 1]),
  ];
}

function twicedBlur(values: Float64Array, sigma: number): Float64Array {
  const once = gaussianBlur(values, sigma);
  const twice = gaussianBlur(once, sigma);
  return once.map((value, i) => 2 * value - twice[i]);
}

const BOXES = 3;

/** Three box blurs are a Gaussian blur within 3 %: a mean over w values has the variance (w² − 1) / 12. */
function gaussianBlur(values: Float64Array, sigma: number): Float64Array {
  const radius = Math.min(Math.round((Math.sqrt((12 * sigma * sigma) / BOXES + 1) - 1) / 2), (values.length - 1) >> 1);
  let blurred = values;
  for (let i = 0; i < BOXES; i++) blurred = boxBlur(blurred, radius);
  return blurred;
}

/** The mean of each value and its `radius` neighbours on both sides, cyclically. */
function boxBlur(values: Float64Array, radius: number): Float64Array {
  const count = values.length;
  const means = new Float64Array(count);
  let sum = 0;
  for (let i = -radius; i <= radius; i++) sum += values[(i + count) % count];
  for (let i = 0; i < count; i++) {
    means[i] = sum / (2 * radius + 1);
    sum += values[(i + radius + 1) % count] - values[(i - radius + count) % count];
  }
  return means;
}

/** The value at a fractional index, cyclically. */
function interpolate(values: Float64Array, at: number): number {
  const first = Math.floor(at);
  const count = values.length;
  const [a, b] = [values[first % count], values[(first + 1) % count]];
  return a + (at - first) * (b - a);
}
