import type { Progress } from "../core/progress.ts";
import { newRadixSort } from "./radix-sort.ts";
import { dot, type Vec3 } from "./vector.ts";

const POINTS_PER_REPORT = 8192;
/** 2 µs for each point, measured on the open corners of 200 thousand facets. */
const STEPS_PER_POINT = 128;

/** Directions oblique to every axis, so that an axis-aligned side of a model does not put all its points at one height. */
const SLAB_NORMAL: Vec3 = [0.5417, 0.6803, 0.4937];
const SWEEP_DIRECTION: Vec3 = [0.7821, -0.6231, 0.0071];
/** Thickness of a slab, as a multiple of the radius. Thicker slabs contain more distant points; thinner slabs are more in number. */
const SLAB_RADII = 8;
const HEIGHT_STEPS = 2 ** 31;

/**
 * Fixed-radius neighbours: calls `visit` once with each pair of the selected points that are at most `radius` apart. `points` are x,
 * y, z of each, `selected` the indices of the points to compare. Sweeps over the points slab by slab.
 */
export function visitNearPairs(
  points: Float32Array | Float64Array,
  selected: Uint32Array,
  radius: number,
  progress: Progress,
  visit: (a: number, b: number, squaredDistance: number) => void,
): void {
  if (selected.length === 0) return;
  const { order, slabs, heights, maxHeightDifference } = sortIntoSlabs(points, selected, radius);
  // Copied into the order of the sweep: neighbours in the sweep are neighbours in memory.
  const sorted = new Float64Array(3 * order.length);
  for (let i = 0; i < order.length; i++) {
    for (let axis = 0; axis < 3; axis++) sorted[3 * i + axis] = points[3 * order[i] + axis];
  }
  const compare = (i: number, j: number): void => {
    const x = sorted[3 * i] - sorted[3 * j];
    const y = sorted[3 * i + 1] - sorted[3 * j + 1];
    const z = sorted[3 * i + 2] - sorted[3 * j + 2];
    const squared = x * x + y * y + z * z;
    if (squared <= radius * radius) visit(order[i], order[j], squared);
  };
  // The first point of the next slab that is high enough to be near point i.
  let above = 0;
  for (let i = 0; i < order.length; i++) {
    if (i % POINTS_PER_REPORT === 0) progress.report(i / order.length, STEPS_PER_POINT * POINTS_PER_REPORT);
    const maxHeight = heights[i] + maxHeightDifference;
    for (let j = i + 1; j < order.length && slabs[j] === slabs[i] && heights[j] <= maxHeight; j++) compare(i, j);
    while (
      above < order.length &&
      (slabs[above] <= slabs[i] || (slabs[above] === slabs[i] + 1 && heights[i] - heights[above] > maxHeightDifference))
    ) {
      above++;
    }
    for (let j = above; j < order.length && slabs[j] === slabs[i] + 1 && heights[j] <= maxHeight; j++) compare(i, j);
  }
}

interface SortedPoints {
  /** Indices of the points, by slab, and within a slab by height along {@link SWEEP_DIRECTION}. */
  readonly order: Uint32Array;
  readonly slabs: Uint32Array;
  readonly heights: Uint32Array;
  /** Two points within the radius are in the same or in adjacent slabs, and differ at most by this in height. */
  readonly maxHeightDifference: number;
}

function sortIntoSlabs(points: Float32Array | Float64Array, selected: Uint32Array, radius: number): SortedPoints {
  const sort = newRadixSort(selected.length);
  const byHeight = selected.slice();
  const along = integerHeights(points, selected, SWEEP_DIRECTION, radius);
  sort(along.heights, byHeight, 0, selected.length);
  const up = integerHeights(points, byHeight, SLAB_NORMAL, radius);
  const slabs = up.heights.map((height) => height / (SLAB_RADII * up.maxDifference));
  const order = Uint32Array.from(slabs.keys());
  sort(slabs, order, 0, order.length);
  return {
    order: order.map((i) => byHeight[i]),
    slabs,
    heights: order.map((i) => along.heights[i]),
    maxHeightDifference: along.maxDifference,
  };
}

/** Heights of points along a direction as integers. The heights of two points within the radius differ at most by `maxDifference`. */
function integerHeights(
  points: Float32Array | Float64Array,
  selected: Uint32Array,
  direction: Vec3,
  radius: number,
): { heights: Uint32Array; maxDifference: number } {
  const raw = new Float64Array(selected.length);
  let [lowest, highest] = [Infinity, -Infinity];
  for (let i = 0; i < selected.length; i++) {
    const at = 3 * selected[i];
    raw[i] = dot(direction, [points[at], points[at + 1], points[at + 2]]);
    lowest = Math.min(lowest, raw[i]);
    highest = Math.max(highest, raw[i]);
  }
  const steps = HEIGHT_STEPS / Math.max(highest - lowest, radius);
  const heights = new Uint32Array(raw.length);
  for (let i = 0; i < raw.length; i++) heights[i] = (raw[i] - lowest) * steps;
  return { heights, maxDifference: Math.ceil(radius * steps) + 1 };
}
