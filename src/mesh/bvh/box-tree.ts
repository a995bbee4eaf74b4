import type { Progress } from "../../core/progress.ts";
import { releaseArrays } from "../../core/typed-arrays.ts";

/**
 * A binary tree over axis-aligned boxes, in single precision. Node 0 is the root; the first child of an inner node is the next node.
 * The items, one for each input box, are reordered so that the items of a leaf are neighbours; the position of an item in this order
 * is its slot. The box of a node contains the boxes of its items exactly.
 */
export interface BoxTree {
  /** Least x, y, z and greatest x, y, z of each node. */
  readonly boxes: Float32Array;
  /** Two numbers for each node. Inner node: its second child, 0. Leaf: its first slot, its number of items. */
  readonly links: Uint32Array;
  /** The index of the item in each slot. */
  readonly items: Uint32Array;
}

/** From this depth on nodes are split at the median, so that no tree is deeper than {@link BVH_MAX_DEPTH}. */
const SAH_DEPTH = 48;
/** Greatest depth of a tree: 32 levels of median splits separate 2³² items. Also the size of a traversal's stack. */
export const BVH_MAX_DEPTH = SAH_DEPTH + 32;

const ITEMS_PER_REPORT = 8192;
/** Two microseconds for each item, measured on models of 100 thousand facets. */
const STEPS_PER_ITEM = 128;

/**
 * The tree over at least one box: least x, y, z and greatest x, y, z of each in `bounds`, which is reordered with the items.
 * Nodes of more than `leafItems` items are split. Reports the share of items that are in a leaf.
 */
export function buildBoxTree(bounds: Float32Array, leafItems: number, progress: Progress): BoxTree {
  const count = bounds.length / 6;
  const items = new Uint32Array(count);
  for (let i = 0; i < count; i++) items[i] = i;
  const boxes = new Float32Array(12 * count);
  const links = new Uint32Array(4 * count);
  let nodes = 0;
  let placed = 0;
  let reported = 0;

  const report = (): void => {
    const steps = STEPS_PER_ITEM * (placed - reported);
    progress.report((reported = placed) / count, steps);
  };
  const build = (from: number, to: number, depth: number): void => {
    const node = nodes++;
    const middle = to - from > leafItems ? splitNode(bounds, items, from, to, depth < SAH_DEPTH) : from;
    if (middle === from) {
      boxes.set(bounds.subarray(6 * from, 6 * from + 6), 6 * node);
      for (let slot = from + 1; slot < to; slot++) growBox(boxes, 6 * node, bounds, 6 * slot);
      links[2 * node] = from;
      links[2 * node + 1] = to - from;
      placed += to - from;
      if (placed - reported >= ITEMS_PER_REPORT) report();
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
  report();
  const tree = { boxes: boxes.slice(0, 6 * nodes), links: links.slice(0, 2 * nodes), items };
  releaseArrays(boxes, links);
  return tree;
}

/** Bins of the surface area heuristic: candidates for the split are the borders between them. */
const BINS = 16;
/** The heuristic samples this number of items of a larger node. */
const SAMPLES = 64;
/**
 * A node of at most this number of items is split in the middle, because the heuristic takes longer than it saves. Also
 * the most items in a leaf: more with the same centre are split at the median.
 */
export const MAX_LEAF_ITEMS = 16;
const counts = new Uint32Array(BINS);
const binBoxes = new Float64Array(6 * BINS);
/** For each bin: half the surface area of the box around this and all later bins, times their number of items. */
const costsAbove = new Float64Array(BINS);
const box = new Float64Array(6);

/**
 * Partitions the items in slots `from` to `to` − 1 by the centres of their boxes, along the longest extent of the centres: if
 * `byArea`, at the border of bins with the least cost by the surface area heuristic, else at the median. Returns the first slot of the
 * second part, or `from` if the centres are equal and the items fit into one leaf. `bounds` holds the box of the item in each slot and
 * is reordered with `items`. Source: I. Wald, "On fast Construction of SAH-based Bounding Volume Hierarchies" (2007).
 */
function splitNode(bounds: Float32Array, items: Uint32Array, from: number, to: number, byArea: boolean): number {
  const stride = 6 * Math.ceil((to - from) / SAMPLES);
  const axis = longestSide(bounds, from, to, stride);
  const first = box[axis];
  const extent = box[axis + 3] - first;
  if (!(extent > 0)) return to - from > MAX_LEAF_ITEMS ? (from + to) >> 1 : from;
  if (!byArea) return splitAtMedian(bounds, items, from, to, axis);
  const perBin = (BINS * (1 - 1e-6)) / extent;
  let cut = BINS / 2;
  if (to - from > MAX_LEAF_ITEMS) {
    fillBins(bounds, from, to, stride, axis, first, perBin);
    cut = cheapestCut();
  }
  let low = from;
  let high = to - 1;
  while (low <= high) {
    const at = 6 * low + axis;
    if ((bounds[at] + bounds[at + 3] - first) * perBin < cut) low++;
    else swap(bounds, items, low, high--);
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

function swap(bounds: Float32Array, items: Uint32Array, a: number, b: number): void {
  const item = items[a];
  items[a] = items[b];
  items[b] = item;
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

/** Sorts items by their centres. Rare: only if their sizes differ by many powers of two. */
function splitAtMedian(bounds: Float32Array, items: Uint32Array, from: number, to: number, axis: number): number {
  const middleOf = (slot: number): number => bounds[6 * slot + axis] + bounds[6 * slot + axis + 3];
  const order = Array.from({ length: to - from }, (_, i) => from + i).sort((a, b) => middleOf(a) - middleOf(b));
  const sorted = order.map((slot) => [items[slot], bounds.slice(6 * slot, 6 * slot + 6)] as const);
  for (const [i, [item, bound]] of sorted.entries()) {
    items[from + i] = item;
    bounds.set(bound, 6 * (from + i));
  }
  return (from + to) >> 1;
}

type Boxes = Float32Array | Float64Array;

/** Extends the box at `o` of `boxes` to contain the box at `at` of `others`. */
export function growBox(boxes: Boxes, o: number, others: Boxes, at: number): void {
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

/** Whether the box at `i` of `boxes` and the box at `j` of `others` share a point. */
export const boxesOverlap = (boxes: Float32Array, i: number, others: Float32Array, j: number): boolean =>
  boxes[i] <= others[j + 3] &&
  others[j] <= boxes[i + 3] &&
  boxes[i + 1] <= others[j + 4] &&
  others[j + 1] <= boxes[i + 4] &&
  boxes[i + 2] <= others[j + 5] &&
  others[j + 2] <= boxes[i + 5];
