import { ensureCapacity } from "../core/typed-arrays.ts";
import type { LayerRuns } from "../slice/rasterise-layer.ts";

/** Areas of a layer in pixels, in which a grey pixel counts by its value. Plain data. */
export interface LayerAreas {
  readonly solidPixels: number;
  /** Of the largest and the smallest region; a region is a set of lit pixels that are connected by their sides. 0 without regions. */
  readonly largestPixels: number;
  readonly smallestPixels: number;
  readonly regions: number;
  /** First and last column and row with lit pixels; absent for an empty layer. */
  readonly box?: LayerBox;
}

export interface LayerBox {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
}

/** Reused from layer to layer. A run refers to another run of its region, the root to itself. */
const scratch = { parents: new Uint32Array(), areas: new Float64Array() };

/** Areas of a layer and of its regions, in time proportional to the number of runs. */
export function layerAreas(layer: LayerRuns): LayerAreas {
  const count = layer.rowStarts[layer.height];
  const parents = (scratch.parents = ensureCapacity(scratch.parents, count));
  const areas = (scratch.areas = ensureCapacity(scratch.areas, count));
  joinRuns(layer, parents, areas);
  let [solid, largest, smallest, regions] = [0, 0, Infinity, 0];
  // A root precedes the other runs of its region.
  for (let run = count - 1; run >= 0; run--) {
    const area = areas[run];
    if (parents[run] !== run) {
      areas[parents[run]] += area;
      continue;
    }
    regions++;
    solid += area;
    largest = Math.max(largest, area);
    smallest = Math.min(smallest, area);
  }
  if (regions === 0) return { solidPixels: 0, largestPixels: 0, smallestPixels: 0, regions: 0 };
  return { solidPixels: solid, largestPixels: largest, smallestPixels: smallest, regions, box: boxOf(layer) };
}

/** Sets the area of each run, and joins it with the run before it if they touch, and with those of the row above that share columns with it. */
function joinRuns(layer: LayerRuns, parents: Uint32Array, areas: Float64Array): void {
  const { height, rowStarts, starts, ends, values } = layer;
  for (let row = 0; row < height; row++) {
    let above = row > 0 ? rowStarts[row - 1] : 0;
    const [first, end] = [rowStarts[row], rowStarts[row + 1]];
    let before = 0;
    for (let run = first; run < end; run++) {
      const start = starts[run];
      const stop = ends[run];
      areas[run] = ((stop - start) * values[run]) / 255;
      // The root of the run before it, which it touches, or the run itself.
      let root = run > first && ends[run - 1] === start ? before : run;
      parents[run] = root;
      while (above < first && ends[above] <= start) above++;
      for (let other = above; other < first && starts[other] < stop; other++) root = joined(parents, root, other);
      before = root;
    }
  }
}

/** Joins the region of a root and that of another run. Returns the root of both, which is the earlier one. */
function joined(parents: Uint32Array, root: number, run: number): number {
  const other = rootOf(parents, run);
  if (other < root) return (parents[root] = other);
  parents[other] = root;
  return root;
}

function rootOf(parents: Uint32Array, run: number): number {
  let at = run;
  // Halves the path.
  while (parents[at] !== at) at = parents[at] = parents[parents[at]];
  return at;
}

function boxOf({ height, rowStarts, starts, ends }: LayerRuns): LayerBox {
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, 0, 0];
  for (let row = 0; row < height; row++) {
    const [first, end] = [rowStarts[row], rowStarts[row + 1]];
    if (first === end) continue;
    minX = Math.min(minX, starts[first]);
    maxX = Math.max(maxX, ends[end - 1] - 1);
    minY = Math.min(minY, row);
    maxY = row;
  }
  return { minX, minY, maxX, maxY };
}
