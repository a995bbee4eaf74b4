import type { Progress } from "../../core/progress.ts";
import { type Surface, triangleCount } from "../mesh.ts";

/**
 * A bounding volume hierarchy: the facets of a surface in a binary tree of axis-aligned boxes, in single precision. Node 0
 * is the root; the first child of an inner node is the next node. The facets are reordered so that those of a leaf are
 * neighbours; the position of a facet in this order is its slot. The box of a node contains its facets exactly.
 */
export interface Bvh {
  /** Least x, y, z and greatest x, y, z of each node. */
  readonly boxes: Float32Array;
  /** Two numbers for each node. Inner node: its second child, 0. Leaf: its first slot, its number of facets. */
  readonly links: Uint32Array;
  /** The index in the surface of the facet in each slot. */
  readonly facets: Uint32Array;
  /** The three corners of the facet in each slot, x, y, z of each. */
  readonly corners: Float32Array;
}

/** Nodes with more facets are split; smaller leaves make the tree larger and no faster. */
const LEAF_TRIANGLES = 4;
/** From this depth on nodes are split at the median, so that no tree is deeper than {@link BVH_MAX_DEPTH}. */
const SAH_DEPTH = 48;
/** Greatest depth of a tree: 32 levels of median splits separate 2³² facets. Also the size of a traversal's stack. */
export const BVH_MAX_DEPTH = SAH_DEPTH + 32;

const FACETS_PER_REPORT = 8192;

/** The hierarchy of a surface with at least one facet. Reports the share of facets that are in a leaf. */
export function buildBvh(surface: Surface, progress: Progress): Bvh {
  const count = triangleCount(surface);
  const bounds = triangleBounds(surface);
  const facets = new Uint32Array(count);
  for (let i = 0; i < count; i++) facets[i] = i;
  const boxes = new Float32Array(12 * count);
  const links = new Uint32Array(4 * count);
  let nodes = 0;
  let placed = 0;
  let reported = 0;

  const build = (from: number, to: number, depth: number): void => {
    const node = nodes++;
    const middle = to - from > LEAF_TRIANGLES ? splitNode(bounds, facets, from, to, depth < SAH_DEPTH) : from;
    if (middle === from) {
      boxes.set(bounds.subarray(6 * from, 6 * from + 6), 6 * node);
      for (let slot = from + 1; slot < to; slot++) growBox(boxes, 6 * node, bounds, 6 * slot);
      links[2 * node] = from;
      links[2 * node + 1] = to - from;
      placed += to - from;
      if (placed - reported >= FACETS_PER_REPORT) progress.report((reported = placed) / count);
      return;
    }
    build(from, middle, depth + 1);
    const second = nodes;
    links[2 * node] = second;
    build(middle, to, depth + 1);
    boxes.copyWithin(6 * node, 6 * node + 6, 6 * node + 12);
    growBox(boxes, 6 * node, boxes, 6 * second);
  };
  build(0, count, 0);
  progress.report(1);
  return {
    boxes: boxes.slice(0, 6 * nodes),
    links: links.slice(0, 2 * nodes),
    facets,
    corners: cornersInOrder(surface, facets),
  };
}

/** The bounding box of each facet: least x, y, z and greatest x, y, z. */
function triangleBounds({ vertices, triangles }: Surface): Float32Array {
  const bounds = new Float32Array(2 * triangles.length);
  for (let at = 0; at < triangles.length; at += 3) {
    const a = 3 * triangles[at];
    const b = 3 * triangles[at + 1];
    const c = 3 * triangles[at + 2];
    for (let axis = 0; axis < 3; axis++) {
      const p = vertices[a + axis];
      const q = vertices[b + axis];
      const r = vertices[c + axis];
      bounds[2 * at + axis] = p < q ? (p < r ? p : r) : q < r ? q : r;
      bounds[2 * at + 3 + axis] = p > q ? (p > r ? p : r) : q > r ? q : r;
    }
  }
  return bounds;
}

function cornersInOrder({ vertices, triangles }: Surface, facets: Uint32Array): Float32Array {
  const corners = new Float32Array(9 * facets.length);
  for (let i = 0; i < facets.length; i++) {
    for (let corner = 0; corner < 3; corner++) {
      const v = 3 * triangles[3 * facets[i] + corner];
      const at = 9 * i + 3 * corner;
      corners[at] = vertices[v];
      corners[at + 1] = vertices[v + 1];
      corners[at + 2] = vertices[v + 2];
    }
  }
  return corners;
}

/** Bins of the surface area heuristic: candidates for the split are the borders between them. */
const BINS = 16;
/** The heuristic samples this number of facets of a larger node. */
const SAMPLES = 64;
/**
 * A node of at most this number of facets is split in the middle, because the heuristic takes longer than it saves. Also
 * the most facets in a leaf: more with the same centre are split at the median.
 */
export const MAX_LEAF_TRIANGLES = 16;
const counts = new Uint32Array(BINS);
const binBoxes = new Float64Array(6 * BINS);
/** For each bin half the surface area of the box around this and all later bins, times the facets in them. */
const costsAbove = new Float64Array(BINS);
const box = new Float64Array(6);

/**
 * Partitions the facets in slots `from` to `to` − 1 by the centres of their boxes, along the longest extent of the
 * centres: at the border of bins with the least cost by the surface area heuristic, or at the median unless `byArea`.
 * Returns the first slot of the second part, or `from` when the centres are equal and the facets fit into one leaf.
 * `bounds` holds the box of the facet in each slot and is reordered with `facets`.
 * Source: I. Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies" (2007).
 */
function splitNode(bounds: Float32Array, facets: Uint32Array, from: number, to: number, byArea: boolean): number {
  const stride = 6 * Math.ceil((to - from) / SAMPLES);
  const axis = longestSide(bounds, from, to, stride);
  const first = box[axis];
  const extent = box[axis + 3] - first;
  if (!(extent > 0)) return to - from > MAX_LEAF_TRIANGLES ? (from + to) >> 1 : from;
  if (!byArea) return splitAtMedian(bounds, facets, from, to, axis);
  const perBin = (BINS * (1 - 1e-6)) / extent;
  let cut = BINS / 2;
  if (to - from > MAX_LEAF_TRIANGLES) {
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

/** The axis along which the centres have the longest extent. Fills `box` with the box of twice the centres. */
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

/** Sorts facets by their centres. Rare: only where the sizes of the facets differ by many powers of two. */
function splitAtMedian(bounds: Float32Array, facets: Uint32Array, from: number, to: number, axis: number): number {
  const middleOf = (slot: number): number => bounds[6 * slot + axis] + bounds[6 * slot + axis + 3];
  const order = Array.from({ length: to - from }, (_, i) => from + i).sort((a, b) => middleOf(a) - middleOf(b));
  const sorted = order.map((slot) => [facets[slot], bounds.slice(6 * slot, 6 * slot + 6)] as const);
  for (const [i, [facet, bound]] of sorted.entries()) {
    facets[from + i] = facet;
    bounds.set(bound, 6 * (from + i));
  }
  return (from + to) >> 1;
}

type Boxes = Float32Array | Float64Array;

/** Extends the box at `o` of `boxes` to contain the box at `at` of `others`. */
function growBox(boxes: Boxes, o: number, others: Boxes, at: number): void {
  if (others[at] < boxes[o]) boxes[o] = others[at];
  if (others[at + 1] < boxes[o + 1]) boxes[o + 1] = others[at + 1];
  if (others[at + 2] < boxes[o + 2]) boxes[o + 2] = others[at + 2];
  if (others[at + 3] > boxes[o + 3]) boxes[o + 3] = others[at + 3];
  if (others[at + 4] > boxes[o + 4]) boxes[o + 4] = others[at + 4];
  if (others[at + 5] > boxes[o + 5]) boxes[o + 5] = others[at + 5];
}

/** Makes the first `count` boxes empty. */
function emptyBoxes(boxes: Boxes, count: number): void {
  for (let at = 0; at < 6 * count; at += 6) {
    boxes.fill(Infinity, at, at + 3);
    boxes.fill(-Infinity, at + 3, at + 6);
  }
}

/** The sum of the three side lengths of a box. */
export const boxSideSum = (boxes: Boxes, at: number): number =>
  boxes[at + 3] - boxes[at] + (boxes[at + 4] - boxes[at + 1]) + (boxes[at + 5] - boxes[at + 2]);
