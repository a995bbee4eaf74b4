import { dot, type Vec3 } from "../../core/geometry.ts";
import type { Watch } from "../../core/watch.ts";
import type { Surface } from "../mesh.ts";
import { newRadixSort } from "../radix-sort.ts";

const VERTICES_PER_REPORT = 8192;

/** Slanted against every axis, so that no flat side of a usual model puts many of its corners at one height. */
const UP: Vec3 = [0.5417, 0.6803, 0.4937];
const ALONG: Vec3 = [0.7821, -0.6231, 0.0071];
/** Vertices are put in order along slabs of so many reaches: thicker ones hold more that is far, thinner ones are many. */
const REACHES_PER_SLAB = 8;
const HEIGHT_STEPS = 2 ** 31;

/** Calls `visit` once with every two of the given vertices that lie within `reach` of each other. */
export function visitNearPairs(
  surface: Surface,
  among: Uint32Array,
  reach: number,
  watch: Watch,
  visit: (a: number, b: number, squaredDistance: number) => void,
): void {
  if (among.length === 0) return;
  const { inOrder, slabs, heights, span } = inSlabs(surface, among, reach);
  const places = placesOf(surface, inOrder);
  const look = (i: number, j: number): void => {
    const x = places[3 * i] - places[3 * j];
    const y = places[3 * i + 1] - places[3 * j + 1];
    const z = places[3 * i + 2] - places[3 * j + 2];
    const squared = x * x + y * y + z * z;
    if (squared <= reach * reach) visit(inOrder[i], inOrder[j], squared);
  };
  // The first in the slab above that is not too low.
  let above = 0;
  for (let i = 0; i < inOrder.length; i++) {
    if (i % VERTICES_PER_REPORT === 0) watch.report(i / inOrder.length);
    for (let j = i + 1; j < inOrder.length && slabs[j] === slabs[i] && heights[j] - heights[i] <= span; j++) look(i, j);
    while (
      above < inOrder.length &&
      (slabs[above] <= slabs[i] || (slabs[above] === slabs[i] + 1 && heights[i] - heights[above] > span))
    ) {
      above++;
    }
    for (let j = above; j < inOrder.length && slabs[j] === slabs[i] + 1 && heights[j] - heights[i] <= span; j++)
      look(i, j);
  }
}

interface InSlabs {
  /** The vertices, slab by slab upward, in each by their heights along it. */
  readonly inOrder: Uint32Array;
  readonly slabs: Uint32Array;
  readonly heights: Uint32Array;
  /** Two vertices within reach lie in one slab or in two that touch, and differ in height by at most so much. */
  readonly span: number;
}

function inSlabs(surface: Surface, among: Uint32Array, reach: number): InSlabs {
  const sort = newRadixSort(among.length);
  const byHeight = among.slice();
  const along = heightsOf(surface, among, ALONG, reach);
  sort(along.heights, byHeight, 0, among.length);
  const up = heightsOf(surface, byHeight, UP, reach);
  const slabs = up.heights.map((height) => height / (REACHES_PER_SLAB * up.span));
  const order = Uint32Array.from(slabs.keys());
  sort(slabs, order, 0, order.length);
  return {
    inOrder: order.map((i) => byHeight[i]),
    slabs,
    heights: order.map((i) => along.heights[i]),
    span: along.span,
  };
}

/** Heights of vertices along a direction as integers; two within `reach` differ by at most `span`. */
function heightsOf(
  { vertices }: Surface,
  among: Uint32Array,
  direction: Vec3,
  reach: number,
): { heights: Uint32Array; span: number } {
  const raw = new Float64Array(among.length);
  let [lowest, highest] = [Infinity, -Infinity];
  for (let i = 0; i < among.length; i++) {
    const at = 3 * among[i];
    raw[i] = dot(direction, [vertices[at], vertices[at + 1], vertices[at + 2]]);
    lowest = Math.min(lowest, raw[i]);
    highest = Math.max(highest, raw[i]);
  }
  const steps = HEIGHT_STEPS / Math.max(highest - lowest, reach);
  const heights = new Uint32Array(raw.length);
  for (let i = 0; i < raw.length; i++) heights[i] = (raw[i] - lowest) * steps;
  return { heights, span: Math.ceil(reach * steps) + 1 };
}

/** x, y, z of each vertex, beside each other in memory as they are looked at. */
function placesOf({ vertices }: Surface, inOrder: Uint32Array): Float64Array {
  const places = new Float64Array(3 * inOrder.length);
  for (let i = 0; i < inOrder.length; i++) {
    for (let axis = 0; axis < 3; axis++) places[3 * i + axis] = vertices[3 * inOrder[i] + axis];
  }
  return places;
}
