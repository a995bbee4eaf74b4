import type { Watch } from "../../core/watch.ts";
import type { Surface } from "../mesh.ts";
import { newRadixSort } from "../radix-sort.ts";

const VERTICES_PER_REPORT = 8192;

/** Calls `visit` with every two of the given vertices that lie within `reach` of each other. */
export function visitNearPairs(
  surface: Surface,
  among: Uint32Array,
  reach: number,
  watch: Watch,
  visit: (a: number, b: number, squaredDistance: number) => void,
): void {
  if (among.length === 0) return;
  const { vertices } = surface;
  const inOrder = among.slice();
  const { heights, span } = heightsOf(surface, inOrder, reach);
  newRadixSort(inOrder.length)(heights, inOrder, 0, inOrder.length);
  for (let i = 0; i < inOrder.length; i++) {
    if (i % VERTICES_PER_REPORT === 0) watch.report(i / inOrder.length);
    const a = 3 * inOrder[i];
    for (let j = i + 1; j < inOrder.length && heights[j] - heights[i] <= span; j++) {
      const b = 3 * inOrder[j];
      const x = vertices[a] - vertices[b];
      const y = vertices[a + 1] - vertices[b + 1];
      const z = vertices[a + 2] - vertices[b + 2];
      const squared = x * x + y * y + z * z;
      if (squared <= reach * reach) visit(inOrder[i], inOrder[j], squared);
    }
  }
}

/** Slanted against every axis, so that no flat side of a usual model puts many of its corners at one height. */
const UP = [0.5417, 0.6803, 0.4937] as const;
const HEIGHT_STEPS = 2 ** 31;

/** Heights along {@link UP} as integers; two points within `reach` differ by at most `span`. */
function heightsOf({ vertices }: Surface, among: Uint32Array, reach: number): { heights: Uint32Array; span: number } {
  const [x, y, z] = UP;
  const raw = Float64Array.from(among, (v) => x * vertices[3 * v] + y * vertices[3 * v + 1] + z * vertices[3 * v + 2]);
  const lowest = raw.reduce((a, b) => Math.min(a, b));
  const highest = raw.reduce((a, b) => Math.max(a, b));
  const steps = HEIGHT_STEPS / Math.max(highest - lowest, reach);
  return { heights: Uint32Array.from(raw, (height) => (height - lowest) * steps), span: Math.ceil(reach * steps) + 1 };
}
