import { emptyBoxes, growBox } from "./grow-box.ts";

/** A cut is looked for at so many places less one. */
const BINS = 16;
/** So many facets of a larger node stand for all when its cut is chosen. */
const SAMPLES = 64;
/** No more are cut in the middle: to find a better cut takes longer than it saves. So many of one middle share a leaf. */
export const FEW = 16;
const counts = new Uint32Array(BINS);
const binBoxes = new Float64Array(6 * BINS);
/** Half the surface of the box around the bins from each one on, times the facets in it. */
const costsAbove = new Float64Array(BINS);
const box = new Float64Array(6);

/**
 * Parts the facets from place `from` to `to` - 1 by the middles of their boxes, across the longest side of what those
 * span, where the surface area heuristic is least among the cuts between bins; or at the median, unless `byArea`. The
 * place of the first facet of the second part, or `from` when there is nothing to part them by and they are few.
 * `bounds` holds the box of the facet at each place, and is put in order with `facets`.
 * Source: I. Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies" (2007).
 */
export function splitFacets(
  bounds: Float32Array,
  facets: Uint32Array,
  from: number,
  to: number,
  byArea: boolean,
): number {
  const stride = 6 * Math.ceil((to - from) / SAMPLES);
  const axis = longestSide(bounds, from, to, stride);
  const first = box[axis];
  const extent = box[axis + 3] - first;
  if (!(extent > 0)) return to - from > FEW ? (from + to) >> 1 : from;
  if (!byArea) return halve(bounds, facets, from, to, axis);
  const perBin = (BINS * (1 - 1e-6)) / extent;
  let cut = BINS / 2;
  if (to - from > FEW) {
    fillBins(bounds, from, to, stride, axis, first, perBin);
    cut = cheapestCut();
  }
  let low = from;
  let high = to - 1;
  while (low <= high) {
    const at = 6 * low + axis;
    if ((bounds[at] + bounds[at + 3] - first) * perBin < cut) low++;
    else swap(bounds, facets, low, high--);
  }
  return low;
}

/** Fills `box` with the box of twice the middles. */
function longestSide(bounds: Float32Array, from: number, to: number, stride: number): number {
  for (let axis = 0; axis < 3; axis++) {
    let [low, high] = [Infinity, -Infinity];
    for (let at = 6 * from + axis; at < 6 * to; at += stride) {
      const middle = bounds[at] + bounds[at + 3];
      if (middle < low) low = middle;
      if (middle > high) high = middle;
    }
    box[axis] = low;
    box[axis + 3] = high;
  }
  const [x, y, z] = [box[3] - box[0], box[4] - box[1], box[5] - box[2]];
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

function swap(bounds: Float32Array, facets: Uint32Array, a: number, b: number): void {
  const facet = facets[a];
  facets[a] = facets[b];
  facets[b] = facet;
  for (let i = 0; i < 6; i++) {
    const bound = bounds[6 * a + i];
    bounds[6 * a + i] = bounds[6 * b + i];
    bounds[6 * b + i] = bound;
  }
}

function fillBins(
  bounds: Float32Array,
  from: number,
  to: number,
  stride: number,
  axis: number,
  first: number,
  perBin: number,
): void {
  counts.fill(0);
  emptyBoxes(binBoxes, BINS);
  for (let at = 6 * from; at < 6 * to; at += stride) {
    const bin = ((bounds[at + axis] + bounds[at + axis + 3] - first) * perBin) | 0;
    counts[bin]++;
    growBox(binBoxes, 6 * bin, bounds, at);
  }
}

function cheapestCut(): number {
  emptyBoxes(box, 1);
  let above = 0;
  for (let bin = BINS - 1; bin > 0; bin--) {
    growBox(box, 0, binBoxes, 6 * bin);
    above += counts[bin];
    costsAbove[bin] = above === 0 ? 0 : above * halfArea();
  }
  emptyBoxes(box, 1);
  let below = 0;
  let cut = 1;
  let least = Infinity;
  for (let bin = 1; bin < BINS; bin++) {
    growBox(box, 0, binBoxes, 6 * (bin - 1));
    below += counts[bin - 1];
    const cost = below * halfArea() + costsAbove[bin];
    if (cost < least) {
      least = cost;
      cut = bin;
    }
  }
  return cut;
}

function halfArea(): number {
  const [x, y, z] = [box[3] - box[0], box[4] - box[1], box[5] - box[2]];
  return x * y + y * z + z * x;
}

/** Sorts by the middles. Rare: only where the facets' sizes differ by many powers of two. */
function halve(bounds: Float32Array, facets: Uint32Array, from: number, to: number, axis: number): number {
  const middleOf = (place: number): number => bounds[6 * place + axis] + bounds[6 * place + axis + 3];
  const order = Array.from({ length: to - from }, (_, i) => from + i).sort((a, b) => middleOf(a) - middleOf(b));
  const sorted = order.map((place) => [facets[place], bounds.slice(6 * place, 6 * place + 6)] as const);
  for (const [i, [facet, bound]] of sorted.entries()) {
    facets[from + i] = facet;
    bounds.set(bound, 6 * (from + i));
  }
  return (from + to) >> 1;
}
